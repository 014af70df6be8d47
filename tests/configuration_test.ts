import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AgentConfiguration,
  configurationProblems,
} from "../src/configuration.ts";

const plain: AgentConfiguration = { backend: "openai", model: "gpt-5" };

/** The problems of a configuration that has only these changes. */
function problemsOf(changes: Record<string, unknown>) {
  return configurationProblems({ ...plain, ...changes });
}

Deno.test("configurationProblems() finds nothing in the least, and in the fullest configuration", () => {
  const full: Required<AgentConfiguration> = {
    backend: "anthropic",
    model: "claude-sonnet-4-5",
    instructions: "Be short.",
    tools: [],
    surfaces: ["code", "direct"],
    budget: { steps: 3, callMs: 10 },
    maxOutputTokens: 1_000,
    reasoningEffort: "high",
  };
  assertEquals(configurationProblems(plain), []);
  assertEquals(configurationProblems(full), []);
  // As JSON gives it back, and with every choice left undefined.
  assertEquals(configurationProblems(JSON.parse(JSON.stringify(full))), []);
  const left = Object.keys(full).filter((name) => !(name in plain));
  assertEquals(
    problemsOf(Object.fromEntries(left.map((name) => [name, undefined]))),
    [],
  );
});

for (const config of [undefined, null, [], "openai", 7, () => plain]) {
  Deno.test(`configurationProblems() refuses ${Deno.inspect(config)} as configuration`, () => {
    assertEquals(configurationProblems(config), [
      { path: "config", reason: "expected an object" },
    ]);
  });
}

const oneSurface = 'expected "direct" or "code"';
const surfaceList = 'expected an array such as ["direct"]';
const text = "expected a string that is not empty";
const tokens = "expected a whole number from 1 to 10000000";
const effort = 'expected "low" or "medium" or "high" or "xhigh" or "max"';

for (
  const [field, value, path, reason] of [
    ["backend", undefined, "backend", 'expected "openai" or "anthropic"'],
    [
      "backend",
      "OpenAI",
      "backend",
      'expected "openai" or "anthropic", got "OpenAI"',
    ],
    ["backend", ["openai"], "backend", 'expected "openai" or "anthropic"'],
    ["backend", "toString", "backend", 'expected "openai" or "anthropic"'],
    ["model", undefined, "model", text],
    ["model", "", "model", text],
    ["model", " \n", "model", text],
    ["model", 5, "model", text],
    ["instructions", "", "instructions", text],
    ["instructions", null, "instructions", text],
    ["surfaces", "direct", "surfaces", surfaceList],
    ["surfaces", [], "surfaces", surfaceList],
    ["surfaces", null, "surfaces", surfaceList],
    ["surfaces", ["shell"], "surfaces[0]", oneSurface],
    ["surfaces", ["code", 1], "surfaces[1]", oneSurface],
    ["surfaces", new Array(1), "surfaces[0]", oneSurface],
    ["surfaces", ["code", "code"], "surfaces[1]", '"code" stands twice'],
    ["maxOutputTokens", 0, "maxOutputTokens", tokens],
    ["maxOutputTokens", -1, "maxOutputTokens", tokens],
    ["maxOutputTokens", 1.5, "maxOutputTokens", tokens],
    ["maxOutputTokens", NaN, "maxOutputTokens", tokens],
    ["maxOutputTokens", 10_000_001, "maxOutputTokens", tokens],
    ["maxOutputTokens", "100", "maxOutputTokens", tokens],
    ["maxOutputTokens", null, "maxOutputTokens", tokens],
    ["reasoningEffort", "most", "reasoningEffort", effort],
    ["reasoningEffort", null, "reasoningEffort", effort],
    ["budget", 7, "budget", "expected an object with limits by name"],
    ["budget", [], "budget", "expected an object with limits by name"],
  ] as const
) {
  Deno.test(`configurationProblems() refuses ${Deno.inspect(value)} as ${field}`, () => {
    assertEquals(problemsOf({ [field]: value }), [{ path, reason }]);
  });
}

Deno.test("configurationProblems() takes the bounds of maxOutputTokens and every effort", () => {
  for (const maxOutputTokens of [1, 10_000_000]) {
    assertEquals(problemsOf({ maxOutputTokens }), []);
  }
  for (const reasoningEffort of ["low", "medium", "high", "xhigh", "max"]) {
    assertEquals(problemsOf({ reasoningEffort }), []);
  }
});

Deno.test("configurationProblems() gives the problems of the budget with their paths", () => {
  const problems = problemsOf({ budget: { steps: 0, callMs: 10, fuel: 1 } });
  assertEquals(problems.map(({ path }) => path), [
    "budget.steps",
    "budget.fuel",
  ]);
});

Deno.test("configurationProblems() refuses each field that it does not know, and names those that it does", () => {
  const problems = problemsOf({ temperature: 1, apiKey: "key" });
  assertEquals(problems.map(({ path }) => path), ["temperature", "apiKey"]);
  for (const { reason } of problems) {
    assertStringIncludes(
      reason,
      "no such field; the fields are backend, model",
    );
  }
  assertEquals(JSON.stringify(problems).includes('"key"'), false);
});

Deno.test("configurationProblems() shortens the name of a field that it does not know", () => {
  const [problem] = problemsOf({ [`a\n${"x".repeat(500)}`]: 1 });
  assert(problem !== undefined);
  assertEquals([problem.path.length, problem.path.includes("\n")], [64, false]);
});

Deno.test("configurationProblems() reports all problems at once, one for each place", () => {
  const problems = configurationProblems({
    backend: "bedrock",
    model: "",
    instructions: 7,
    surfaces: ["direct", "shell", "direct"],
    budget: { steps: 1.5 },
    maxOutputTokens: "many",
    reasoningEffort: "none",
    extra: true,
  });
  assertEquals(problems.map(({ path }) => path).sort(), [
    "backend",
    "budget.steps",
    "extra",
    "instructions",
    "maxOutputTokens",
    "model",
    "reasoningEffort",
    "surfaces[1]",
    "surfaces[2]",
  ]);
});
