/**
 * Puts a WebAssembly module's bytes together.
 *
 * @module
 */

/** Encodes an unsigned 32-bit integer as LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push(rest % 0x80 | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return bytes;
}

/** Encodes a signed 32-bit integer as LEB128. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest < -0x40 || rest > 0x3f) {
    bytes.push(rest & 0x7f | 0x80);
    rest >>= 7;
  }
  bytes.push(rest & 0x7f);
  return bytes;
}

/** Encodes a name: its length, and its bytes in UTF-8. */
export function named(name: string): number[] {
  const bytes = new TextEncoder().encode(name);
  return [...unsigned(bytes.length), ...bytes];
}

/** Bytes in pieces, joined when they are asked for. */
export class Writer {
  readonly #pieces: Uint8Array[] = [];
  #length = 0;

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  /** Adds bytes. */
  push(bytes: Uint8Array | readonly number[]): void {
    const piece = bytes instanceof Uint8Array ? bytes : Uint8Array.from(bytes);
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** Adds the length of other bytes, and the bytes. */
  pushSized(other: Writer): void {
    this.push(unsigned(other.length));
    for (const piece of other.#pieces) this.push(piece);
  }

  /** Gives everything as one array. */
  join(): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }
}
