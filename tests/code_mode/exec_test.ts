// What the model reads of its programs, and the receipts that they leave. The
// agent, the wire and the engine are real.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AgentConfiguration,
  type AgentSnapshot,
  type HostTools,
  open,
  type TurnResult,
} from "nanocode-wasm";
import { manualAmbient } from "../support/ambient.ts";
import { settled } from "../support/call_bench.ts";
import { scriptedModel } from "../support/model.ts";
import "../support/engine.ts";
import { test } from "../support/permissions.ts";

type Ran = {
  readonly result: TurnResult;
  /** What the model was told of each program, parsed where it is JSON. */
  readonly told: readonly Record<string, unknown>[];
  readonly snapshot: AgentSnapshot;
};

const echo: HostTools["call"] = (_name, input) => Promise.resolve(input);

/** Runs programs, one a step, in a conversation with the tools `get` and `put`. */
async function run(
  programs: readonly string[],
  call: HostTools["call"] = echo,
  config: Partial<AgentConfiguration> = {},
  ambient = manualAmbient(),
  snapshot?: AgentSnapshot,
): Promise<Ran> {
  await using model = await scriptedModel(programs.map((code, index) => ({
    calls: [{
      id: `cell_${index}`,
      name: "exec",
      arguments: JSON.stringify({ code }),
    }],
  })));
  await using agent = await open({
    backend: "openai",
    model: "m",
    surfaces: ["code"],
    tools: ["get", "put"].map((name) => ({
      name,
      description: `The tool ${name}.`,
      parameters: { type: "object", properties: { id: { type: "integer" } } },
    })),
    ...config,
  }, {
    ...ambient,
    apiKey: "test-key",
    baseUrl: model.baseUrl,
    tools: { call },
    snapshot,
  });
  const result = await agent.prompt("Go").result();
  const told = (model.messages().at(-1) ?? []).filter(({ role }) =>
    role === "tool"
  )
    .map(({ content }) => JSON.parse(content));
  return { result, told, snapshot: agent.snapshot() };
}

function messageOf(told: Record<string, unknown> | undefined): string {
  return String(Object(told?.error).message);
}

test("a program's value, text and console reach the model", async () => {
  const { told } = await run([
    'text("found", 2); console.log({ a: 1 }); return [await tools.get({ id: 3 })];',
  ]);
  assertEquals(told[0]?.result, [{ id: 3 }]);
  assertStringIncludes(String(told[0]?.text), "found");
  assertStringIncludes(String(told[0]?.console), '{"a":1}');
});

test("a program that returns nothing gives null", async () => {
  assertEquals((await run(["await tools.get({})"])).told, [{ result: {} }]);
  assertEquals((await run(["let x = 1;"])).told, [{ result: null }]);
});

test("nested calls have receipts of their own, under that of their program", async () => {
  const { result: { receipts } } = await run([
    "return await Promise.all([tools.get({ id: 1 }), tools.put({ id: 2 })])",
  ]);
  const [exec, ...nested] = receipts;
  assertEquals([exec?.tool, exec?.surface, exec?.outcome, exec?.parentId], [
    "exec",
    "direct",
    "succeeded",
    undefined,
  ]);
  assertEquals(
    nested.map((
      { tool, callId, surface, parentId, outcome },
    ) => [tool, callId, surface, parentId === exec?.id, outcome]),
    [["get", "1", "code", true, "succeeded"], [
      "put",
      "2",
      "code",
      true,
      "succeeded",
    ]],
  );
});

test("a failed program tells where it failed and what it had already done", async () => {
  const { told, result } = await run(
    ['await tools.put({ id: 1 });\nconsole.log("half way");\nawait tools.get({ id: 2 }).catch(() => {});\nmissing.value;'],
    (name, input) =>
      name === "get"
        ? Promise.reject(new Error("gone"))
        : Promise.resolve(input),
  );
  const message = messageOf(told[0]);
  for (
    const part of [
      "missing is not defined\nat line 4: missing.value;",
      "half way",
      'put({"id":1}) succeeded',
      'get({"id":2}) failed (tool_failed): gone',
      "do not repeat",
    ]
  ) assertStringIncludes(message, part);
  const [exec] = result.receipts;
  assertEquals([exec?.outcome, exec?.error?.code], ["failed", "code_failed"]);
});

// R38
test("calls that nobody awaited are stopped, interrupted, and told", async () => {
  const signals: AbortSignal[] = [];
  const { told, result } = await run(
    ["tools.put({ id: 1 }); await tools.get({ id: 2 }); tools.put({ id: 3 }); return 1"],
    (name, input, signal) => {
      if (name === "get") return Promise.resolve(input);
      signals.push(signal);
      return new Promise(() => {});
    },
  );
  assertEquals(told[0]?.result, 1);
  assertEquals(signals.map(({ aborted }) => aborted), [true]);
  assertEquals(
    result.receipts.slice(1).map((
      { callId, outcome, executed },
    ) => [callId, outcome, executed]),
    [["1", "interrupted", true], ["2", "succeeded", true], [
      "3",
      "interrupted",
      false,
    ]],
  );
  assertStringIncludes(JSON.stringify(told[0]?.notes), "2 calls");
});

