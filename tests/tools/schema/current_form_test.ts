import { assertEquals, assertStrictEquals } from "@std/assert";
import type { JsonObject } from "../../../src/json.ts";
import { compileSchema } from "../../../src/tools/schema.ts";
import { toCurrentForm } from "../../../src/tools/schema/current_form.ts";

const draft4 = "http://json-schema.org/draft-04/schema#";
const draft7 = "http://json-schema.org/draft-07/schema#";
const draft2019 = "https://json-schema.org/draft/2019-09/schema";

// R12
const forms: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  "an exclusive bound": [
    {
      $schema: draft4,
      type: "integer",
      minimum: 0,
      exclusiveMinimum: true,
      maximum: 9,
      exclusiveMaximum: false,
    },
    { type: "integer", exclusiveMinimum: 0, maximum: 9 },
  ],
  "an exclusive bound of nothing": [
    { $schema: draft4, exclusiveMaximum: true },
    {},
  ],
  "bounds inside": [
    {
      $schema: draft4,
      properties: {
        exclusiveMinimum: { minimum: 1, exclusiveMinimum: true },
      },
      anyOf: [{ maximum: 2, exclusiveMaximum: true }, {}],
      dependencies: { a: { minimum: 3, exclusiveMinimum: true }, b: ["a"] },
    },
    {
      properties: { exclusiveMinimum: { exclusiveMinimum: 1 } },
      anyOf: [{ exclusiveMaximum: 2 }, {}],
      dependentSchemas: { a: { exclusiveMinimum: 3 } },
      dependentRequired: { b: ["a"] },
    },
  ],
  "numbers that are bounds already": [
    { $schema: draft7, minimum: 0, exclusiveMinimum: 1 },
    { minimum: 0, exclusiveMinimum: 1 },
  ],
  "a tuple": [
    {
      $schema: draft7,
      items: [{ type: "string" }, true],
      additionalItems: { items: [{}] },
    },
    {
      prefixItems: [{ type: "string" }, true],
      items: { prefixItems: [{}] },
    },
  ],
  "an empty tuple": [
    { $schema: draft2019, items: [], additionalItems: false },
    { items: false },
  ],
  "what follows no tuple": [
    { $schema: draft7, items: { type: "string" }, additionalItems: false },
    { items: { type: "string" } },
  ],
  "references into what has moved": [
    {
      $schema: draft7,
      properties: {
        items: {},
        additionalItems: { items: [{}], additionalItems: {} },
        a: { $ref: "#/properties/additionalItems/items/0" },
        b: { $ref: "#/properties/additionalItems/additionalItems" },
        c: { $ref: "#/properties/items" },
      },
    },
    {
      properties: {
        items: {},
        additionalItems: { prefixItems: [{}], items: {} },
        a: { $ref: "#/properties/additionalItems/prefixItems/0" },
        b: { $ref: "#/properties/additionalItems/items" },
        c: { $ref: "#/properties/items" },
      },
    },
  ],
  "a reference that hides what is beside it": [
    {
      $schema: draft7,
      properties: { a: { $ref: "#", description: "d", type: "string" } },
    },
    { properties: { a: { $ref: "#", description: "d" } } },
  ],
  "a recursive reference": [
    { $schema: draft2019, $recursiveAnchor: true, not: { $recursiveRef: "#" } },
    { not: { $ref: "#" } },
  ],
  "ids": [
    {
      $schema: draft4,
      id: "http://example.com/root#",
      properties: { id: { id: "#here" }, there: { $ref: "#here" } },
    },
    {
      $id: "http://example.com/root",
      properties: { id: { $anchor: "here" }, there: { $ref: "#here" } },
    },
  ],
  "values, which are no schemas": [
    {
      $schema: draft4,
      enum: [{ minimum: 0, exclusiveMinimum: true, items: [1] }],
      default: { items: [1] },
    },
    {
      enum: [{ minimum: 0, exclusiveMinimum: true, items: [1] }],
      default: { items: [1] },
    },
  ],
};

for (const [what, [given, expected]] of Object.entries(forms)) {
  Deno.test(`toCurrentForm() writes ${what} as draft 2020-12 does, and changes nothing of the host's`, () => {
    const before = JSON.stringify(given);
    assertEquals(toCurrentForm(given), expected);
    assertEquals(JSON.stringify(given), before);
  });
}

Deno.test("toCurrentForm() gives a schema of draft 2020-12, or of none that is known, back", () => {
  for (
    const schema of [
      { type: "object", properties: { a: { exclusiveMinimum: 1 } } },
      { $schema: "https://json-schema.org/draft/2020-12/schema" },
      { $schema: "https://example.com/draft" },
    ]
  ) assertStrictEquals(toCurrentForm(schema), schema);
});

Deno.test("toCurrentForm() gives what judges inputs as the host's schema does", () => {
  const schema = {
    $schema: draft4,
    type: "object",
    properties: {
      n: { minimum: 0, exclusiveMinimum: true, maximum: 2 },
      pair: {
        items: [{ type: "string" }, { $ref: "#/properties/n" }],
        additionalItems: false,
      },
      first: { $ref: "#/properties/pair/items/0" },
    },
  };
  const own = compileSchema(schema, "schema");
  const current = compileSchema(toCurrentForm(schema), "schema");
  if (own.tag === "refused" || current.tag === "refused") {
    throw new Error(JSON.stringify([own, current]));
  }
  const inputs = [
    [{ n: 0 }, false],
    [{ n: 1 }, true],
    [{ n: 2 }, true],
    [{ n: 3 }, false],
    [{ pair: ["a", 1] }, true],
    [{ pair: ["a", 0] }, false],
    [{ pair: ["a", 1, 2] }, false],
    [{ first: 1 }, false],
  ] as const;
  for (const [input, fits] of inputs) {
    assertEquals([own.schema.fits(input), current.schema.fits(input)], [
      fits,
      fits,
    ], JSON.stringify(input));
  }
});
