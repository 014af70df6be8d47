/**
 * What the runtime takes from its surroundings: time, ids, chance. All of it
 * is injected, and read nowhere else, so that the same run gives the same
 * receipts.
 *
 * @module
 */

/** Time, in milliseconds. */
export type Clock = {
  /** Milliseconds since 1970. On Workers it stands still between I/O. */
  now(): number;
  /** Calls `fire` once after `ms` milliseconds; gives what calls it off. */
  timer(ms: number, fire: () => void): () => void;
};

/** Time, ids and chance. */
export type Ambient = {
  readonly clock: Clock;
  /** A new unique id that starts with `prefix`. */
  readonly newId: (prefix: string) => string;
  /** A number from 0 up to, not including, 1. */
  readonly random: () => number;
};

/** The platform's own time, ids and chance. */
export const systemAmbient: Ambient = {
  clock: {
    now: () => Date.now(),
    timer: (ms, fire) => {
      const handle = setTimeout(fire, ms);
      return () => clearTimeout(handle);
    },
  },
  newId: (prefix) => `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`,
  random: () => Math.random(),
};

/** One turn of the event loop: what is due by now happens. No clock tells it. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Resolves after `ms` milliseconds, or at once when `signal` aborts. */
export function pause(
  clock: Clock,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    // A host's clock may fire before `timer` returns.
    let cancel = () => {};
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    signal.addEventListener("abort", done, { once: true });
    cancel = clock.timer(ms, done);
  });
}
