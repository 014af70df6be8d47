/**
 * Text on its way out: sizes in bytes, cuts at character borders, no lone
 * surrogates.
 *
 * @module
 */

/** The size of `text` in UTF-8, in bytes. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A pair of surrogates is 4 bytes, a lone one is written as U+FFFD: 3 bytes.
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(index + 1);
      if (next >= 0xdc00 && next < 0xe000) index++;
      bytes += 2;
    } else bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}

/** The longest start of `text` that takes at most `limit` bytes in UTF-8. */
export function cutToBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  const { read } = new TextEncoder().encodeInto(
    text,
    new Uint8Array(Math.max(0, limit)),
  );
  return text.slice(0, read);
}

/** `text` on one line of at most `limit` characters, for messages. */
export function shorten(text: string, limit: number): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").toWellFormed();
  if (line.length <= limit) return line;
  return line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "") + "…";
}

/**
 * Replaces lone surrogates in JSON text. `JSON.stringify` writes them, and
 * nothing else, as `\ud…` escapes; providers refuse a body that holds one, and
 * a history that holds one is refused for ever.
 */
export function wellFormedJson(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replace(
    /\\(?:ud[89a-f][0-9a-f]{2}|.)/g,
    (escape) => escape.startsWith("\\ud") ? "\\ufffd" : escape,
  );
}
