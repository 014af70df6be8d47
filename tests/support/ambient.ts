/**
 * Time, ids and chance under a test's control.
 *
 * @module
 */

import type { Clock } from "../../src/ambient.ts";

/** A clock that moves only when told. */
export class ManualClock implements Clock {
  #now: number;
  #timers: { at: number; fire: () => void }[] = [];

  /** @param start The first time, in milliseconds since 1970. */
  constructor(start = 1_000_000) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  timer(ms: number, fire: () => void): () => void {
    const timer = { at: this.#now + ms, fire };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves time on; what comes due fires in its order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end)
        .sort((one, other) => one.at - other.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#now = Math.max(this.#now, due.at);
      due.fire();
    }
    this.#now = end;
  }
}

/** Ids that count up, each prefix for itself: `receipt_1`, `receipt_2`, … */
export function countingIds(): (prefix: string) => string {
  const counts = new Map<string, number>();
  return (prefix) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}_${count}`;
  };
}

/** A pseudo-random sequence, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Runtime options for a deterministic agent. */
export function manualAmbient(seed = 1): {
  clock: ManualClock;
  newId: (prefix: string) => string;
  random: () => number;
} {
  return {
    clock: new ManualClock(),
    newId: countingIds(),
    random: seededRandom(seed),
  };
}
