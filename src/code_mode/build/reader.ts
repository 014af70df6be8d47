/**
 * Reads a WebAssembly module's bytes, never beyond a given end.
 *
 * @module
 */

import { hex, MeterError } from "./meter_error.ts";

/** A cursor over a stretch of a module. */
export class Reader {
  /** The offset of the next byte, from the module's start. */
  at: number;
  readonly #bytes: Uint8Array;
  readonly #end: number;

  /** Reads from `start` until `end`, offsets into the module. */
  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.at = start;
    this.#end = end;
  }

  /** Whether everything has been read. */
  get isDone(): boolean {
    return this.at === this.#end;
  }

  /** Reads one byte. */
  byte(): number {
    const value = this.at < this.#end ? this.#bytes[this.at] : undefined;
    if (value === undefined) throw new MeterError("Unexpected end", this.at);
    this.at++;
    return value;
  }

  /** Reads an unsigned 32-bit LEB128, padded ones included. */
  u32(): number {
    const start = this.at;
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value < 2 ** 32) return value;
        break;
      }
    }
    throw new MeterError("A number does not fit 32 bits", start);
  }

  /** Passes over a signed LEB128 of at most so many bytes; tells if it is negative. */
  skipSigned(maximumBytes: number): boolean {
    const start = this.at;
    for (let count = 0; count < maximumBytes; count++) {
      const byte = this.byte();
      if (byte < 0x80) return byte >= 0x40;
    }
    throw new MeterError(`A number is over ${maximumBytes} bytes long`, start);
  }

  /** Passes over bytes. */
  skip(count: number): void {
    if (count > this.#end - this.at) {
      throw new MeterError(`Unexpected end within ${count} bytes`, this.at);
    }
    this.at += count;
  }

  /** Reads a byte that must have one value. */
  expect(expected: number, what: string): void {
    const value = this.byte();
    if (value !== expected) {
      throw new MeterError(`Unknown ${what} ${hex(value)}`, this.at - 1);
    }
  }

  /** Reads a name. */
  name(): string {
    const length = this.u32();
    const start = this.at;
    this.skip(length);
    try {
      return utf8.decode(this.#bytes.subarray(start, this.at));
    } catch {
      throw new MeterError("A name is not UTF-8", start);
    }
  }

  /** Takes a length, and gives a reader of so many bytes, which are passed over. */
  sized(): Reader {
    const length = this.u32();
    const start = this.at;
    this.skip(length);
    return new Reader(this.#bytes, start, this.at);
  }

  /** Demands that everything has been read. */
  finish(what: string): void {
    if (!this.isDone) throw new MeterError(`${what} is too long`, this.at);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
