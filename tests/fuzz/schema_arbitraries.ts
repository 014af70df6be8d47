/**
 * Random JSON Schemas, and random inputs that have to do with them.
 *
 * @module
 */

import fc from "fast-check";
import type { Json, JsonObject } from "../../src/json.ts";

/** The drafts that both validators know. */
export type FuzzedDraft = "7" | "2020-12";

/** What `$schema` names. */
export const dialects: Readonly<Record<FuzzedDraft, string>> = {
  "7": "http://json-schema.org/draft-07/schema#",
  "2020-12": "https://json-schema.org/draft/2020-12/schema",
};

const names = fc.constantFrom("a", "b", "ab", "0", "", "é", "a b");
const required = fc.uniqueArray(names.filter((name) => name !== ""), {
  maxLength: 2,
});
const texts = fc.constantFrom("", "a", "ab", "aab", "b1", "😀", "é", "1 0");
const numbers = fc.constantFrom(
  0,
  -0,
  1,
  2,
  3,
  -1,
  6,
  0.5,
  1.5,
  -2.5,
  1e15,
  1e21,
  2 ** 53,
);
const counts = fc.constantFrom(0, 1, 2, 3);
const types = fc.constantFrom<Json>(
  "string",
  "number",
  "integer",
  "boolean",
  "null",
  "array",
  "object",
);
const patterns = fc.constantFrom(
  "^a",
  "b$",
  "^[a-z]*$",
  "\\d",
  "^.{1,2}$",
  "^\\p{L}+$",
  "^$",
);

/** Random inputs. */
export const input: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    numbers,
    texts,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ),
})).value;

type Entry = [keyword: string, value: Json];
type Arbitraries = { schema: Json; entry: Entry };

function entry(
  keyword: string,
  value: fc.Arbitrary<Json>,
): fc.Arbitrary<Entry> {
  return value.map((made): Entry => [keyword, made]);
}

/** Keywords that hold no schema. */
const plainKeywords: readonly fc.Arbitrary<Entry>[] = [
  entry(
    "type",
    fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
  ),
  entry("type", types),
  entry("enum", fc.uniqueArray(input, { minLength: 1, maxLength: 4 })),
  entry("const", input),
  entry("multipleOf", fc.constantFrom(1, 2, 3, 0.5, 1.5)),
  entry("maximum", numbers),
  entry("minimum", numbers),
  entry("exclusiveMaximum", numbers),
  entry("exclusiveMinimum", numbers),
  entry("maxLength", counts),
  entry("minLength", counts),
  entry("pattern", patterns),
  entry("maxItems", counts),
  entry("minItems", counts),
  entry("uniqueItems", fc.boolean()),
  entry("maxProperties", counts),
  entry("minProperties", counts),
  entry("required", required),
  entry("default", input),
  entry("x-unknown", input),
];

const references = fc.constantFrom(
  "#/$defs/x",
  "#/$defs/x",
  "#/$defs/y",
  "#/$defs/y",
  "#",
  "#/$defs/none",
);

/** Keywords that hold schemas, in both drafts. */
function nested(schema: fc.Arbitrary<Json>): fc.Arbitrary<Entry>[] {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const byName = (keys: fc.Arbitrary<string>, value: fc.Arbitrary<Json>) =>
    fc.dictionary(keys, value, { maxKeys: 3, noNullPrototype: true });
  return [
    entry("properties", byName(names, schema)),
    entry("properties", byName(names, schema)),
    entry("patternProperties", byName(patterns, schema)),
    entry("additionalProperties", schema),
    entry("propertyNames", schema),
    entry("items", schema),
    entry("contains", schema),
    entry("allOf", list),
    entry("anyOf", list),
    entry("oneOf", list),
    entry("not", schema),
    entry("if", schema),
    entry("then", schema),
    entry("else", schema),
  ];
}

function ofDraft7(schema: fc.Arbitrary<Json>): fc.Arbitrary<Entry>[] {
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  return [
    entry("items", list),
    entry("additionalItems", schema),
    entry(
      "dependencies",
      fc.dictionary(names, fc.oneof(schema, required), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    ),
  ];
}

function of2020(schema: fc.Arbitrary<Json>): fc.Arbitrary<Entry>[] {
  const options = { maxKeys: 2, noNullPrototype: true };
  return [
    entry("prefixItems", fc.array(schema, { minLength: 1, maxLength: 3 })),
    entry("minContains", counts),
    entry("maxContains", counts),
    entry("unevaluatedItems", schema),
    entry("unevaluatedProperties", schema),
    entry("dependentSchemas", fc.dictionary(names, schema, options)),
    entry("dependentRequired", fc.dictionary(names, required, options)),
    entry("$ref", references),
  ];
}

/** Random schemas of a draft, the root with `$schema` and `$defs`. */
export function schemaOf(draft: FuzzedDraft): fc.Arbitrary<JsonObject> {
  const { schema } = fc.letrec<Arbitraries>((tie) => {
    const own = draft === "7" ? ofDraft7 : of2020;
    const holders = [...nested(tie("schema")), ...own(tie("schema"))];
    const entries = fc.array(tie("entry"), { minLength: 1, maxLength: 3 });
    return {
      entry: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(...plainKeywords),
        fc.oneof(...holders),
      ),
      schema: fc.oneof(
        { maxDepth: 3 },
        fc.boolean(),
        entries.map(fromEntries),
        entries.map(fromEntries),
        // In draft 7 a reference stands alone.
        references.map((reference): Json => ({ $ref: reference })),
      ),
    };
  });
  return fc.tuple(schema, schema, schema).map(([root, x, y]) => ({
    $schema: dialects[draft],
    ...(typeof root === "boolean" ? { allOf: [root] } : fields(root)),
    $defs: { x, y },
  }));
}

function fromEntries(entries: readonly Entry[]): Json {
  return Object.fromEntries(entries);
}

function fields(schema: Json): JsonObject {
  return typeof schema === "object" && schema !== null && !Array.isArray(schema)
    ? schema
    : {};
}
