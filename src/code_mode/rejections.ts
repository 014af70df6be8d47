/**
 * Promises of a program that were rejected and that nobody has caught: without
 * them, an error in a function that nobody awaits would vanish.
 *
 * @module
 */

import type { Engine, GuestValue } from "./engine.ts";

type Rejection = {
  readonly promise: GuestValue;
  readonly reason: GuestValue;
};

/** The most that are kept at a time. */
const kept = 16;
/** What the host's work for a rejection costs the guest, in units of fuel. */
const rejectionFuel = 64;

/** The rejections that are not caught so far, the first of them. */
export class Rejections {
  readonly #engine: Engine;
  readonly #open = new Map<number, Rejection>();

  /** @param engine The instance that the program runs in. */
  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** What the promises were rejected with, the oldest first. */
  get reasons(): GuestValue[] {
    return [...this.#open.values()].map(({ reason }) => reason);
  }

  /** Notes that a promise was rejected, or that somebody caught it after all. */
  take(promise: GuestValue, reason: GuestValue, isHandled: boolean): void {
    const engine = this.#engine;
    engine.charge(rejectionFuel);
    const identity = engine.identity(promise);
    if (!isHandled && this.#open.size < kept) {
      // What is held stays alive, so no other promise gets its identity.
      this.#open.set(identity, { promise, reason });
      return;
    }
    const known = isHandled ? this.#open.get(identity) : undefined;
    if (known !== undefined) {
      this.#open.delete(identity);
      engine.free(known.promise);
      engine.free(known.reason);
    }
    engine.free(promise);
    engine.free(reason);
  }
}
