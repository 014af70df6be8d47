// A schema is judged exactly right, or refused with the path and the keyword.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { compileSchema, type InputProblem } from "../../src/tools/schema.ts";

function problemsOf(schema: unknown, input: unknown): readonly InputProblem[] {
  const compiled = compileSchema(schema, "schema");
  if (compiled.tag === "refused") {
    throw new Error(JSON.stringify(compiled.problems));
  }
  return compiled.schema.validate(input);
}

function refusals(schema: unknown): string[] {
  const compiled = compileSchema(schema, "schema");
  return compiled.tag === "accepted"
    ? []
    : compiled.problems.map(({ path, reason }) => `${path}: ${reason}`);
}

const record = {
  type: "object",
  properties: {
    key: { type: "string", minLength: 2 },
    count: { type: "integer", minimum: 0, maximum: 9 },
    kinds: { type: "array", items: { enum: ["a", "b"] }, maxItems: 3 },
  },
  required: ["key"],
  additionalProperties: false,
};

Deno.test("validate() gives nothing for an input that fits", () => {
  assertEquals(problemsOf(record, { key: "ab", count: 3, kinds: ["a"] }), []);
});

for (
  const [input, path, expected, actual] of [
    [{}, "input.key", 'required property "key"', "missing"],
    [{ key: 7 }, "input.key", "a string", "the number 7"],
    [
      { key: "a" },
      "input.key",
      "a string of at least 2 characters",
      "a string of 1 characters",
    ],
    [{ key: "ab", count: 1.5 }, "input.count", "an integer", "the number 1.5"],
    [
      { key: "ab", count: 12 },
      "input.count",
      "a number of at most 9",
      "the number 12",
    ],
    [
      { key: "ab", kinds: ["a", "c"] },
      "input.kinds[1]",
      'one of "a", "b"',
      "a string of 1 characters",
    ],
    [
      { key: "ab", kinds: "a" },
      "input.kinds",
      "an array",
      "a string of 1 characters",
    ],
    [
      { key: "ab", "odd name": 1 },
      'input["odd name"]',
      'no property named "odd name" (allowed: key, count, kinds)',
      "the number 1",
    ],
    [null, "input", "an object", "null"],
  ] as const
) {
  Deno.test(`validate() says where, what was wanted and what came: ${JSON.stringify(input)}`, () => {
    assertEquals(problemsOf(record, input)[0], { path, expected, actual });
  });
}

Deno.test("validate() never repeats the text of an input", () => {
  const problems = problemsOf(record, {
    key: ["hunter2"],
    count: "hunter2",
    kinds: ["hunter2"],
  });
  assertEquals(JSON.stringify(problems).includes("hunter2"), false);
});

Deno.test("validate() tells at most five problems", () => {
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      [..."abcdefgh"].map((name) => [name, { type: "string" }]),
    ),
    required: [..."abcdefgh"],
  };
  assert(problemsOf(schema, {}).length <= 5);
});

Deno.test("validate() describes alternatives", () => {
  const schema = {
    type: "object",
    properties: {
      id: {
        anyOf: [{ type: "string" }, { const: 0 }, {
          type: "object",
          required: ["ref"],
        }],
      },
    },
  };
  assertEquals(
    problemsOf(schema, { id: true })[0]?.expected,
    "one of these: a string; 0; an object with ref",
  );
});

// R12
Deno.test("draft 4's boolean exclusiveMinimum is judged under draft 4 and refused elsewhere", () => {
  const schema = { type: "integer", minimum: 0, exclusiveMinimum: true };
  assertStringIncludes(
    refusals(schema)[0] ?? "",
    "schema.exclusiveMinimum: expected a number; true or false is draft 4's form",
  );
  const draft4 = {
    $schema: "http://json-schema.org/draft-04/schema#",
    ...schema,
  };
  assertEquals(problemsOf(draft4, 1), []);
  assertEquals(problemsOf(draft4, 0)[0]?.expected, "a number above 0");
});

// R14
Deno.test("a recursive schema judges inputs of any depth it may have", () => {
  const schema = {
    type: "object",
    properties: { root: { $ref: "#/$defs/node" } },
    $defs: {
      node: {
        type: "object",
        properties: {
          kids: { type: "array", items: { $ref: "#/$defs/node" } },
        },
        additionalProperties: false,
      },
    },
  };
  for (const depth of [1, 5, 50]) {
    let good: unknown = {};
    let bad: unknown = { wrong: 1 };
    for (let level = 0; level < depth; level++) {
      good = { kids: [good] };
      bad = { kids: [bad] };
    }
    assertEquals(problemsOf(schema, { root: good }), []);
    assertEquals(problemsOf(schema, { root: bad })[0]?.actual, "the number 1");
  }
});

