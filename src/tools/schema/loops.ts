/**
 * References that lead back to where they started without going into the input:
 * to follow them would never end.
 *
 * @module
 */

import { isRecord, type Json, type JsonObject } from "../../json.ts";
import { type Draft, refHidesSiblings } from "./draft.ts";
import { type Places, resolve } from "./locate.ts";
import type { ProblemList } from "./plain_copy.ts";

const inPlace = ["not", "if", "then", "else"];
const inPlaceLists = ["allOf", "anyOf", "oneOf"];

/** Reports the schemas that apply to the same value again and again. */
export function findLoops(
  places: Places,
  draft: Draft,
  list: ProblemList,
): void {
  const done = new Set<JsonObject>();
  for (const start of places.all.keys()) {
    const above = new Set<JsonObject>();
    visit(start, above);
  }

  function visit(schema: JsonObject, above: Set<JsonObject>): void {
    if (done.has(schema)) return;
    above.add(schema);
    for (const next of successors(schema, draft, places)) {
      if (!above.has(next)) visit(next, above);
      else {
        const path = places.all.get(next)?.path ?? "";
        list.add(
          path,
          "its references lead back to it without looking deeper into the input, which never ends",
        );
      }
    }
    above.delete(schema);
    done.add(schema);
  }
}

/** The schemas that apply to the same value as this one. */
function successors(
  schema: JsonObject,
  draft: Draft,
  places: Places,
): JsonObject[] {
  const found: Json[] = [];
  for (const keyword of ["$ref", "$recursiveRef", "$dynamicRef"]) {
    const reference = schema[keyword];
    if (typeof reference !== "string") continue;
    const base = places.all.get(schema)?.base ?? "";
    const target = resolve(reference, base, places)?.schema;
    if (target !== undefined) found.push(target);
  }
  if (found.length === 0 || !refHidesSiblings(draft)) {
    for (const keyword of inPlace) found.push(schema[keyword] ?? null);
    for (const keyword of inPlaceLists) {
      const parts = schema[keyword];
      if (Array.isArray(parts)) found.push(...parts);
    }
    for (const keyword of ["dependentSchemas", "dependencies"]) {
      const parts = schema[keyword];
      if (isRecord(parts)) found.push(...Object.values(parts));
    }
  }
  return found.filter((one): one is JsonObject =>
    isRecord(one) && places.all.has(one)
  );
}
