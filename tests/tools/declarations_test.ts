import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { declare } from "../../src/tools/declarations.ts";
import { seededRandom } from "../support/ambient.ts";
import { test } from "../support/permissions.ts";

type Tool = Parameters<typeof declare>[0][number];

function tool(
  parameters: Record<string, unknown>,
  name = "find",
  description = "Finds.",
): Tool {
  return { name, description, parameters };
}

async function syntaxErrors(text: string): Promise<string[]> {
  const { default: ts } = await import("typescript");
  const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
  return (diagnostics ?? []).map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, "\n")
  );
}

/** The text without comments, strings and templates. */
function codeOnly(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"/g, "");
}

Deno.test("declare() gives required and optional properties, lists, unions and literals", () => {
  const { text, complete } = declare([tool({
    type: "object",
    properties: {
      q: { type: "string", description: "What to find." },
      limit: { type: "integer", minimum: 1 },
      kinds: { type: "array", items: { enum: ["a", 1, null] } },
      when: { anyOf: [{ type: "string" }, { type: "null" }] },
      fixed: { const: "x" },
    },
    required: ["q"],
  })]);
  assertEquals(complete, true);
  assertEquals(
    text,
    `declare const tools: {
  /** Finds. */
  find(input: { /** What to find. */ q: string; /** integer; minimum 1 */ limit?: number; kinds?: ("a" | 1 | null)[]; when?: string | null; fixed?: "x" }): Promise<unknown>;
};`,
  );
});

// R14
test("declare() names a recursive type, and its text is finite", async () => {
  const { text } = declare([tool({
    type: "object",
    properties: { root: { $ref: "#/$defs/node" }, self: { $ref: "#" } },
    $defs: {
      node: {
        type: "object",
        properties: {
          kids: { type: "array", items: { $ref: "#/$defs/node" } },
        },
      },
    },
  }, "tree")]);
  assertStringIncludes(text, "type tree_node = { kids?: tree_node[] };");
  assertEquals(await syntaxErrors(text), []);
});

Deno.test("declare() gives each named type of all tools an alias of its own", () => {
  const using = (name: string, definition: string, type: string) =>
    tool({
      type: "object",
      properties: { p: { $ref: `#/$defs/${definition}` } },
      $defs: { [definition]: { type } },
    }, name);
  const { text, perTool } = declare([
    using("find", "node_x", "string"),
    using("find_node", "x", "number"),
    using("find-node_x", "2", "boolean"),
    using("find_node_x2", "y", "null"),
  ]);
  assertEquals(
    text.match(/^type .*$/gm),
    [
      "type find_node_x = string;",
      "type find_node_x2 = number;",
      "type find_node_x_2 = boolean;",
      "type find_node_x2_y = null;",
    ],
  );
  assertStringIncludes(text, "find_node(input?: { p?: find_node_x2 })");
  // What one tool's own declaration names is what all of them name.
  for (const [name, own] of perTool) {
    for (const [line] of own.matchAll(/^type .*$/gm)) {
      assertStringIncludes(text, line, name);
    }
  }
});

