/**
 * The validator's findings in words that a model can act on: what is wanted, and
 * what came, without repeating the input's text.
 *
 * @module
 */

import type { OutputUnit } from "@cfworker/json-schema";
import { isRecord } from "../../json.ts";
import { shorten } from "../../text.ts";
import type { InputProblem } from "./input_guard.ts";
import { itemPath, memberPath, quoteName } from "./path.ts";
import { decodeToken } from "./pointer.ts";
import type { Rewritten } from "./rewrite.ts";

/** The most problems of one input that are told. */
const maxProblems = 5;

// Findings of these keywords only say that one of a subschema's follows.
const wrappers: ReadonlySet<string> = new Set([
  "$ref",
  "$recursiveRef",
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "allOf",
  "if",
  "dependentSchemas",
  "dependencies",
]);

/** The first few problems, the most specific first. */
export function describe(
  errors: readonly OutputUnit[],
  schema: Rewritten,
  input: unknown,
): InputProblem[] {
  const leaves = errors.filter(({ keyword }) => !wrappers.has(keyword));
  const outer = leaves.filter((error) => !isInsideUnion(error, errors));
  const chosen = outer.length > 0 ? outer : leaves.length > 0 ? leaves : errors;
  const seen = new Set<string>();
  const problems: InputProblem[] = [];
  for (const error of chosen) {
    for (const problem of problemsOf(error, schema, input)) {
      const key = `${problem.path} ${problem.expected}`;
      if (seen.has(key)) continue;
      seen.add(key);
      problems.push(problem);
      if (problems.length === maxProblems) return problems;
    }
  }
  return problems;
}

/** Of a union the one line that it is not met says more than each branch's. */
function isInsideUnion(
  { keywordLocation }: OutputUnit,
  errors: readonly OutputUnit[],
): boolean {
  return errors.some((other) =>
    /^(?:anyOf|oneOf|contains)$/.test(other.keyword) &&
    keywordLocation.startsWith(`${other.keywordLocation}/`)
  );
}

function problemsOf(
  error: OutputUnit,
  schema: Rewritten,
  input: unknown,
): InputProblem[] {
  const { path, value, isItem } = locate(error.instanceLocation, input);
  const rule = ruleAt(error.keywordLocation, schema);
  if (error.keyword === "required" && Array.isArray(rule)) {
    return missingOf(rule, value).map((name) => ({
      path: memberPath(path, name),
      expected: `required property ${quoteName(name)}`,
      actual: "missing",
    }));
  }
  const refused = isItem ? "no item at this place" : unwanted(error, schema);
  return [{
    path,
    expected: error.keyword === "false"
      ? refused
      : wanted(error, rule, ruleAt(parent(error), schema)),
    actual: describeValue(value),
  }];
}

/** The required properties that an object does not have. */
function missingOf(required: readonly unknown[], value: unknown): string[] {
  return required.map(String).filter((name) =>
    !isRecord(value) || !Object.hasOwn(value, name) ||
    value[name] === undefined
  );
}

/** A property or item that the schema does not have. */
function unwanted(error: OutputUnit, schema: Rewritten): string {
  const names = error.instanceLocation.split("/");
  const name = decodeToken(names.at(-1) ?? "");
  const allowed = allowedNames(schema);
  const list = allowed.length === 0 ? "" : ` (allowed: ${allowed})`;
  return names.length > 1
    ? `no property named ${quoteName(name)}${names.length === 2 ? list : ""}`
    : "nothing";
}

function allowedNames(schema: Rewritten): string {
  if (typeof schema === "boolean" || !isRecord(schema.properties)) return "";
  return Object.keys(schema.properties).slice(0, 20)
    .map((name) => shorten(name, 64)).join(", ");
}

function parent({ keywordLocation }: OutputUnit): string {
  return keywordLocation.slice(0, keywordLocation.lastIndexOf("/"));
}

