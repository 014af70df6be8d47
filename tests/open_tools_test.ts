// Tools that are called without a model: the same checks, budgets and receipts.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AgentConfiguration,
  HostFailure,
  type HostTools,
  openTools,
  type ToolAccess,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { settled } from "./support/call_bench.ts";
import { engineModule } from "./support/engine.ts";

const tools = [{
  name: "lookup",
  description: "Look up the value stored under a key.",
  parameters: {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
  },
}];

const echo: HostTools["call"] = (_name, input) => Promise.resolve(input);

function access(
  call: HostTools["call"] = echo,
  config: Partial<AgentConfiguration> = {},
  ambient = manualAmbient(),
): Promise<ToolAccess> {
  return openTools({ surfaces: ["direct"], tools, ...config }, {
    ...ambient,
    wasm: engineModule,
    tools: { call },
  });
}

Deno.test("openTools() reports every problem at once, and asks for no model", async () => {
  try {
    await openTools(
      { budget: { calls: -1 }, tools: [{ ...tools[0], name: "a b" }] } as never,
      { tools: {} } as never,
    );
    assert(false, "it was accepted");
  } catch (error) {
    assert(error instanceof HostFailure);
    assertEquals(error.problems.map(({ path }) => path), [
      "budget.calls",
      "options.tools",
      "tools[0].name",
    ]);
  }
});

Deno.test("ToolAccess.tools tells what a model would be told, exec included", async () => {
  const both = await access(echo, { surfaces: ["direct", "code"] });
  assertEquals(both.tools.map(({ name }) => name), ["lookup", "exec"]);
  assertEquals(both.tools[0], tools[0]);
  const code = await access(echo, { surfaces: ["code"] });
  assertEquals(code.tools.map(({ name }) => name), ["exec"]);
});

Deno.test("ToolAccess.call() gives the output, and the receipt that a model's call would leave", async () => {
  const end = await (await access()).call("lookup", { key: "alpha" });
  assert(end.tag === "output");
  assertEquals(end.output, { key: "alpha" });
  assertEquals(end.text, '{"key":"alpha"}');
  assertEquals(end.nested, []);
  assertEquals(end.receipt, {
    id: "receipt_1",
    turnId: "turn_1",
    step: 1,
    callId: "call_1",
    tool: "lookup",
    surface: "direct",
    input: { key: "alpha" },
    outcome: "succeeded",
    executed: true,
    output: { key: "alpha" },
    requestedAt: 1_000_000,
    startedAt: 1_000_000,
    endedAt: 1_000_000,
    inputBytes: 15,
    outputBytes: 15,
    truncated: false,
  });
});

Deno.test("ToolAccess.call() tells the tool who called: the caller's id, and what is left", async () => {
  let seen: unknown;
  const tool = await access((_name, _input, _signal, context) => {
    seen = [context.callId, context.surface, context.remainingCalls()];
    return Promise.resolve();
  }, { budget: { calls: 3 } });
  await tool.call("lookup", { key: "a" }, { callId: "request 7" });
  assertEquals(seen, ["request 7", "direct", 2]);
});

for (
  const [title, name, input, code] of [
    ["an unknown tool", "look", {}, "unknown_tool"],
    ["an input that does not fit", "lookup", { key: 1 }, "invalid_input"],
    ["no input where some is needed", "lookup", undefined, "invalid_input"],
    ["an input that is no JSON", "lookup", { key: 1n }, "invalid_input"],
  ] as const
) {
  Deno.test(`ToolAccess.call() refuses ${title}, with a receipt, and runs nothing`, async () => {
    let ran = 0;
    const tool = await access(() => Promise.resolve(ran++));
    const end = await tool.call(name, input);
    assertEquals(end.tag === "error" && end.error.code, code);
    assertEquals([end.receipt.outcome, end.receipt.executed], [
      "rejected",
      false,
    ]);
    assertEquals(JSON.parse(end.text).error.code, code);
    assertEquals(ran, 0);
  });
}

Deno.test("ToolAccess.call() makes a throw a tool error, free of the options' secrets", async () => {
  const tool = await openTools({ surfaces: ["direct"], tools }, {
    apiKey: "provider-key-0123456789",
    tools: {
      call: () => Promise.reject(new RangeError("provider-key-0123456789 ?")),
    },
  });
  const end = await tool.call("lookup", { key: "a" });
  assert(end.tag === "error");
  assertEquals([end.error.name, end.error.code], ["RangeError", "tool_failed"]);
  assert(!end.text.includes("0123456789"));
});

