/**
 * Lines of text up to a number of bytes; the rest is dropped, and that is said.
 *
 * @module
 */

import { cutToBytes } from "../text.ts";

/** Collects lines, never more than its bytes, never half a character. */
export class CappedText {
  /** Whether anything was dropped. */
  truncated = false;
  readonly #lines: string[] = [];
  readonly #limit: number;
  #used = 0;

  /** @param limit The most UTF-8 bytes to keep. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Adds a line.
   *
   * @param line The line.
   * @param bytes Its length in UTF-8.
   */
  add(line: string, bytes: number): void {
    if (this.truncated) return;
    const left = this.#limit - this.#used - (this.#lines.length > 0 ? 1 : 0);
    if (bytes <= left) {
      this.#used = this.#limit - left + bytes;
      this.#lines.push(line);
      return;
    }
    this.truncated = true;
    if (left > 0) this.#lines.push(cutToBytes(line, left));
  }

  /** Everything kept. */
  toString(): string {
    return this.#lines.join("\n");
  }
}
