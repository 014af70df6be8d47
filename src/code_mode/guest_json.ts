/**
 * JSON text that came from a guest: parsed, well-formed, and not too deep.
 *
 * @module
 */

import { isRecord } from "../json.ts";
import { longest } from "./protocol.ts";

/** A JSON text and its value. */
export type GuestJson = { readonly text: string; readonly value: unknown };

/**
 * Parses a JSON text; `undefined` when it is none, or nests deeper than the
 * protocol allows. Lone surrogates, in keys too, become U+FFFD.
 */
export function parseGuestJson(text: string): GuestJson | undefined {
  if (!isShallow(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // The engine escapes lone surrogates only, so most texts need no second look.
    if (!/\\ud/i.test(text)) return { text, value };
    const mended = wellFormed(value);
    return { text: JSON.stringify(mended), value: mended };
  } catch {
    return undefined;
  }
}

function isShallow(text: string): boolean {
  if (text.length <= longest.depth) return true;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (quoted) {
      if (unit === 0x5c) i++;
      else if (unit === 0x22) quoted = false;
    } else if (unit === 0x22) quoted = true;
    else if (unit === 0x5b || unit === 0x7b) {
      if (++depth > longest.depth) return false;
    } else if (unit === 0x5d || unit === 0x7d) depth--;
  }
  return true;
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (!isRecord(value)) return value;
  // `fromEntries` defines, so a key named __proto__ stays plain data.
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key.toWellFormed(),
      wellFormed(entry),
    ]),
  );
}