test("the loser of a race is interrupted, which is no failure of the program", async () => {
  const { told, result } = await run(
    ["return await Promise.race([tools.put({ id: 1 }), tools.get({ id: 2 })])"],
    (name, input) =>
      name === "get" ? Promise.resolve(input) : new Promise(() => {}),
  );
  assertEquals(told[0]?.result, { id: 2 });
  assertEquals(result.receipts.map(({ tool, outcome }) => [tool, outcome]), [
    ["exec", "succeeded"],
    ["put", "interrupted"],
    ["get", "succeeded"],
  ]);
});

test("calls that the guest refuses have receipts too", async () => {
  const { result } = await run([
    "await tools.get({ id: 10n }).catch(() => {}); return 1",
  ]);
  assertEquals(
    result.receipts.slice(1).map((
      { tool, outcome, error, input },
    ) => [tool, outcome, error?.code, input]),
    [["get", "rejected", "invalid_input", undefined]],
  );
});

test("exec does not nest", async () => {
  const { result } = await run([
    'return await tools.exec({ code: "1" }).catch((error) => error.code)',
  ]);
  assertEquals(result.receipts.map(({ tool, outcome }) => [tool, outcome]), [[
    "exec",
    "succeeded",
  ], ["exec", "rejected"]]);
});

test("on the code surface alone a tool cannot be called directly", async () => {
  await using model = await scriptedModel([{
    calls: [{ id: "c1", name: "get", arguments: "{}" }],
  }]);
  await using agent = await open({
    backend: "anthropic",
    model: "m",
    surfaces: ["code"],
    tools: [{ name: "get", description: "", parameters: { type: "object" } }],
  }, {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: model.baseUrl,
    tools: { call: echo },
  });
  const { receipts } = await agent.prompt("Go").result();
  assertEquals(receipts.map(({ error }) => error?.code), ["unknown_tool"]);
});

test("what a program stores, a later one loads", async () => {
  const { told } = await run([
    'store("k", { a: [1] }); return 1',
    'return load("k")',
    'store("k", undefined)',
    'return load("k") ?? "none"',
  ]);
  assertEquals(told.map(({ result }) => result), [1, { a: [1] }, null, "none"]);
});

test("what a program stores, one in another process loads from the snapshot", async () => {
  const { snapshot } = await run(['store("k", { a: [1] }); return 1']);
  const { told } = await run(
    ['return load("k")'],
    echo,
    {},
    manualAmbient(),
    JSON.parse(JSON.stringify(snapshot)),
  );
  assertEquals(told.at(-1)?.result, { a: [1] });
});

test("stored values are bounded over all programs", async () => {
  const { told } = await run(
    [
      'store("a", "x".repeat(60)); return 1',
      'store("b", "x".repeat(60)); return 2',
      'return [load("a") !== undefined, load("b") !== undefined]',
    ],
    echo,
    { budget: { cellStoreBytes: 100 } },
  );
  assertStringIncludes(JSON.stringify(told[1]), "Nothing was stored");
  assertEquals(told[2]?.result, [true, false]);
});

// R51
test("time stands at the turn's start and chance is seeded by the program's call", async () => {
  const code = "return [Date.now(), Math.random()]";
  const first = await run([code, code]);
  const second = await run([code, code]);
  assertEquals(first.told, second.told);
  const [one, two] = first.told.map(({ result }) => result as number[]);
  assertEquals(one?.[0], 1_000_000);
  assert(one?.[1] !== two?.[1]);
});

for (
  const [what, code, budget, expected] of [
    ["CPU", "for (;;);", { cellFuel: 100_000 }, ["failed", "budget_spent"]],
    [
      "memory",
      "const all = []; for (;;) all.push('x'.repeat(1e6) + all.length);",
      { cellMemoryBytes: 8_000_000, cellFuel: 2_000_000_000 },
      ["failed", "budget_spent"],
    ],
    ["source", `return ${"1".repeat(200)}`, { cellSourceBytes: 100 }, [
      "rejected",
      "code_invalid",
    ]],
    ["output", "return 'x'.repeat(1000)", { cellOutputBytes: 100 }, [
      "failed",
      "budget_spent",
    ]],
    ["calls", "for (let i = 0; i < 5; i++) await tools.get({ id: i })", {
      cellCalls: 2,
    }, ["failed", "budget_spent"]],
    ["nothing to wait for", "await new Promise(() => {})", {}, [
      "failed",
      "code_failed",
    ]],
    ["a syntax error", "return (1", {}, ["rejected", "code_invalid"]],
    ["an empty program", "  ", {}, ["rejected", "code_invalid"]],
  ] as const
) {
  test(`a program that runs into its limit ends alone: ${what}`, async () => {
    const { result, told } = await run([code, "return 3"], echo, { budget });
    const [exec] = result.receipts.filter(({ tool }) => tool === "exec");
    assertEquals([exec?.outcome, exec?.error?.code], [...expected]);
    assertEquals(told[1], { result: 3 });
  });
}

