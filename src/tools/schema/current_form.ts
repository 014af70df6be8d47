/**
 * A schema of an older draft, in the words of draft 2020-12.
 *
 * That draft is what providers check tools' schemas by: one that breaks it, as
 * draft 4's `"exclusiveMinimum": true` does, costs the whole request. The host's
 * own schema is what judges inputs; this form of it is only what a model reads.
 *
 * @module
 */

import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { type Draft, draftOf, refHidesSiblings } from "./draft.ts";
import { keywordUse } from "./keywords.ts";

/** The schema in the words of draft 2020-12; itself where it is of that draft. */
export function toCurrentForm(schema: JsonObject): JsonObject {
  const draft = draftOf(schema);
  return draft === undefined || draft === "2020-12"
    ? schema
    : rewritten(schema, draft);
}

function rewritten(schema: JsonObject, draft: Draft): JsonObject {
  const out: JsonObject = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => counts(schema, keyword, draft))
      .map(([keyword, value]) => [keyword, inside(keyword, value, draft)]),
  );
  if (draft === "4") giveBounds(out);
  if (refHidesSiblings(draft)) giveDependents(out);
  giveItems(out);
  giveNames(out, draft);
  return out;
}

/** Whether the keyword is one, and not hidden by a `$ref` beside it. */
function counts(schema: JsonObject, keyword: string, draft: Draft): boolean {
  if (keyword === "$schema") return false;
  const hidden = refHidesSiblings(draft) && Object.hasOwn(schema, "$ref");
  if (!hidden || /^(?:\$ref|\$defs|definitions)$/.test(keyword)) return true;
  return !/^\$?id$/.test(keyword) &&
    keywordUse(keyword, draft).tag === "unknown";
}

/** The keyword's value, with what schemas it holds rewritten. */
function inside(keyword: string, value: Json, draft: Draft): Json {
  const use = keywordUse(keyword, draft);
  if (use.tag !== "known") return value;
  const sub = (item: Json): Json =>
    isJsonObject(item) ? rewritten(item, draft) : item;
  switch (use.shape) {
    case "schema map":
    case "dependencies":
      return isJsonObject(value)
        ? Object.fromEntries(
          Object.entries(value).map(([key, item]) => [key, sub(item)]),
        )
        : value;
    case "schema":
    case "schemas":
    case "schema or schemas":
    case "schema or boolean":
      return Array.isArray(value) ? value.map(sub) : sub(value);
    default:
      return value;
  }
}

/** Draft 4 says with `true` that the bound beside it is an exclusive one. */
function giveBounds(schema: JsonObject): void {
  for (
    const [exclusive, bound] of [
      ["exclusiveMinimum", "minimum"],
      ["exclusiveMaximum", "maximum"],
    ] as const
  ) {
    const value = schema[bound];
    const isExclusive = schema[exclusive] === true && value !== undefined;
    delete schema[exclusive];
    if (!isExclusive) continue;
    schema[exclusive] = value;
    delete schema[bound];
  }
}

/** `dependencies` is two keywords now, by what it names. */
function giveDependents(schema: JsonObject): void {
  const { dependencies } = schema;
  if (dependencies === undefined || !isJsonObject(dependencies)) return;
  delete schema.dependencies;
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => !Array.isArray(value));
  if (names.length > 0) schema.dependentRequired = Object.fromEntries(names);
  if (schemas.length > 0) schema.dependentSchemas = Object.fromEntries(schemas);
}

/** A tuple's items now stand under `prefixItems`, those after it under `items`. */
function giveItems(schema: JsonObject): void {
  const { items, additionalItems } = schema;
  delete schema.additionalItems;
  if (!Array.isArray(items)) return;
  delete schema.items;
  if (items.length > 0) schema.prefixItems = items;
  if (additionalItems !== undefined) schema.items = additionalItems;
}

/** Ids, and references into what has moved. */
function giveNames(schema: JsonObject, draft: Draft): void {
  const old = draft === "4" ? "id" : "$id";
  const id = schema[old];
  if (typeof id === "string" && (draft === "4" || id.startsWith("#"))) {
    delete schema[old];
    schema[id.startsWith("#") ? "$anchor" : "$id"] = id.replace(/^#|#$/g, "");
  }
  if (draft === "2019-09" && typeof schema.$recursiveRef === "string") {
    schema.$ref ??= schema.$recursiveRef;
    delete schema.$recursiveRef;
  }
  delete schema.$recursiveAnchor;
  if (typeof schema.$ref === "string") {
    schema.$ref = schema.$ref.replace(
      /\/items\/(?=\d+(?:\/|$))/g,
      "/prefixItems/",
    )
      .replace(movedItems, "/items");
  }
}

/** The keyword in a pointer, not a property of its name. */
const movedItems =
  /(?<!\/(?:properties|patternProperties|definitions|\$defs|dependencies|dependentSchemas))\/additionalItems(?=\/|$)/g;
