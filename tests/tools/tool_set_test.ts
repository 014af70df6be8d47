import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Problem } from "../../src/failure.ts";
import { createToolSet, maxTools } from "../../src/tools/tool_set.ts";

const object = { type: "object" };

function tool(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: "lookup",
    description: "Looks up.",
    parameters: object,
    ...changes,
  };
}

function problemsOf(tools: unknown): readonly Problem[] {
  const set = createToolSet(tools, undefined);
  return set.tag === "refused" ? set.problems : [];
}

Deno.test("createToolSet() gives the tools by name, in their order; none for undefined", () => {
  const set = createToolSet(
    [tool({ name: "b" }), tool({ name: "a" })],
    undefined,
  );
  assert(set.tag === "accepted");
  assertEquals([...set.tools.keys()], ["b", "a"]);
  assertEquals(createToolSet(undefined, undefined), {
    tag: "accepted",
    tools: new Map(),
  });
  assertEquals(problemsOf([]), []);
});

for (const tools of [null, {}, "lookup", 7, new Map(), () => []]) {
  Deno.test(`createToolSet() refuses ${Deno.inspect(tools)} as tools`, () => {
    assertEquals(problemsOf(tools), [
      { path: "tools", reason: "expected an array of tools" },
    ]);
  });
}

/**
 * What is wrong, by the tool at `tools[0]`: the path, and a part of the reason.
 * R08, R10
 */
const refused: readonly [
  what: string,
  tool: unknown,
  path: string,
  reason: string,
][] = [
  [
    "null",
    null,
    "",
    "expected an object with name, description and parameters",
  ],
  ["a list", [], "", "expected an object with"],
  ["a function", () => 1, "", "expected an object with"],
  ["no name", tool({ name: undefined }), ".name", "expected a string"],
  ["a name that is no string", tool({ name: 7 }), ".name", "expected a string"],
  ["an empty name", tool({ name: "" }), ".name", '"" is no tool name'],
  ["a name with a dot", tool({ name: "a.b" }), ".name", "1 to 64 letters"],
  [
    "a name that is an address",
    tool({ name: "github.com/acme/issues.list" }),
    ".name",
    '"github.com/acme/issues.list" is no tool name',
  ],
  ["a name with a space", tool({ name: "get weather" }), ".name", "1 to 64"],
  [
    "a name in other letters",
    tool({ name: "m\u00e9t\u00e9o" }),
    ".name",
    "1 to 64",
  ],
  [
    "a name with a line",
    tool({ name: "a\n" }),
    ".name",
    '"a " is no tool name',
  ],
  ["a name of 65 letters", tool({ name: "x".repeat(65) }), ".name", "1 to 64"],
  ["the code tool's name", tool({ name: "exec" }), ".name", "runs code"],
  [
    "no description",
    tool({ description: undefined }),
    ".description",
    "expected a string that tells the model",
  ],
  [
    "a field that no tool has",
    tool({ run: () => 1 }),
    ".run",
    "its code belongs in options.tools.call",
  ],
  [
    "no parameters",
    tool({ parameters: undefined }),
    ".parameters",
    "undefined is not plain JSON",
  ],
  [
    "parameters that hold a function",
    tool({ parameters: { type: "object", default: () => 1 } }),
    ".parameters.default",
    "function",
  ],
  [
    "parameters that hold undefined",
    tool({ parameters: { type: "object", properties: { a: undefined } } }),
    ".parameters.properties.a",
    "undefined",
  ],
  [
    "a root that is a boolean",
    tool({ parameters: true }),
    ".parameters",
    'expected a schema with type "object"',
  ],
  [
    "a root without a type",
    tool({ parameters: {} }),
    ".parameters.type",
    'expected "object"',
  ],
  [
    "a root of another type",
    tool({ parameters: { type: ["object", "null"] } }),
    ".parameters.type",
    'expected "object"',
  ],
  ...["oneOf", "anyOf", "allOf"].map((
    keyword,
  ): [string, unknown, string, string] => [
    `${keyword} at the root`,
    tool({ parameters: { ...object, [keyword]: [true] } }),
    `.parameters.${keyword}`,
    `providers take no "${keyword}" at the root`,
  ]),
  [
    "enum at the root",
    tool({ parameters: { ...object, enum: [{}] } }),
    ".parameters.enum",
    'no "enum" at the root',
  ],
  [
    "not at the root",
    tool({ parameters: { ...object, not: false } }),
    ".parameters.not",
    'no "not" at the root',
  ],
  [
    "$ref at the root",
    tool({ parameters: { ...object, $ref: "#/$defs/a", $defs: { a: {} } } }),
    ".parameters.$ref",
    'no "$ref" at the root',
  ],
  [
    "a $ref that points nowhere",
    tool({
      parameters: { ...object, properties: { a: { $ref: "#/$defs/none" } } },
    }),
    ".parameters.properties.a.$ref",
    "",
  ],
  [
    "a pattern that does not compile",
    tool({ parameters: { ...object, properties: { a: { pattern: "(" } } } }),
    ".parameters.properties.a.pattern",
    "",
  ],
];