// R35
test("a program that waits for a tool that never answers ends at its time", async () => {
  const ambient = manualAmbient();
  const running = Promise.withResolvers<void>();
  const ran = run(
    ["await tools.get({ id: 1 })", "return 3"],
    () => {
      running.resolve();
      return new Promise(() => {});
    },
    { budget: { cellMs: 100 } },
    ambient,
  );
  await running.promise;
  ambient.clock.advance(100);
  const { result, told } = await ran;
  assertEquals(
    result.receipts.slice(0, 2).map((
      { outcome, error },
    ) => [outcome, error?.code]),
    [["timed_out", "timed_out"], ["interrupted", "interrupted"]],
  );
  assertEquals(told[1], { result: 3 });
});

test("a program that still waits when the turn's time is over is timed out with its calls", async () => {
  const ambient = manualAmbient();
  const running = Promise.withResolvers<void>();
  const ran = run(
    ["await tools.get({ id: 1 })", "await tools.put({ id: 2 })"],
    (name) => {
      if (name === "put") {
        running.resolve();
        return new Promise(() => {});
      }
      // What is left of the turn is no whole number of milliseconds any more.
      ambient.clock.advance(0.5);
      return Promise.resolve();
    },
    { budget: { turnMs: 1000 } },
    ambient,
  );
  await running.promise;
  ambient.clock.advance(999);
  await settled();
  ambient.clock.advance(1);
  const { result } = await ran;
  assertEquals(result.exhausted?.budget, "turnMs");
  assertEquals(
    result.receipts.map(({ tool, outcome }) => [tool, outcome]),
    [
      ["exec", "succeeded"],
      ["get", "succeeded"],
      ["exec", "timed_out"],
      ["put", "timed_out"],
    ],
  );
});

test("errors of promises that nobody awaited are told", async () => {
  const { told } = await run([
    "[1, 2].forEach(async (n) => {\n  null.x;\n});\nreturn 1",
    "tools.get({ id: 1 }); await tools.put({ id: 2 }); return 2",
    "return await tools.get({ id: 1 }).catch(() => 3)",
  ], (name) => {
    if (name === "get") throw new Error("gone");
    return Promise.resolve({});
  });
  assertEquals(told, [
    {
      result: 1,
      notes: [
        "A promise was rejected and nobody caught it: TypeError: cannot read property 'x' of null (line 2)",
      ],
    },
    {
      result: 2,
      notes: [
        "A promise was rejected and nobody caught it: Error: gone (line 1)",
      ],
    },
    { result: 3 },
  ]);
});

test("a call that could not start any more is said not to have run", async () => {
  const { told } = await run(["const n = tools.get({ id: 1 }).toFixed(2);"]);
  assertStringIncludes(
    messageOf(told[0]),
    '- get({"id":1}) did not run: the program ended first; tools.get(…) gives a promise that needs `await`',
  );
});

test("an error that the engine places too early says so", async () => {
  const { told } = await run([
    "const a = await tools.get({});\nconst b = a.b;\nconst { c } = b;",
    "const a = [];\nconst b = a.b;\nconst [c] = b;",
  ]);
  for (const error of told) {
    assertStringIncludes(messageOf(error), "at or after line ");
    assertStringIncludes(
      messageOf(error),
      "(where undefined or null is taken apart)",
    );
  }
});

test("an error names its sort once", async () => {
  const { told } = await run(
    [
      "for (;;);",
      'throw new TypeError("odd")',
      "throw new RangeError()",
    ],
    echo,
    { budget: { cellFuel: 100_000 } },
  );
  const errors = told.map(({ error }) => Object(error));
  assertEquals(errors.map(({ name }) => name), [
    "FuelError",
    "TypeError",
    "RangeError",
  ]);
  const [first, second, third] = errors.map(({ message }) =>
    String(message).split("\n")[0]
  );
  assertStringIncludes(first ?? "", "The program used all its 100000 units");
  assertEquals([second, third], ["odd", "RangeError"]);
});

test("the line that is shown is the one that the engine counts", async () => {
  const { told } = await run(['const a = "\u2028\u2029";\rmissing.value;']);
  assertStringIncludes(messageOf(told[0]), "at line 2: missing.value;");
});

// R40
test("a rule of the language that only the engine knows is told with its line", async () => {
  for (const line of ["const [a] = [2];", "break;", "return super.a"]) {
    const { result, told } = await run([`const a = 1;\n${line}`]);
    assertStringIncludes(messageOf(told[0]), `at line 2: ${line}`);
    const { name, retryable } = Object(told[0]?.error);
    assertEquals([name, retryable], ["SyntaxError", true]);
    const [exec] = result.receipts;
    assertEquals([exec?.outcome, exec?.error?.code, exec?.executed], [
      "rejected",
      "code_invalid",
      false,
    ]);
  }
});
