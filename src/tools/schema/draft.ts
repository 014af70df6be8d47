/**
 * The drafts of JSON Schema, and how a schema says which one it follows.
 *
 * @module
 */

import type { Json } from "../../json.ts";
import { isRecord } from "../../json.ts";

/** A draft by its short name. Draft 6 is judged as draft 7. */
export type Draft = "4" | "7" | "2019-09" | "2020-12";

/** What a schema follows that does not say. */
const defaultDraft: Draft = "2020-12";

const drafts: ReadonlyMap<string, Draft> = new Map([
  ["json-schema.org/draft-04/schema", "4"],
  ["json-schema.org/draft-06/schema", "7"],
  ["json-schema.org/draft-07/schema", "7"],
  ["json-schema.org/draft/2019-09/schema", "2019-09"],
  ["json-schema.org/draft/2020-12/schema", "2020-12"],
]);

/** The draft that a `$schema` names, or `undefined` where it names none of them. */
export function draftNamed(name: Json): Draft | undefined {
  if (typeof name !== "string") return undefined;
  return drafts.get(name.replace(/^https?:\/\//, "").replace(/#$/, ""));
}

/** The draft of a schema; `undefined` where its `$schema` is unknown. */
export function draftOf(schema: Json): Draft | undefined {
  if (!isRecord(schema) || !("$schema" in schema)) return defaultDraft;
  return draftNamed(schema.$schema);
}

/** In drafts 4 to 7, a `$ref` hides every keyword beside it. */
export function refHidesSiblings(draft: Draft): boolean {
  return draft === "4" || draft === "7";
}