for (
  const [what, schema, path] of [
    [
      "a reference to nowhere",
      { properties: { a: { $ref: "#/$defs/none" } } },
      "schema.properties.a.$ref",
    ],
    ["a reference to another document", {
      $ref: "https://example.com/schema.json",
    }, "schema.$ref"],
    ["a reference to itself", { $ref: "#" }, "schema"],
    ["references in a circle", {
      $defs: {
        a: { anyOf: [{ $ref: "#/$defs/b" }] },
        b: { $ref: "#/$defs/a" },
      },
    }, "schema.$defs.a"],
    ["a pattern that is none", { pattern: "[" }, "schema.pattern"],
    [
      "a pattern illegal under the u flag",
      { pattern: "\\-" },
      "schema.pattern",
    ],
    [
      "a property pattern that is none",
      { patternProperties: { "(": {} } },
      'schema.patternProperties["("]',
    ],
    ["an exponential pattern", { pattern: "^(a+)+$" }, "schema.pattern"],
    ["an unknown type", { type: "strng" }, "schema.type"],
    ["a bound that is a text", { minimum: "3" }, "schema.minimum"],
    ["required that is a text", { required: "a" }, "schema.required"],
    ["properties that are a list", { properties: [] }, "schema.properties"],
    ["a subschema that is a text", { items: "string" }, "schema.items"],
    ["a tuple of an older draft", { items: [{}] }, "schema.items"],
    [
      "a draft that nobody knows",
      { $schema: "https://example.com/draft" },
      "schema.$schema",
    ],
    ["a function", { default: () => 1 }, "schema.default"],
    ["undefined", { default: undefined }, "schema.default"],
    ["a bigint", { const: 1n }, "schema.const"],
    ["a symbol", { const: Symbol("a") }, "schema.const"],
    ["NaN", { minimum: NaN }, "schema.minimum"],
    ["a date", { const: new Date(0) }, "schema.const"],
    ["a map", { const: new Map() }, "schema.const"],
    ["a hole in a list", { enum: new Array(2) }, "schema.enum[0]"],
    ["a getter", {
      get type() {
        return "string";
      },
    }, "schema.type"],
    ["no object", 7, "schema"],
    ["undefined as the whole", undefined, "schema"],
  ] as const
) {
  Deno.test(`compileSchema() refuses ${what} by its path`, () => {
    assertEquals(
      refusals(schema).map((line) => line.slice(0, line.indexOf(": ")))[0],
      path,
    );
  });
}

Deno.test("compileSchema() reports all problems at once", () => {
  const found = refusals({
    properties: {
      a: { type: "strng" },
      b: { pattern: "[" },
      c: { $ref: "#/none" },
    },
  });
  assertEquals(found.length, 3);
});

Deno.test("compileSchema() refuses cycles, depth, size and hostile objects without a throw", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let deep: unknown = {};
  for (let level = 0; level < 100_000; level++) deep = { not: deep };
  const large = { enum: Array.from({ length: 200_000 }, (_, index) => index) };
  const hostile = new Proxy({}, {
    ownKeys: () => {
      throw new Error("no");
    },
  });
  const throwing = Object.defineProperty({}, "type", {
    enumerable: true,
    get: () => {
      throw new Error("no");
    },
  });
  for (const schema of [cycle, deep, large, hostile, throwing]) {
    assert(refusals({ properties: { a: schema } }).length > 0);
  }
});

Deno.test("compileSchema() takes frozen schemas, and changes none", () => {
  const schema = Object.freeze({
    type: "object",
    properties: Object.freeze({ a: Object.freeze({ $ref: "#/$defs/b" }) }),
    $defs: Object.freeze({ b: Object.freeze({ type: "string" }) }),
  });
  const before = JSON.stringify(schema);
  assertEquals(problemsOf(schema, { a: 1 })[0]?.expected, "a string");
  assertEquals(JSON.stringify(schema), before);
  assertEquals(Reflect.ownKeys(schema), ["type", "properties", "$defs"]);
});

