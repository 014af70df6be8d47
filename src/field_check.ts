/**
 * Checks that every part of a configuration needs.
 *
 * @module
 */

import type { Problem } from "./failure.ts";
import { shorten } from "./text.ts";

/** A problem at each field that is none of `known`; `prefix` ends in its dot. */
export function unknownFields(
  value: Record<string, unknown>,
  known: ReadonlySet<string>,
  prefix: string,
  reason = `no such field; the fields are ${[...known].join(", ")}`,
): Problem[] {
  return Object.keys(value).filter((key) => !known.has(key)).map((key) => ({
    path: `${prefix}${shorten(key, 64)}`,
    reason,
  }));
}

/** A problem unless it is fine. */
export function unless(fine: boolean, path: string, reason: string): Problem[] {
  return fine ? [] : [{ path, reason }];
}
