import { assert, assertEquals } from "@std/assert";
import { comment, declareType } from "../../src/tools/declared_type.ts";

/** The type of a schema as the property `p`, and the named types beside it. */
function typeOf(schema: unknown, more: Record<string, unknown> = {}): {
  readonly type: string;
  readonly named: readonly (readonly [string, string])[];
} {
  const { type, named } = declareType(
    { type: "object", properties: { p: schema }, required: ["p"], ...more },
    "find",
  );
  const inner = /^\{ (?:\/\*\*.*?\*\/ )?p: (.*) \}$/s.exec(type)?.[1];
  assert(inner !== undefined, type);
  return { type: inner, named };
}

const list = { type: "array", items: { type: "string" } };
const tuple = [{ type: "string" }, { type: "number" }];

// Beside what `declarations_test.ts` declares.
for (
  const [schema, type] of [
    [{}, "unknown"],
    [undefined, "unknown"],
    [{ type: "integer" }, "number"],
    [{ type: ["integer", "number"] }, "number"],
    [{ type: "odd" }, "unknown"],
    [{ enum: [] }, "unknown"],
    [{ enum: ["a", "a"] }, '"a"'],
    [{ enum: [{ a: [1, "b"] }, -1, true] }, '{"a":[1,"b"]} | -1 | true'],
    [{ const: null }, "null"],
    [{ type: "string", const: "x", enum: ["y"] }, '"x"'],
    [list, "string[]"],
    [{ type: "array", items: list }, "string[][]"],
    [
      { type: "array", items: { type: ["string", "null"] } },
      "(string | null)[]",
    ],
    [{ type: "array", items: false }, "never[]"],
    [{ type: "array", prefixItems: tuple }, "[string?, number?, ...unknown[]]"],
    [
      { type: "array", prefixItems: tuple, minItems: 9, items: list },
      "[string, number, ...string[][]]",
    ],
    [
      { type: "object", properties: { a: {} }, additionalProperties: {} },
      "{ a?: unknown; [name: string]: unknown }",
    ],
    [{ type: "object", required: ["a"] }, "{ a: unknown }"],
    [{ type: "object" }, "Record<string, unknown>"],
    [
      { type: "object", properties: { "a-b": {}, $c: {}, "9": {} } },
      '{ "9"?: unknown; "a-b"?: unknown; $c?: unknown }',
    ],
    [{ properties: { a: {} }, required: ["a"] }, "{ a: unknown }"],
    [{ properties: { a: {} } }, "unknown"],
    [{ anyOf: [{ type: "string" }, {}] }, "unknown"],
    [{ oneOf: [{ type: "string" }, { type: "string" }] }, "string"],
    [{ allOf: [{ minimum: 1 }, { type: "number" }] }, "number"],
    [{ anyOf: [] }, "unknown"],
    [
      { type: "string", anyOf: [{ const: "a" }, { const: "b" }] },
      'string & ("a" | "b")',
    ],
    [{ const: "\u2028" }, '"\\u2028"'],
  ] as const
) {
  Deno.test(`declareType() writes ${JSON.stringify(schema)} as ${type}`, () => {
    assertEquals(typeOf(schema), { type, named: [] });
  });
}

Deno.test("declareType() says whether the argument may be left out", () => {
  for (
    const [required, optional] of [
      [undefined, true],
      [[], true],
      [["a"], false],
    ] as const
  ) {
    const schema = { type: "object", ...(required && { required }) };
    assertEquals(declareType(schema, "find").optional, optional);
  }
});

Deno.test("declareType() gives a type a name once, however often it is used", () => {
  const node = { $ref: "#/$defs/node" };
  const $defs = {
    node: { type: "object", properties: { next: node, all: { items: node } } },
  };
  assertEquals(typeOf({ type: "array", items: node }, { $defs }), {
    type: "find_node[]",
    named: [["find_node", "{ next?: find_node; all?: unknown }"]],
  });
});

Deno.test("declareType() gives different types different names", () => {
  const part = (name: string) => ({ $ref: `#/${name}/a` });
  const { type, named } = typeOf({
    anyOf: [part("$defs"), part("definitions")],
  }, {
    $defs: { a: { type: "string" } },
    definitions: { a: { type: "number" } },
  });
  assertEquals(type, "find_a | find_a2");
  assertEquals(named, [["find_a", "string"], ["find_a2", "number"]]);
});

for (
  const [what, $ref, more, named] of [
    ["a chain", "#/$defs/a", { $defs: { a: { $ref: "#/$defs/b" }, b: list } }, [
      ["find_a", "find_b"],
      ["find_b", "string[]"],
    ]],
    ["an escaped pointer", "#/$defs/a~1b%20c", { $defs: { "a/b c": list } }, [
      ["find_a_1b_20c", "string[]"],
    ]],
    ["an anchor", "#here", { $defs: { a: { ...list, $anchor: "here" } } }, [
      ["find_here", "string[]"],
    ]],
    ["a schema that is true", "#/$defs/a", { $defs: { a: true } }, [
      ["find_a", "unknown"],
    ]],
    ["nothing", "#/$defs/none", {}, []],
    ["an inherited name", "#/$defs/toString", { $defs: {} }, []],
    ["another document", "https://example.com/x.json", {}, []],
  ] as const
) {
  Deno.test(`declareType() follows a reference to ${what}`, () => {
    assertEquals(typeOf({ $ref }, more).named, named);
  });
}

Deno.test("declareType() follows no reference where a schema below has its own address", () => {
  const inner = {
    $id: "https://example.com/inner",
    type: "object",
    properties: { p: { $ref: "#/$defs/a" } },
    $defs: { a: { type: "string" } },
  };
  assertEquals(typeOf(inner, { $defs: { a: { type: "number" } } }), {
    type: "{ p?: unknown }",
    named: [],
  });
  // The root's own address, a property of that name and an anchor are none.
  const $defs = { a: { $id: "#a", type: "number" }, b: { id: "b" } };
  const root = { $id: "https://example.com/root", $defs };
  assertEquals(typeOf({ $ref: "#a" }, root).named, [["find_a", "number"]]);
});

Deno.test("declareType() goes no deeper than a reader would", () => {
  let schema: unknown = { type: "string" };
  for (let depth = 0; depth < 100; depth++) {
    schema = { type: "array", items: schema };
  }
  const { type } = typeOf(schema);
  assertEquals(type, `unknown${"[]".repeat(12)}`);
});

Deno.test("declareType() tells of a property what a type cannot say", () => {
  const { type } = declareType({
    type: "object",
    properties: {
      n: { type: "integer", minimum: 1, default: 3, description: "How many." },
    },
  }, "find");
  assertEquals(
    type,
    "{ /** How many.; integer; minimum 1; default 3 */ n?: number }",
  );
});

Deno.test("comment() is one line, ends where it should, and is nothing for no text", () => {
  assertEquals(comment("a\n*/ b"), "/** a *\\/ b */");
  assertEquals([comment(""), comment(" \n")], ["", ""]);
  assertEquals(comment("x".repeat(400)).length, 300 + "/**  */".length);
  assertEquals(comment("abcdef", 4), "/** abc… */");
});
