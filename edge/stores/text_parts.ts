/**
 * Long text in parts that fit a database's values.
 *
 * @module
 */

/** The text as UTF-8, in parts of at most `size` bytes; at least one. */
export function toParts(text: string, size: number): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const parts = [bytes.subarray(0, size)];
  for (let at = size; at < bytes.length; at += size) {
    parts.push(bytes.subarray(at, at + size));
  }
  return parts;
}

/** The text of parts in their order. */
export function fromParts(parts: readonly Uint8Array[]): string {
  // A character may stand on both sides of a border.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const texts = parts.map((part) => decoder.decode(part, { stream: true }));
  return texts.join("") + decoder.decode();
}
