/**
 * The keywords of each draft that a verdict depends on, and the values they may
 * have. A keyword with another value has no meaning, so its schema is refused.
 *
 * @module
 */

import type { Json } from "../../json.ts";
import { isRecord } from "../../json.ts";
import type { Draft } from "./draft.ts";

/** What a keyword's value is made of. */
export type Shape =
  | "schema"
  | "schemas"
  | "schema map"
  | "schema or schemas"
  | "dependencies"
  | "schema or boolean"
  | "any"
  | "array"
  | "boolean"
  | "types"
  | "name"
  | "names"
  | "name map"
  | "text"
  | "count"
  | "number"
  | "positive number";

const all: readonly Draft[] = ["4", "7", "2019-09", "2020-12"];
const since7: readonly Draft[] = ["7", "2019-09", "2020-12"];
const since2019: readonly Draft[] = ["2019-09", "2020-12"];

type Row = readonly [drafts: readonly Draft[], shape: Shape];

const table: Readonly<Record<string, Row>> = {
  $ref: [all, "text"],
  $anchor: [since2019, "name"],
  $recursiveRef: [["2019-09"], "text"],
  $recursiveAnchor: [["2019-09"], "boolean"],
  $dynamicRef: [["2020-12"], "text"],
  $dynamicAnchor: [["2020-12"], "name"],
  // `$defs` is no keyword of drafts 4 and 7, but many write it there, and a
  // `$ref` may point to any place.
  $defs: [all, "schema map"],
  definitions: [all, "schema map"],
  type: [all, "types"],
  enum: [all, "array"],
  const: [since7, "any"],
  multipleOf: [all, "positive number"],
  maximum: [all, "number"],
  minimum: [all, "number"],
  maxLength: [all, "count"],
  minLength: [all, "count"],
  pattern: [all, "text"],
  prefixItems: [["2020-12"], "schemas"],
  additionalItems: [["4", "7", "2019-09"], "schema or boolean"],
  contains: [since7, "schema"],
  minContains: [since2019, "count"],
  maxContains: [since2019, "count"],
  unevaluatedItems: [since2019, "schema"],
  maxItems: [all, "count"],
  minItems: [all, "count"],
  uniqueItems: [all, "boolean"],
  maxProperties: [all, "count"],
  minProperties: [all, "count"],
  required: [all, "names"],
  properties: [all, "schema map"],
  patternProperties: [all, "schema map"],
  additionalProperties: [all, "schema or boolean"],
  unevaluatedProperties: [since2019, "schema"],
  propertyNames: [since7, "schema"],
  dependencies: [["4", "7"], "dependencies"],
  dependentRequired: [since2019, "name map"],
  dependentSchemas: [since2019, "schema map"],
  allOf: [all, "schemas"],
  anyOf: [all, "schemas"],
  oneOf: [all, "schemas"],
  not: [all, "schema"],
  if: [since7, "schema"],
  then: [since7, "schema"],
  else: [since7, "schema"],
  contentSchema: [since2019, "schema"],
};

const byDraft: Readonly<Record<Draft, Readonly<Record<string, Shape>>>> = {
  "4": { items: "schema or schemas", ...exclusive("boolean") },
  "7": { items: "schema or schemas", ...exclusive("number") },
  "2019-09": { items: "schema or schemas", ...exclusive("number") },
  "2020-12": { items: "schema", ...exclusive("number") },
};

function exclusive(shape: Shape): Record<string, Shape> {
  return { exclusiveMaximum: shape, exclusiveMinimum: shape };
}

/** What a keyword is in a draft. */
export type KeywordUse =
  | { readonly tag: "known"; readonly shape: Shape }
  /** No keyword of the draft: it has no effect, as the drafts say. */
  | { readonly tag: "unknown" };

/** What a keyword is in a draft. */
export function keywordUse(keyword: string, draft: Draft): KeywordUse {
  const own = byDraft[draft];
  if (Object.hasOwn(own, keyword)) {
    return known(own[keyword]);
  }
  const row = Object.hasOwn(table, keyword) ? table[keyword] : undefined;
  if (row === undefined) return { tag: "unknown" };
  const [drafts, shape] = row;
  return drafts.includes(draft) ? known(shape) : { tag: "unknown" };
}

function known(shape: Shape | undefined): KeywordUse {
  return shape === undefined ? { tag: "unknown" } : { tag: "known", shape };
}

/** The names that `type` may give. */
const typeNames: readonly string[] = [
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
];

/**
 * What is wrong with a keyword's value, in words; `undefined` where it is
 * fine. Schemas inside it are not looked at.
 */
export function malformed(value: Json, shape: Shape): string | undefined {
  return isShape(value, shape) ? undefined : `expected ${words[shape]}`;
}

function isShape(value: Json, shape: Shape): boolean {
  switch (shape) {
    case "any":
      return true;
    case "schema":
    case "schema or boolean":
      return isSchema(value);
    case "schemas":
      return Array.isArray(value) && value.length > 0;
    case "schema or schemas":
      return isSchema(value) || Array.isArray(value);
    case "schema map":
      return isRecord(value);
    case "dependencies":
      return isRecord(value) &&
        Object.values(value).every((item) => isSchema(item) || isNames(item));
    case "array":
      return Array.isArray(value);
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "name":
      return typeof value === "string" && /^[A-Za-z_][-\w.:]*$/.test(value);
    case "names":
      return isNames(value);
    case "name map":
      return isRecord(value) && Object.values(value).every(isNames);
    case "count":
      return Number.isInteger(value) && Number(value) >= 0;
    case "number":
      return typeof value === "number";
    case "positive number":
      return typeof value === "number" && value > 0;
    case "types":
      return isTypes(value);
  }
}

const words: Readonly<Record<Shape, string>> = {
  any: "any value",
  schema: "a schema (an object or a boolean)",
  "schema or boolean": "a schema (an object or a boolean)",
  schemas: "a non-empty array of schemas",
  "schema or schemas": "a schema or an array of schemas",
  "schema map": "an object of schemas",
  dependencies: "an object of schemas and arrays of property names",
  array: "an array of values",
  boolean: "true or false",
  text: "a string",
  name: "a name of letters, digits and -_.: that starts with a letter or _",
  names: "an array of property names",
  "name map": "an object of arrays of property names",
  count: "a whole number, 0 or more",
  number: "a number",
  "positive number": "a number above 0",
  types: `one or more of ${typeNames.join(", ")}`,
};

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isRecord(value);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) &&
    value.every((name) => typeof name === "string");
}

function isTypes(value: Json): boolean {
  if (!Array.isArray(value)) return isType(value);
  return value.length > 0 && value.every(isType);
}

function isType(value: Json): boolean {
  return typeof value === "string" && typeNames.includes(value);
}
