/**
 * When a follower of a session looks at it: as the store tells, and now and then
 * in any case, so that a change which the store did not tell delays it and no more.
 *
 * @module
 */

import type { Clock } from "../../src/ambient.ts";
import type { SessionStore } from "../store.ts";

/** What a follower waits with. */
export type WakesParts = {
  readonly store: SessionStore;
  readonly session: string;
  readonly clock: Clock;
  /** How long it waits at most, in milliseconds. */
  readonly everyMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
};

/** Yields at once, then whenever it is time to look again. */
export async function* wakes(
  { store, session, clock, everyMs, signal }: WakesParts,
): AsyncGenerator<void, void, undefined> {
  const over = new AbortController();
  const changes = store.watch(session, AbortSignal.any([signal, over.signal]))
    [Symbol.asyncIterator]();
  const ask = () => {
    const asked = changes.next();
    // It may fail while the follower works: that is told when it waits again.
    asked.catch(() => {});
    return asked;
  };
  let next = ask();
  try {
    while (!signal.aborted) {
      const change = await within(next, clock, everyMs);
      if (change?.done === true) return;
      // Asked before the follower works, not after it: a store that listens only
      // while it is asked hears what is committed meanwhile.
      if (change !== undefined) next = ask();
      yield;
    }
  } finally {
    over.abort();
    // What the store still does to end is for nobody to wait for.
    changes.return?.().catch(() => {});
  }
}

/** What the promise gives; `undefined` where it takes longer than `ms`. */
async function within<T>(
  promise: Promise<T>,
  clock: Clock,
  ms: number,
): Promise<T | undefined> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    stop = clock.timer(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop();
  }
}
