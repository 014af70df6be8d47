/**
 * What programs keep for later ones with `store(key, value)`.
 *
 * @module
 */

import { byteLength } from "../text.ts";

/** The kept values of one agent, as JSON text by key. */
export class CellStore {
  #values: Readonly<Record<string, string>>;
  readonly #limit: number;

  /**
   * @param values What was kept before.
   * @param limit The most bytes of keys and values together.
   */
  constructor(values: Readonly<Record<string, string>>, limit: number) {
    this.#values = values;
    this.#limit = limit;
  }

  /** JSON text by key. */
  get values(): Readonly<Record<string, string>> {
    return this.#values;
  }

  /**
   * Takes over what a program stored, or nothing of it where it is too much.
   *
   * @param changes JSON text by key; `null` drops a key.
   * @returns What to tell the model.
   */
  apply(changes: Readonly<Record<string, string | null>>): string[] {
    const kept = new Map(Object.entries(this.#values));
    for (const [key, value] of Object.entries(changes)) {
      if (value === null) kept.delete(key);
      else kept.set(key, value);
    }
    let bytes = 0;
    for (const [key, value] of kept) {
      bytes += byteLength(key) + byteLength(value);
    }
    if (bytes > this.#limit) {
      return [
        `Nothing was stored: all stored values would take ${bytes} bytes, ${this.#limit} are allowed. Drop some with store(key, undefined).`,
      ];
    }
    this.#values = Object.fromEntries(kept);
    return [];
  }
}
