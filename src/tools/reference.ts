/**
 * What a reference in a schema points to, for declarations.
 *
 * @module
 */

import { isRecord } from "../json.ts";
import { decodeToken } from "./schema/pointer.ts";

/**
 * Gives what finds the schema that a reference in `root` points to; that gives
 * `undefined` where it cannot tell. A schema below the root that has an address
 * of its own gives references another meaning inside; then it tells of none.
 */
export function resolver(
  root: Record<string, unknown>,
): (reference: string) => unknown {
  const isDraft4 = typeof root.$schema === "string" &&
    root.$schema.includes("draft-04");
  const idKeyword = isDraft4 ? "id" : "$id";
  if (Object.values(root).some((value) => hasAddress(value, idKeyword))) {
    return () => undefined;
  }
  return (reference) => {
    if (reference === "#") return root;
    return reference.startsWith("#/")
      ? follow(root, reference.slice(2))
      : anchored(root, reference, idKeyword);
  };
}

function follow(root: unknown, pointer: string): unknown {
  let at = root;
  for (const token of pointer.split("/")) {
    const key = decodeToken(token);
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) {
      return undefined;
    }
    at = Reflect.get(at, key);
  }
  return at;
}

/** Whether a schema has an address of its own, not only an anchor. */
function hasAddress(value: unknown, idKeyword: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const id = isRecord(value) ? value[idKeyword] : undefined;
  if (typeof id === "string" && !id.startsWith("#")) return true;
  return Object.values(value).some((item) => hasAddress(item, idKeyword));
}

/** The subschema with an anchor, wherever it stands. */
function anchored(
  value: unknown,
  reference: string,
  idKeyword: string,
): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (isRecord(value)) {
    const { $anchor, $dynamicAnchor } = value;
    if ([$anchor, $dynamicAnchor].some((name) => reference === `#${name}`)) {
      return value;
    }
    if (value[idKeyword] === reference) return value;
  }
  for (const item of Object.values(value)) {
    const found = anchored(item, reference, idKeyword);
    if (found !== undefined) return found;
  }
  return undefined;
}
