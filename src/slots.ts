/**
 * A bound on what runs at the same time.
 *
 * @module
 */

/** Gives out a fixed number of slots, first come first served. */
export class Slots {
  readonly #count: number;
  #free: number;
  readonly #waiting = new Set<() => void>();

  /** @param count How many slots there are. */
  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** How many slots are taken. */
  get taken(): number {
    return this.#count - this.#free;
  }

  /** How many wait for one. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Waits for a slot. `undefined` where `signal` aborts first; else a function
   * that gives the slot back, however often it is called.
   */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined;
    if (this.#free > 0) this.#free--;
    else if (!(await this.#turn(signal))) return undefined;
    let held = true;
    return () => {
      if (held) this.#release();
      held = false;
    };
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const admit = () => {
        signal.removeEventListener("abort", leave);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.delete(admit);
        resolve(false);
      };
      this.#waiting.add(admit);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