Deno.test("ToolAccess.call() shows a model no more than budget.outputBytes, and the caller all", async () => {
  const long = "x".repeat(1000);
  const tool = await access(() => Promise.resolve(long), {
    budget: { outputBytes: 256 },
  });
  const end = await tool.call("lookup", { key: "a" });
  assertEquals(end.tag === "output" && end.output, long);
  assert(end.text.length <= 256);
  assertStringIncludes(end.text, "[truncated: 1002 bytes in all");
  assertEquals(end.receipt.truncated, true);
});

Deno.test("ToolAccess.call() aborts the tool's signal when its own does", async () => {
  const abort = new AbortController();
  let inside: AbortSignal | undefined;
  const tool = await access((_name, _input, signal) => {
    inside = signal;
    return new Promise(() => {});
  });
  const running = tool.call("lookup", { key: "a" }, { signal: abort.signal });
  await settled();
  abort.abort(new Error("the caller left"));
  const end = await running;
  assertEquals(inside?.aborted, true);
  assertEquals(end.receipt.outcome, "cancelled");
  assertStringIncludes(end.text, "the caller left");
});

Deno.test("ToolAccess.call() starts nothing where the signal has aborted before", async () => {
  let ran = 0;
  const tool = await access(() => Promise.resolve(ran++));
  const signal = AbortSignal.abort("too late");
  const end = await tool.call("lookup", { key: "a" }, { signal });
  assertEquals([end.receipt.outcome, end.receipt.executed, ran], [
    "cancelled",
    false,
    0,
  ]);
});

for (
  const [title, budget] of [
    ["the call's", { callMs: 500 }],
    ["the turn's", { turnMs: 500 }],
  ] as const
) {
  Deno.test(`ToolAccess.call() ends a call when ${title} time is over, and leaves no timer`, async () => {
    const ambient = manualAmbient();
    const tool = await access(
      () => new Promise(() => {}),
      { budget },
      ambient,
    );
    const running = tool.call("lookup", { key: "a" });
    await settled();
    ambient.clock.advance(500);
    const end = await running;
    assertEquals(end.receipt.outcome, "timed_out");
    assertEquals(ambient.clock.pending, 0);
  });
}

Deno.test("ToolAccess.call() gives each call the whole budget", async () => {
  const tool = await access(echo, { budget: { calls: 1 } });
  const ends = await Promise.all(
    ["a", "b"].map((key) => tool.call("lookup", { key })),
  );
  assertEquals(ends.map(({ tag }) => tag), ["output", "output"]);
  assertEquals(
    new Set(ends.map(({ receipt }) => receipt.turnId)).size,
    2,
  );
});

Deno.test("ToolAccess.call() of exec gives the receipts of its nested calls, within one budget", async () => {
  const tool = await access(echo, {
    surfaces: ["code"],
    budget: { calls: 2 },
  });
  const end = await tool.call("exec", {
    code: `const keys = ["a", "b", "c"];
      const all = await Promise.allSettled(keys.map((key) => tools.lookup({ key })));
      return all.map(({ status }) => status);`,
  });
  assertEquals(end.tag === "output" && end.output, {
    result: ["fulfilled", "fulfilled", "rejected"],
  });
  assertEquals(
    end.nested.map(({ tool, outcome, parentId }) => [tool, outcome, parentId]),
    [
      ["lookup", "succeeded", end.receipt.id],
      ["lookup", "succeeded", end.receipt.id],
      ["lookup", "rejected", end.receipt.id],
    ],
  );
});

Deno.test("ToolAccess keeps what programs store as long as it lives", async () => {
  const tool = await access(echo, { surfaces: ["code"] });
  await tool.call("exec", { code: 'store("n", 7);' });
  const end = await tool.call("exec", { code: 'return load("n");' });
  assertEquals(end.tag === "output" && end.output, { result: 7 });
  const other = await access(echo, { surfaces: ["code"] });
  const empty = await other.call("exec", { code: 'return load("n") ?? null;' });
  assertEquals(empty.tag === "output" && empty.output, { result: null });
});

Deno.test("exec does not speak of store where the budget lets programs keep nothing", async () => {
  const told = async (cellStoreBytes: number) => {
    const config = { surfaces: ["code"], budget: { cellStoreBytes } } as const;
    return (await access(echo, config)).tools[0]?.description ?? "";
  };
  assertStringIncludes(await told(1), "`store(key, value)`");
  assert(!(await told(0)).includes("store("));
});