// R15
for (
  const [what, input, expected] of [
    ["a bigint", { a: 10n }, "a JSON value"],
    ["a function", { a: () => 1 }, "a JSON value"],
    ["a symbol", { a: Symbol("a") }, "a JSON value"],
    ["NaN", { a: NaN }, "a finite number"],
    ["an infinity", { a: -Infinity }, "a finite number"],
    ["a class instance", { a: new Map() }, "a plain object"],
  ] as const
) {
  Deno.test(`validate() finds ${what} like any other fault`, () => {
    assertEquals(
      problemsOf({ type: "object" }, input).map((
        { path, expected },
      ) => [path, expected]),
      [["input.a", expected]],
    );
  });
}

Deno.test("validate() takes a property that holds undefined as absent", () => {
  assertEquals(problemsOf(record, { key: "ab", count: undefined }), []);
  assertEquals(problemsOf(record, { key: undefined })[0]?.actual, "missing");
  assertEquals(problemsOf(record, undefined)[0]?.expected, "a JSON value");
});

// R31
for (
  const text of [
    '{"__proto__":{"admin":true}}',
    '{"a":[{"__proto__":1}]}',
    '{"constructor":{"prototype":{"admin":true}}}',
  ]
) {
  Deno.test(`validate() refuses names that could change a prototype: ${text}`, () => {
    assertEquals(problemsOf({ type: "object" }, JSON.parse(text)).length, 1);
    assertEquals(Object.hasOwn(Object.prototype, "admin"), false);
  });
}

Deno.test("validate() refuses cycles and depth without overflowing", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  assertEquals(problemsOf({}, cycle)[0]?.actual, "a cycle");
  assertEquals(
    problemsOf({}, deep)[0]?.expected,
    "at most 200 levels of nesting",
  );
});

Deno.test("validate() gives up on an input that branches without end", () => {
  const branch = {
    type: "object",
    properties: { k: { $ref: "#/$defs/n" } },
    required: ["z"],
  };
  const schema = {
    $defs: { n: { anyOf: [branch, branch] } },
    $ref: "#/$defs/n",
  };
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 100; level++) deep = { k: deep };
  assertEquals(
    problemsOf(schema, deep)[0]?.expected,
    "an input that can be judged in bounded time",
  );
});

Deno.test("validate() compares the items of large arrays no more than it can", () => {
  const schema = { type: "array", uniqueItems: true };
  assertEquals(
    problemsOf(schema, [1, 2, 1])[0]?.expected,
    "items that differ from one another",
  );
  const many = Array.from({ length: 100_000 }, (_, index) => index);
  assertStringIncludes(
    problemsOf(schema, many)[0]?.expected ?? "",
    "at most 1000 items",
  );
});

Deno.test("a pattern bounds only the texts that it applies to", () => {
  const schema = {
    type: "object",
    properties: {
      trimmed: { type: "string", pattern: "^\\s*(.*?)\\s*$" },
      body: { type: "string" },
    },
  };
  const long = " ".repeat(1_000_000);
  assertEquals(problemsOf(schema, { trimmed: "short", body: long }), []);
  assertStringIncludes(
    problemsOf(schema, { trimmed: long })[0]?.expected ?? "",
    "at most 400 characters",
  );
  const names = {
    type: "object",
    propertyNames: { pattern: "^\\s*(.*?)\\s*$" },
  };
  assertStringIncludes(
    problemsOf(names, { [long]: 1 })[0]?.expected ?? "",
    "property names of at most 400",
  );
});

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `p${index}`);
}

