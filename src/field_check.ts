/**
 * Checks that every part of a configuration needs.
 *
 * @module
 */

import type { Problem } from "./failure.ts";
import { nearest } from "./nearest.ts";
import { shorten } from "./text.ts";

/** A problem at each field that is none of `known`; `prefix` ends in its dot. */
export function unknownFields(
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
  prefix: string,
  reason = `no such field; the fields are ${[...known].join(", ")}`,
): Problem[] {
  return Object.keys(value).filter((key) => !known.has(key)).map((key) => {
    const meant = namesElsewhere.get(key) ?? nearest(key, known);
    const hint = meant !== undefined && known.has(meant)
      ? `; did you mean ${meant}?`
      : "";
    return { path: `${prefix}${shorten(key, 64)}`, reason: reason + hint };
  });
}

/** What other libraries call what is named otherwise here. */
const namesElsewhere: ReadonlyMap<string, string> = new Map([
  ["system", "instructions"],
  ["systemPrompt", "instructions"],
  ["provider", "backend"],
  ["maxTokens", "maxOutputTokens"],
  ["max_tokens", "maxOutputTokens"],
  ["effort", "reasoningEffort"],
  ["inputSchema", "parameters"],
  ["input_schema", "parameters"],
  ["schema", "parameters"],
  ["execute", "run"],
  ["handler", "run"],
]);

/** Refuses what is none of `known`, and shows a text that is near to one. */
export function oneOf(
  value: unknown,
  known: readonly string[],
  path: string,
): Problem[] {
  if (typeof value === "string" && known.includes(value)) return [];
  const list = known.map((name) => `"${name}"`).join(" or ");
  // Anything else may be a secret that stands at the wrong place.
  const given = typeof value === "string" && nearest(value, known) !== undefined
    ? `, got "${shorten(value, 40)}"`
    : "";
  return [{ path, reason: `expected ${list}${given}` }];
}

/** A problem unless it is fine. */
export function unless(fine: boolean, path: string, reason: string): Problem[] {
  return fine ? [] : [{ path, reason }];
}
