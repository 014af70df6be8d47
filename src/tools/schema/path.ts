/**
 * Paths as people write them: `input.items[3].key`, `input["a-b"]`.
 *
 * @module
 */

import { shorten } from "../../text.ts";

const plainName = /^[A-Za-z_$][\w$]{0,63}$/;
const maxName = 64;
const maxPath = 400;

/** The path of a member of the object at `base`. */
export function memberPath(base: string, key: string): string {
  return cut(
    plainName.test(key) ? `${base}.${key}` : `${base}[${quoteName(key)}]`,
  );
}

/** The path of an item of the array at `base`. */
export function itemPath(base: string, index: number): string {
  return cut(`${base}[${index}]`);
}

/** A name in quotes, at most 64 characters of it. */
export function quoteName(name: string): string {
  return JSON.stringify(shorten(name, maxName));
}

/** The end of a long path says more than its start. */
function cut(path: string): string {
  if (path.length <= maxPath) return path;
  return "…" + path.slice(1 - maxPath).toWellFormed();
}
