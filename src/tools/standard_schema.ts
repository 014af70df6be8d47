/**
 * Schemas of schema libraries, through the two interfaces that the libraries
 * agreed on: Standard JSON Schema (what to tell the model) and Standard Schema
 * (how to judge and parse what it sends). See https://standardschema.dev.
 *
 * @module
 */

import { isRecord } from "../json.ts";
import { shorten } from "../text.ts";
import { itemPath, memberPath } from "./schema/path.ts";

/** An input parsed by a schema library, or the first few reasons against it. */
export type StandardResult =
  | { readonly tag: "accepted"; readonly value: unknown }
  | { readonly tag: "refused"; readonly reasons: readonly string[] };

/** A schema library's schema, as a tool uses it. */
export type StandardSchema = {
  /** The schema as JSON Schema; throws what the library throws. */
  readonly toJsonSchema: () => unknown;
  /** Judges and parses an input, where the library can. */
  readonly parse?: (input: unknown) => Promise<StandardResult>;
};

/** A schema object's standard properties; `undefined` where it has none. */
export function standardSchemaOf(value: unknown): StandardSchema | undefined {
  if (!isObjectLike(value) || !("~standard" in value)) return undefined;
  const standard = value["~standard"];
  if (!isRecord(standard)) return undefined;
  const { jsonSchema, validate } = standard;
  return {
    toJsonSchema: () => convert(jsonSchema),
    ...(typeof validate === "function"
      ? {
        parse: async (input) =>
          read(await Reflect.apply(validate, standard, [input])),
      }
      : {}),
  };
}

/** ArkType's schemas are functions. */
function isObjectLike(value: unknown): value is object {
  return typeof value === "object" && value !== null ||
    typeof value === "function";
}

function convert(converter: unknown): unknown {
  if (!isRecord(converter) || typeof converter.input !== "function") {
    throw new TypeError(
      'the schema cannot say itself as JSON Schema: "~standard.jsonSchema" is missing. Zod has it since 4.2 and ArkType since 2.1.28; Valibot needs toStandardJsonSchema of @valibot/to-json-schema',
    );
  }
  const { input } = converter;
  const inputSchema = (target: string): unknown =>
    Reflect.apply(input, converter, [{ target }]);
  try {
    return inputSchema("draft-2020-12");
  } catch (first) {
    try {
      return inputSchema("draft-07");
    } catch {
      throw first;
    }
  }
}

function read(result: unknown): StandardResult {
  // ArkType's failures are arrays that have issues.
  if (typeof result !== "object" || result === null) {
    throw new TypeError("the schema's validate gave no result");
  }
  const issues: unknown = Reflect.get(result, "issues");
  if (issues === undefined) {
    return { tag: "accepted", value: Reflect.get(result, "value") };
  }
  const reasons = Array.isArray(issues)
    ? issues.slice(0, maxReasons).map(reasonOf)
    : [];
  return {
    tag: "refused",
    reasons: reasons.length > 0 ? reasons : ["input: refused"],
  };
}

const maxReasons = 5;

function reasonOf(issue: unknown): string {
  const { message, path } = isRecord(issue) ? issue : {};
  const place = (Array.isArray(path) ? path : []).reduce<string>(
    (base, segment) => step(base, isRecord(segment) ? segment.key : segment),
    "input",
  );
  const told = typeof message === "string" && message.trim() !== ""
    ? shorten(message, 300)
    : "refused";
  return `${place}: ${told}`;
}

function step(base: string, key: unknown): string {
  return typeof key === "number"
    ? itemPath(base, key)
    : memberPath(base, String(key));
}
