/**
 * Where a session is in Deno KV: its head, its documents, and the parts of large
 * ones.
 *
 * @module
 */

const namespace = "nanocode";

/** What the keys of all heads begin with. */
export const headsPrefix: Deno.KvKey = [namespace, "head"];

/** Where a session's head is. */
export function headKey(session: string): Deno.KvKey {
  return [...headsPrefix, session];
}

/** What the keys of all documents of a session begin with. */
export function documentsPrefix(session: string): Deno.KvKey {
  return [namespace, "document", session];
}

/** Where a document is, or what points to its parts. */
export function documentKey(session: string, name: string): Deno.KvKey {
  return [...documentsPrefix(session), name];
}

/** What the keys of all parts of a session begin with. */
export function partsPrefix(session: string): Deno.KvKey {
  return [namespace, "part", session];
}

/** Where part number `index` of the parts called `at` is. */
export function partKey(
  session: string,
  at: string,
  index: number,
): Deno.KvKey {
  return [...partsPrefix(session), at, index];
}

/** What stands in a head's place while its session is being deleted. */
export const mark = new Uint8Array();

/** Whether a head's value is the mark. */
export function isMark(value: unknown): boolean {
  return value instanceof Uint8Array && value.length === 0;
}