function members(names: readonly string[], value: unknown) {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const digits = { type: "string", pattern: "\\d+-\\d+" };
const nearDigits = `${"1".repeat(9_000)} 1-2`;

for (
  const [what, items, item, count] of [
    ["texts, each of which a pattern can judge", digits, nearDigits, 60],
    [
      "texts under not",
      { not: { pattern: "\\s+$" } },
      `${" ".repeat(9_000)}x`,
      200,
    ],
    ["texts of a large enum", { enum: namesOf(5_000) }, "p4999", 100_000],
    [
      "objects of many properties",
      { properties: members(namesOf(999), {}) },
      {},
      9_999,
    ],
    [
      "objects of many dependent names",
      { dependentRequired: members(namesOf(999), ["x"]) },
      {},
      9_999,
    ],
    [
      "objects whose many names are patterns' to judge",
      { patternProperties: { "\\d+-\\d+": {} } },
      members(namesOf(9).map((name) => name + "1".repeat(9_000)), 1),
      99,
    ],
    [
      "large items to compare with one another",
      { uniqueItems: true },
      Array.from({ length: 999 }, (_, index) => [...Array(99).fill(0), index]),
      1,
    ],
  ] as const
) {
  Deno.test(`validate() gives up on too many ${what}`, () => {
    const schema = { type: "array", items };
    assertEquals(
      problemsOf(schema, Array(count).fill(item))[0]?.expected,
      "an input that can be judged in bounded time",
    );
    assertEquals(problemsOf(schema, [])[0]?.expected, undefined);
  });
}

Deno.test("validate() judges many rows in full", () => {
  const schema = {
    type: "array",
    items: {
      type: "object",
      properties: {
        id: { type: "integer" },
        mail: { type: "string", pattern: "^[^@]+@[^@]+\\.[^@]+$" },
        tags: { type: "array", items: { type: "string" }, uniqueItems: true },
      },
      required: ["id", "mail"],
      additionalProperties: false,
    },
  };
  const rows = namesOf(900).map((name, id) => ({
    id,
    mail: `${name}@mail.example`,
    tags: ["one", "two"],
  }));
  assertEquals(problemsOf(schema, rows), []);
  assertEquals(problemsOf(schema, [...rows, { id: 1 }]).length, 1);
});

Deno.test("names are bounded by a pattern wherever references find it", () => {
  const slow = { pattern: "^\\w+\\w+\\w+$" };
  for (
    const schema of [
      { propertyNames: { $ref: "#/$defs/name" }, $defs: { name: slow } },
      { propertyNames: { $ref: "#" }, ...slow },
      {
        propertyNames: { allOf: [{ $ref: "#/properties/a" }] },
        properties: { a: slow },
      },
    ]
  ) {
    const problems = problemsOf(schema, { [`${"a".repeat(2_500)}!`]: "x" });
    assertStringIncludes(
      problems[0]?.expected ?? "",
      "property names of at most",
    );
  }
});

Deno.test("validate() takes the null that nullable allows", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string", nullable: true },
      b: { type: "string", nullable: false },
      c: { enum: ["x"], nullable: true },
    },
  };
  assertEquals(problemsOf(schema, { a: null }), []);
  assertEquals(problemsOf(schema, { b: null })[0]?.path, "input.b");
  assertEquals(problemsOf(schema, { c: null })[0]?.path, "input.c");
});

Deno.test("validate() tells all that is wrong at once, up to a few", () => {
  const schema = {
    type: "object",
    properties: {
      zip: { type: "string", pattern: "^\\d{5}$" },
      quantity: { type: "integer", minimum: 1 },
      note: { type: "string", minLength: 2 },
    },
    required: ["zip", "quantity", "street", "city"],
    additionalProperties: false,
  };
  assertEquals(
    problemsOf(schema, { zip: "1", quantity: 0, note: "🎉", other: 1 })
      .map(({ path, expected, actual }) => `${path}: ${expected}: ${actual}`),
    [
      'input.street: required property "street": missing',
      'input.city: required property "city": missing',
      "input.zip: a string matching ^\\d{5}$: a string of 1 characters",
      "input.quantity: a number of at least 1: the number 0",
      "input.note: a string of at least 2 characters: a string of 1 characters",
    ],
  );
});

Deno.test("validate() tells an item that must not be there by its place", () => {
  const schema = { prefixItems: [{ type: "string" }], items: false };
  assertEquals(problemsOf(schema, ["a", "b"]), [{
    path: "input[1]",
    expected: "no item at this place",
    actual: "a string of 1 characters",
  }]);
});

Deno.test("format and unknown keywords are annotations, as the drafts say", () => {
  assertEquals(problemsOf({ format: "email", "x-order": 1 }, "no address"), []);
});

for (
  const [draft, uri] of [
    ["4", "http://json-schema.org/draft-04/schema#"],
    ["6", "http://json-schema.org/draft-06/schema#"],
    ["7", "http://json-schema.org/draft-07/schema"],
    ["2019-09", "https://json-schema.org/draft/2019-09/schema"],
    ["2020-12", "https://json-schema.org/draft/2020-12/schema"],
  ]
) {
  Deno.test(`$schema picks draft ${draft}`, () => {
    const tuple = { $schema: uri, items: [{ type: "string" }] };
    if (draft === "2020-12") assertEquals(refusals(tuple).length, 1);
    else assertEquals(problemsOf(tuple, [1]).length, 1);
  });
}