function wanted(
  { keyword }: OutputUnit,
  rule: unknown,
  schema: unknown,
): string {
  const draft4 = isRecord(schema) ? schema : {};
  switch (keyword) {
    case "type":
      return types(rule);
    case "enum":
      return Array.isArray(rule)
        ? `one of ${
          shorten(rule.map((item) => JSON.stringify(item)).join(", "), 300)
        }`
        : "one of the allowed values";
    case "const":
      return shorten(JSON.stringify(rule) ?? "the fixed value", 200);
    case "minimum":
      return draft4.exclusiveMinimum === true
        ? `a number above ${rule}`
        : `a number of at least ${rule}`;
    case "maximum":
      return draft4.exclusiveMaximum === true
        ? `a number below ${rule}`
        : `a number of at most ${rule}`;
    case "exclusiveMinimum":
      return `a number above ${rule}`;
    case "exclusiveMaximum":
      return `a number below ${rule}`;
    case "multipleOf":
      return `a multiple of ${rule}`;
    case "minLength":
      return `a string of at least ${rule} characters`;
    case "maxLength":
      return `a string of at most ${rule} characters`;
    case "pattern":
      return `a string matching ${shorten(String(rule), 200)}`;
    case "minItems":
      return `at least ${rule} items`;
    case "maxItems":
      return `at most ${rule} items`;
    case "uniqueItems":
      return "items that differ from one another";
    case "minProperties":
      return `at least ${rule} properties`;
    case "maxProperties":
      return `at most ${rule} properties`;
    case "anyOf":
      return alternatives(rule, "one of");
    case "oneOf":
      return alternatives(rule, "exactly one of");
    case "not":
      return "a value that does not fit the schema under not";
    case "contains":
    case "minContains":
    case "maxContains":
      return "an array with the wanted number of fitting items";
    case "dependentRequired":
    case "dependencies":
      return "the properties that others of it require";
    case "propertyNames":
      return "property names that fit their schema";
    default:
      return `what "${shorten(keyword, 64)}" asks for`;
  }
}

/** The alternatives in a few words each. */
function alternatives(rule: unknown, count: string): string {
  const parts = (Array.isArray(rule) ? rule : []).map(brief);
  return `${count} these: ${shorten(parts.join("; "), 300)}`;
}

function brief(schema: unknown): string {
  if (!isRecord(schema)) return schema === true ? "anything" : "nothing";
  if ("const" in schema) return shorten(JSON.stringify(schema.const), 60);
  if (Array.isArray(schema.enum)) {
    return schema.enum.map((item) => JSON.stringify(item)).join(" or ");
  }
  const required = Array.isArray(schema.required) && schema.required.length > 0
    ? ` with ${schema.required.slice(0, 6).join(", ")}`
    : "";
  if (schema.type !== undefined) return types(schema.type) + required;
  return required === "" ? "a value of another schema" : `an object${required}`;
}

function types(rule: unknown): string {
  const names = Array.isArray(rule) ? rule : [rule];
  return names.map((name) =>
    name === "null"
      ? "null"
      : `${/^[aeio]/.test(String(name)) ? "an" : "a"} ${name}`
  ).join(" or ");
}

/** What came: its type and size. Numbers, booleans and null are shown. */
function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `a string of ${codePoints(value)} characters`;
    case "number":
      return `the number ${value}`;
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value)
        ? `an array of ${value.length} items`
        : `an object with ${Object.keys(value).length} properties`;
    default:
      return value === undefined ? "missing" : `a ${typeof value}`;
  }
}

/** The length as schemas count it: in code points. */
function codePoints(text: string): number {
  return text.length -
    (text.match(/[\ud800-\udbff][\udc00-\udfff]/g) ?? []).length;
}

/** The path and the value that the validator's pointer means. */
function locate(
  pointer: string,
  input: unknown,
): {
  readonly path: string;
  readonly value: unknown;
  readonly isItem: boolean;
} {
  let value = input;
  let path = "input";
  let isItem = false;
  for (const token of pointer.split("/").slice(1)) {
    const name = decodeToken(token);
    isItem = Array.isArray(value);
    if (Array.isArray(value)) {
      path = itemPath(path, Number(name));
      value = value[Number(name)];
    } else {
      path = memberPath(path, name);
      value = isRecord(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined;
    }
  }
  return { path, value, isItem };
}

/** The keyword's value, found by following the validator's own way there. */
function ruleAt(pointer: string, schema: Rewritten): unknown {
  let at: unknown = schema;
  for (const token of pointer.split("/").slice(1)) {
    const name = decodeToken(token);
    if (name === "$ref" && isRecord(at) && typeof at.$ref === "string") {
      at = target(at.$ref, schema);
    } else if (Array.isArray(at)) at = at[Number(name)];
    else at = isRecord(at) ? Reflect.get(at, name) : undefined;
  }
  return at;
}

function target(reference: string, schema: Rewritten): unknown {
  if (reference === "#" || typeof schema === "boolean") return schema;
  const name = reference.slice("#/$defs/".length);
  return isRecord(schema.$defs) ? schema.$defs[name] : undefined;
}