for (const [what, value, path, reason] of refused) {
  Deno.test(`createToolSet() refuses ${what}, with its path`, () => {
    const problems = problemsOf([value]);
    assertEquals(problems.map((problem) => problem.path), [`tools[0]${path}`]);
    assertStringIncludes(problems[0]?.reason ?? "", reason);
  });
}

Deno.test("createToolSet() refuses a hole in the list like any other value that is no tool", () => {
  const tools = [tool()];
  tools.length = 2;
  assertEquals(problemsOf(tools).map(({ path }) => path), ["tools[1]"]);
});

Deno.test("createToolSet() takes every name that the providers take", () => {
  for (const name of ["a", "A-b_9", "-", "_", "9", "x".repeat(64), "then"]) {
    assertEquals(problemsOf([tool({ name })]), [], name);
  }
});

// R09
for (
  const [one, other, reason] of [
    ["find", "find", '"find" is declared twice, first in tools[0]'],
    ["find-it", "find_it", "both become find_it in code; rename one"],
    ["find_it", "find-it", "both become find_it in code; rename one"],
    ["delete", "delete_", "both become delete_ in code"],
    ["2fa", "_2fa", "both become _2fa in code"],
  ] as const
) {
  Deno.test(`createToolSet() refuses ${one} beside ${other}`, () => {
    const [problem, ...rest] = problemsOf([
      tool({ name: one }),
      tool({ name: "between" }),
      tool({ name: other }),
    ]);
    assertEquals([problem?.path, rest], ["tools[2].name", []]);
    assertStringIncludes(problem?.reason ?? "", reason);
  });
}

Deno.test("createToolSet() takes 128 tools, and refuses one more", () => {
  const tools = Array.from(
    { length: maxTools + 1 },
    (_, index) => tool({ name: `tool_${index}` }),
  );
  assertEquals([maxTools, problemsOf(tools.slice(1))], [128, []]);
  assertEquals(problemsOf(tools), [{
    path: "tools",
    reason:
      "expected at most 128 tools, got 129; a provider takes no more in one request",
  }]);
});

Deno.test("createToolSet() reports the problems of all tools at once, in their order", () => {
  const problems = problemsOf([
    tool({ name: "bad name", description: 7, extra: 1 }),
    tool(),
    7,
    tool({
      parameters: { type: "object", properties: { a: { type: "odd" } } },
    }),
  ]);
  assertEquals(problems.map(({ path }) => path), [
    "tools[0].extra",
    "tools[0].name",
    "tools[0].description",
    "tools[2]",
    "tools[3].parameters.properties.a.type",
    "tools[3].name",
  ]);
});

Deno.test("createToolSet() shortens what it repeats", () => {
  const long = "x\n".repeat(500);
  const problems = problemsOf([tool({ name: long, [long]: 1 })]);
  assertEquals(problems.length, 2);
  for (const { path, reason } of problems) {
    assert(path.length < 80 && reason.length < 250);
    assertEquals(/\n/.test(path + reason), false);
  }
});
