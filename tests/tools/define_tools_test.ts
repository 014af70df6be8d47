// Tools declared with their code beside them.

import {
  assertEquals,
  assertInstanceOf,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  type CallContext,
  defineTools,
  HostFailure,
  open,
  type Surface,
} from "nanocode-wasm";
import { manualAmbient } from "../support/ambient.ts";
import { scriptedModel } from "../support/model.ts";
import { test } from "../support/permissions.ts";
import { hostReceipts, stepOfCalls } from "../support/surface.ts";
import "../support/engine.ts";

const context: CallContext = {
  callId: "call_1",
  receiptId: "receipt_1",
  turnId: "turn_1",
  surface: "direct",
  idempotencyKey: "turn_1:call_1",
  deadline: 2_000,
  remainingMs: () => 500,
  remainingCalls: () => 3,
};

const { signal } = new AbortController();

const keyed = {
  type: "object",
  properties: { key: { type: "string" } },
  required: ["key"],
} as const;

for (const surface of ["direct", "code"] satisfies Surface[]) {
  test(`defineTools() gives what open() takes, and each call reaches its own run (${surface})`, async () => {
    const { tools, call } = defineTools({
      lookup: {
        description: "Look up a key.",
        parameters: keyed,
        run: ({ key }) => ({ value: key.toUpperCase() }),
      },
      add: {
        description: "Add two numbers.",
        parameters: {
          type: "object",
          properties: { a: { type: "number" }, b: { type: "number" } },
          required: ["a", "b"],
        },
        run: ({ a, b }) => Promise.resolve(a + b),
      },
      forget: {
        description: "Gives nothing.",
        parameters: { type: "object" },
        run: () => undefined,
      },
      fail: {
        description: "Always fails.",
        parameters: { type: "object" },
        run: () => {
          throw new RangeError("no such shelf");
        },
      },
    });
    await using model = await scriptedModel([
      stepOfCalls(surface, [
        { name: "lookup", input: { key: "alpha" } },
        { name: "add", input: { a: 2, b: 3 } },
        { name: "forget", input: {} },
        { name: "fail", input: {} },
      ]),
    ]);
    await using agent = await open({
      backend: "openai",
      model: "gpt-5",
      surfaces: [surface],
      tools,
    }, {
      ...manualAmbient(),
      apiKey: "key",
      baseUrl: model.baseUrl,
      tools: { call },
    });
    const { receipts } = await agent.prompt("Go").result();
    assertEquals(hostReceipts(receipts), [
      {
        tool: "lookup",
        input: { key: "alpha" },
        outcome: "succeeded",
        executed: true,
        output: { value: "ALPHA" },
      },
      {
        tool: "add",
        input: { a: 2, b: 3 },
        outcome: "succeeded",
        executed: true,
        output: 5,
      },
      {
        tool: "forget",
        input: {},
        outcome: "succeeded",
        executed: true,
        output: null,
      },
      {
        tool: "fail",
        input: {},
        outcome: "failed",
        executed: true,
        error: {
          name: "RangeError",
          code: "tool_failed",
          message: "no such shelf",
          retryable: false,
        },
      },
    ]);
  });
}

Deno.test("defineTools() declares each tool as plain JSON, in the order given", () => {
  const { tools } = defineTools({
    second: { description: "2", parameters: keyed, run: () => 2 },
    first: { description: "1", parameters: { type: "object" }, run: () => 1 },
  });
  assertEquals(JSON.parse(JSON.stringify(tools)), [
    { name: "second", description: "2", parameters: keyed },
    { name: "first", description: "1", parameters: { type: "object" } },
  ]);
});

Deno.test("call() gives run the call's context and its signal", async () => {
  const seen: unknown[] = [];
  const { call } = defineTools({
    look: {
      description: "",
      parameters: { type: "object" },
      run: (input, { signal, idempotencyKey, remainingMs, remainingCalls }) => {
        seen.push(input, idempotencyKey, remainingMs(), remainingCalls());
        return signal.aborted;
      },
    },
  });
  const stopped = AbortSignal.abort();
  assertEquals(await call("look", { a: 1 }, stopped, context), true);
  assertEquals(seen, [{ a: 1 }, "turn_1:call_1", 500, 3]);
});

Deno.test("call() keeps the definition as the receiver of run", async () => {
  const shelf = {
    description: "",
    parameters: { type: "object" },
    run(this: unknown) {
      return this === shelf;
    },
  } as const;
  const { call } = defineTools({ shelf });
  assertEquals(await call("shelf", {}, signal, context), true);
});

