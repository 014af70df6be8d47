/**
 * Encodes what a host's tool gave back as JSON, or says why that cannot be.
 *
 * @module
 */

import { maxDepth } from "./json.ts";
import { shorten } from "./text.ts";

// The longest path that a reason shows, in characters.
const maxPath = 400;

/** A value as JSON text, or why JSON cannot carry it; never throws. */
export type Encoded =
  | { readonly tag: "encoded"; readonly text: string }
  | { readonly tag: "refused"; readonly reason: string };

/**
 * Encodes what a host's tool gave back. `undefined` becomes `null`, also in a
 * list; a missing or undefined property is left out, as is what stands under a
 * symbol or beside a list's items; `toJSON` is used where there is one. What else
 * JSON would drop or change without a word is refused with its path: BigInt,
 * NaN and infinities, functions, symbols, cycles, invalid dates, and objects
 * that are no plain data (Map, Set, Promise, Response, ArrayBuffer, Error, …).
 */
export function encodeJson(value: unknown, root = "result"): Encoded {
  if (value === undefined) return { tag: "encoded", text: "null" };
  try {
    const fault = faultOf(value, "", new Set());
    if (fault !== undefined) {
      const reason = `${root}${endOfPath(fault.path)} ${fault.what}`;
      return { tag: "refused", reason };
    }
    const text = JSON.stringify(value);
    if (typeof text === "string") return { tag: "encoded", text };
    return { tag: "refused", reason: `${root} has no JSON form` };
  } catch (error) {
    const why = error instanceof RangeError ? "is too large" : "cannot be read";
    return { tag: "refused", reason: `${root} ${why}` };
  }
}

/** What JSON cannot carry, and where it stands below the value looked at. */
type Fault = { readonly path: string; readonly what: string };

function faultOf(
  value: unknown,
  key: string | number,
  above: Set<object>,
): Fault | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "undefined":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : here(`is ${value}`);
    case "object":
      return value === null ? undefined : objectFault(value, key, above);
    default:
      return here(`is a ${typeof value}`);
  }
}

function here(what: string): Fault {
  return { path: "", what };
}

function objectFault(
  value: object,
  key: string | number,
  above: Set<object>,
): Fault | undefined {
  if (above.has(value)) return here("is a cycle");
  if (above.size >= maxDepth) return here(`nests more than ${maxDepth} levels`);
  let form: unknown = value;
  try {
    if ("toJSON" in value && typeof value.toJSON === "function") {
      if (value instanceof Date && Number.isNaN(value.getTime())) {
        return here("is an invalid Date");
      }
      form = value.toJSON(String(key));
    }
  } catch {
    return here("cannot be read: its toJSON threw");
  }
  above.add(value);
  // Whatever `toJSON` gave is taken as it is: JSON asks it once only.
  const fault = typeof form === "object" && form !== null
    ? contentFault(form, above)
    : faultOf(form, key, above);
  above.delete(value);
  return fault;
}

function contentFault(value: object, above: Set<object>): Fault | undefined {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const fault = itemFault(value, index, above);
      if (fault === undefined) continue;
      return { ...fault, path: `[${index}]${fault.path}` };
    }
    return undefined;
  }
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag !== "Object") {
    const article = /^[AEIO]/.test(tag) ? "an" : "a";
    return here(`is ${article} ${shorten(tag, 64)}; give plain data instead`);
  }
  for (const key of Object.keys(value)) {
    const fault = itemFault(value, key, above);
    if (fault === undefined) continue;
    return { ...fault, path: `.${shorten(key, 64)}${fault.path}` };
  }
  return undefined;
}

function itemFault(
  value: object,
  key: string | number,
  above: Set<object>,
): Fault | undefined {
  let item: unknown;
  try {
    item = Reflect.get(value, key);
  } catch {
    return here("cannot be read: its getter threw");
  }
  return faultOf(item, key, above);
}

/** The end of a long path says more than its start. */
function endOfPath(path: string): string {
  return path.length <= maxPath
    ? path
    : `…${path.slice(-maxPath).toWellFormed()}`;
}
