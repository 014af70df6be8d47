/**
 * JSON as the runtime needs it: its types, parsing of text from outside, copies.
 * `json_encode.ts` writes it.
 *
 * @module
 */

import { whereMalformed } from "./json_place.ts";

/** A value that JSON can carry. */
export type Json =
  | null
  | boolean
  | number
  | string
  | Json[]
  | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** Whether `value` is an object with string keys (no array, not `null`). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** The text parsed, or why it is not JSON; never throws. */
export type Parsed =
  | { readonly tag: "parsed"; readonly value: Json }
  | { readonly tag: "malformed"; readonly reason: string };

/** How many levels data may nest. Far below what overflows any engine's stack. */
export const maxDepth = 512;

/**
 * Parses JSON text. The reason of a refusal says where, and does not repeat
 * the text: it may hold secrets.
 */
export function parseJson(text: string): Parsed {
  try {
    const value: Json = JSON.parse(text);
    return { tag: "parsed", value };
  } catch {
    return { tag: "malformed", reason: whereMalformed(text) };
  }
}

/**
 * Parses what a model or a provider wrote. As {@link parseJson}, but text that
 * nests more than {@link maxDepth} levels is refused: engines parse it, and then
 * overflow when they copy or write it.
 */
export function parseBounded(text: string): Parsed {
  const parsed = parseJson(text);
  // Each level takes two characters, so shorter text needs no walk.
  return parsed.tag === "parsed" && text.length > 2 * maxDepth &&
      isDeeper(parsed.value, maxDepth)
    ? { tag: "malformed", reason: `it nests more than ${maxDepth} levels` }
    : parsed;
}

/** Whether a value nests more than `levels` levels. */
export function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeper(item, levels - 1));
}

/**
 * A deep copy of JSON data, so that a change of one is not seen in the other.
 * Own `__proto__` keys stay own data. Written out: on ordinary inputs it takes a
 * tenth of the time of `structuredClone`.
 */
export function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = copyJson(value[key] ?? null);
    if (key !== "__proto__") copy[key] = item;
    else {
      Object.defineProperty(copy, key, {
        value: item,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return copy;
}