// R45
test("declare() keeps the host's words inside comments and strings", async () => {
  const nasty = 'ends */ export const x=1 // ` ${y} " \u2028 \n \0 <script>';
  const { text } = declare([tool(
    {
      type: "object",
      description: nasty,
      properties: {
        [nasty]: {
          description: nasty,
          enum: [nasty, "it's", "`${1}`"],
          default: nasty,
          pattern: nasty,
        },
        "": { type: "string" },
        __proto__x: {},
      },
      required: [nasty],
    },
    "search-items",
    nasty,
  )]);
  assertEquals(await syntaxErrors(text), []);
  assertEquals(/export|script|\$\{/.test(codeOnly(text)), false);
  assertStringIncludes(text, "search_items(input");
  assertStringIncludes(text, 'tools["search-items"]');
});

for (
  const [schema, type] of [
    [{
      type: "array",
      prefixItems: [{ type: "string" }, { type: "number" }],
      items: false,
      minItems: 1,
    }, "[string, number?]"],
    [{
      type: "array",
      items: [{ type: "string" }],
      additionalItems: { type: "null" },
    }, "[string?, ...null[]]"],
    [{ type: "array" }, "unknown[]"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", nullable: true }, "string | null"],
    [{ enum: ["a"], nullable: true }, '"a"'],
    [{ type: ["string", "null"], nullable: true }, "string | null"],
    [
      { type: "object", additionalProperties: { type: "number" } },
      "{ [name: string]: number }",
    ],
    [
      { type: "object", patternProperties: { "^x": { type: "number" } } },
      "{ [name: string]: number }",
    ],
    [{ type: "object", additionalProperties: false }, "Record<string, never>"],
    [{
      allOf: [{ type: "object", properties: { a: {} } }, {
        oneOf: [{ const: 1 }, { const: 2 }],
      }],
    }, "{ a?: unknown } & (1 | 2)"],
    [true, "unknown"],
    [false, "never"],
    [{ not: { type: "string" } }, "unknown"],
    [{ $ref: "#/none" }, "unknown"],
  ] as const
) {
  test(`declare() writes ${JSON.stringify(schema)} as ${type}`, async () => {
    const { text } = declare([
      tool({ type: "object", properties: { p: schema }, required: ["p"] }),
    ]);
    assertStringIncludes(text, `p: ${type} })`);
    assertEquals(await syntaxErrors(text), []);
  });
}

Deno.test("declare() falls back to names where the declarations are too long, and keeps each", () => {
  const tools = Array.from(
    { length: 60 },
    (_, index) =>
      tool(
        {
          type: "object",
          properties: {
            value: { type: "string", description: "x".repeat(200) },
          },
        },
        `tool-${index}`,
        "Does\nthings. ".repeat(30),
      ),
  );
  const { text, complete, perTool } = declare(tools, { maxBytes: 8_000 });
  assertEquals(complete, false);
  assert(new TextEncoder().encode(text).length <= 8_000);
  assertStringIncludes(text, "// tool_59: Does things.");
  assertEquals(perTool.size, 60);
  assertStringIncludes(perTool.get("tool-7") ?? "", "tool_7(input?");
});

Deno.test("declare() gives nothing for no tools", () => {
  assertEquals(declare([]).text, "");
});

test("declare() writes sound TypeScript for schemas of every kind", async () => {
  const random = seededRandom(7);
  const pick = <T>(items: readonly T[]): T =>
    items[Math.floor(random() * items.length)] ?? items[0] as T;
  const words = [
    "a",
    "*/ evil()",
    "`${x}`",
    "line\nbreak",
    "\u2028",
    "'\"",
    "-",
    "",
    "9",
    "\ud800",
    "delete",
  ];
  const schema = (depth: number): unknown => {
    if (depth > 4) return pick([true, false, {}, { type: "string" }]);
    const nested = () => schema(depth + 1);
    return pick([
      () => ({
        type: "object",
        description: pick(words),
        properties: { [pick(words)]: nested(), [pick(words)]: nested() },
        required: [pick(words)],
        additionalProperties: pick([true, false, nested()]),
      }),
      () => ({
        type: "array",
        items: pick([nested(), [nested(), nested()]]),
        prefixItems: pick([undefined, [nested()]]),
      }),
      () => ({
        [pick(["anyOf", "oneOf", "allOf"])]: [nested(), nested()],
        nullable: true,
      }),
      () => ({
        enum: [pick(words), 1, null, { [pick(words)]: pick(words) }, [
          pick(words),
        ]],
        default: pick(words),
      }),
      () => ({
        const: pick<unknown>([...words, { a: [1] }, null]),
        format: pick(words),
      }),
      () => ({
        type: pick<unknown>([
          "string",
          ["number", "null"],
          "integer",
          "odd",
          7,
        ]),
        pattern: pick(words),
      }),
      () => ({
        $ref: pick([
          "#",
          "#/properties/x",
          "#/$defs/%",
          "https://x",
          "#anchor",
        ]),
      }),
      nested,
    ])();
  };
  for (let round = 0; round < 400; round++) {
    const parameters = {
      type: "object",
      properties: { x: schema(0) },
      $defs: { n: schema(0) },
    };
    const { text } = declare([
      tool(
        parameters,
        pick(["find", "2fa", "search-items", "then"]),
        pick(words),
      ),
    ]);
    assertEquals(await syntaxErrors(text), [], text);
    assertEquals(/evil|\$\{/.test(codeOnly(text)), false, text);
  }
});