Deno.test("call() never reaches the prototype of what was defined", async () => {
  const { call } = defineTools({
    lookup: { description: "", parameters: keyed, run: () => 1 },
  });
  for (
    const name of ["toString", "__proto__", "constructor", "hasOwnProperty", ""]
  ) {
    const error = await assertRejects(() => call(name, {}, signal, context));
    assertInstanceOf(error, Error);
    assertStringIncludes(error.message, `there is no tool "${name}"`);
    assertStringIncludes(error.message, "The tools are: lookup");
  }
});

Deno.test("call() runs own tools that are named like members of a prototype", async () => {
  const { tools, call } = defineTools({
    toString: { description: "", parameters: keyed, run: () => "own" },
    constructor: { description: "", parameters: keyed, run: () => "built" },
    ["__proto__"]: { description: "", parameters: keyed, run: () => "proto" },
  });
  assertEquals(tools.map(({ name }) => name), [
    "toString",
    "constructor",
    "__proto__",
  ]);
  for (
    const [name, output] of [
      ["toString", "own"],
      ["constructor", "built"],
      ["__proto__", "proto"],
    ] as const
  ) assertEquals(await call(name, {}, signal, context), output);
});

test("an unknown name is told with the nearest, and leaves a receipt of a tool that did not run", async () => {
  const { call } = defineTools({
    lookup: { description: "", parameters: keyed, run: () => 1 },
  });
  await using model = await scriptedModel([
    stepOfCalls("direct", [{ name: "lookups", input: {} }]),
  ]);
  await using agent = await open({
    backend: "anthropic",
    model: "claude-sonnet-4-5",
    surfaces: ["direct"],
    tools: [{
      name: "lookups",
      description: "Declared by hand, and defined nowhere.",
      parameters: { type: "object" },
    }],
  }, {
    ...manualAmbient(),
    apiKey: "key",
    baseUrl: model.baseUrl,
    tools: { call },
  });
  const { receipts } = await agent.prompt("Go").result();
  assertEquals(hostReceipts(receipts), [{
    tool: "lookups",
    input: {},
    outcome: "rejected",
    executed: false,
    error: {
      name: "ToolError",
      code: "unknown_tool",
      message:
        'there is no tool "lookups"; did you mean "lookup"? The tools are: lookup',
      retryable: false,
    },
  }]);
});

test("a run that obeys its signal ends with its call, and is not abandoned", async () => {
  const { tools, call } = defineTools({
    wait: {
      description: "",
      parameters: { type: "object" },
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    },
  });
  await using model = await scriptedModel([
    stepOfCalls("direct", [{ name: "wait", input: {} }]),
  ]);
  await using agent = await open({
    backend: "openai",
    model: "gpt-5",
    surfaces: ["direct"],
    tools,
  }, {
    ...manualAmbient(),
    apiKey: "key",
    baseUrl: model.baseUrl,
    tools: { call },
  });
  const turn = agent.prompt("Go");
  for await (const event of turn) {
    if (event.type === "tool_started") turn.cancel("enough");
  }
  const { receipts } = await turn.result();
  assertEquals(
    receipts.map(({ outcome, abandoned }) => [outcome, abandoned]),
    [["cancelled", undefined]],
  );
});

Deno.test("defineTools() tells everything that is wrong at once", () => {
  const wrong: Record<string, unknown> = {
    lookup: { description: 1, parameters: keyed, run: "lookup", strict: true },
    "a b": { description: "", parameters: true, run: () => 1 },
    gone: null,
  };
  const error = assertThrows(
    () => Reflect.apply(defineTools, undefined, [wrong]),
    HostFailure,
  );
  assertEquals(error.kind, "configuration");
  assertEquals(error.problems, [
    {
      path: "tools.lookup.strict",
      reason: "no such field; a tool has description, parameters and run",
    },
    { path: "tools.lookup.description", reason: "expected a string" },
    { path: "tools.lookup.run", reason: "expected a function" },
    {
      path: 'tools["a b"].parameters',
      reason: "expected a JSON Schema, or a schema object that has one",
    },
    {
      path: "tools.gone",
      reason: "expected an object with description, parameters and run",
    },
  ]);
});

Deno.test("defineTools() refuses what would lose a tool without a word", () => {
  const tool = { description: "", parameters: keyed, run: () => 1 };
  for (const wrong of [{ __proto__: tool }, [tool], new Map(), null]) {
    const error = assertThrows(
      () => Reflect.apply(defineTools, undefined, [wrong]),
      HostFailure,
    );
    assertEquals(error.problems.map(({ path }) => path), ["tools"]);
  }
});
