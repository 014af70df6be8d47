// What the host's handler is given: the tool's name, the input, the signal, and
// what is known of the call.

import { assert, assertEquals } from "@std/assert";
import type { FunctionTool, NestedCall } from "../src/tools/function_tool.ts";
import type { CallContext, HostTools } from "../src/tools/host_tool.ts";
import { toolError } from "../src/tool_error.ts";
import { type BenchOptions, callBench } from "./support/call_bench.ts";

type Given = Parameters<HostTools["call"]>;

/** A bench whose handler keeps what it was given. */
function recording(options: Omit<BenchOptions, "call"> = {}): {
  readonly bench: ReturnType<typeof callBench>;
  readonly given: Given[];
} {
  const given: Given[] = [];
  const bench = callBench({
    ...options,
    call: (...call) => Promise.resolve(given.push(call)),
  });
  return { bench, given };
}

function contextOf([call]: readonly Given[]): CallContext {
  assert(call !== undefined, "the handler did not run");
  return call[3];
}

/** A tool of the runtime's own that makes calls of other tools. */
function caller(calls: readonly NestedCall[]): FunctionTool {
  return {
    name: "caller",
    description: "",
    parameters: {},
    metered: false,
    check: () => [],
    run: (_input, { call, stop }) =>
      Promise.all(calls.map((nested) => call(nested, stop))),
  };
}

Deno.test("the handler gets name, input, signal and context, and nothing else", async () => {
  const { bench, given } = recording();
  await bench.ended();
  const [name, input, signal, context, ...rest] = given[0] ?? [];
  assertEquals([name, input, rest], ["lookup", { key: "alpha" }, []]);
  assert(signal instanceof AbortSignal);
  assertEquals(signal.aborted, false);
  const { remainingMs, remainingCalls, ...data } = context ?? {};
  assertEquals([typeof remainingMs, typeof remainingCalls], [
    "function",
    "function",
  ]);
  assertEquals(data, {
    callId: "call_1",
    receiptId: "receipt_1",
    turnId: "turn_1",
    surface: "direct",
    idempotencyKey: "turn_1:1:call_1",
    deadline: 1_060_000,
  });
});

Deno.test("context.idempotencyKey is the same when the same call runs again, and no other's", async () => {
  const keys: string[] = [];
  // Some servers begin their call ids anew in each answer.
  for (
    const [step, callId] of [
      [1, "call_1"],
      [1, "call_1"],
      [1, "call_2"],
      [2, "call_1"],
      // What a program's call of the same name would have in its key.
      [1, "call:1"],
      [1, "call%3A1"],
    ] as const
  ) {
    const { bench, given } = recording();
    await bench.ended({ step, callId });
    keys.push(contextOf(given).idempotencyKey);
  }
  assertEquals(keys, [
    "turn_1:1:call_1",
    "turn_1:1:call_1",
    "turn_1:1:call_2",
    "turn_1:2:call_1",
    "turn_1:1:call%3A1",
    "turn_1:1:call%253A1",
  ]);
});

for (
  const [budget, deadline, why] of [
    [{ turnMs: 1_000, callMs: 300 }, 1_000_300, "of the call"],
    [{ turnMs: 200, callMs: 300 }, 1_000_200, "of the turn"],
  ] as const
) {
  Deno.test(`context.deadline is the earlier one, here ${why}, and remainingMs() counts down to it`, async () => {
    const left: number[] = [];
    const bench = callBench({
      budget,
      call: (_name, _input, _signal, context) => {
        assertEquals(context.deadline, deadline);
        for (const ms of [0, 150, deadline]) {
          bench.clock.advance(ms);
          left.push(context.remainingMs());
        }
        return Promise.resolve();
      },
    });
    await bench.ended();
    const total = deadline - 1_000_000;
    assertEquals(left, [total, total - 150, 0]);
  });
}

Deno.test("context.remainingCalls() tells what is left now, the running call not counted", async () => {
  const { bench, given } = recording({ budget: { calls: 3 } });
  await bench.ended();
  const { remainingCalls } = contextOf(given);
  assertEquals(remainingCalls(), 2);
  await bench.ended({ callId: "call_2" });
  assertEquals(remainingCalls(), 1);
});

Deno.test("a call from a program has its number, its surface, and the program's call in its key", async () => {
  const own = caller([
    { callId: "1", tool: "lookup", arguments: '{"key":"a"}' },
    { callId: "2", tool: "save", arguments: '{"key":"b"}' },
  ]);
  const { bench, given } = recording({ own });
  const { receipt } = await bench.ended({ tool: "caller", step: 4 });
  assertEquals(receipt.output, [
    { tag: "output", text: "1" },
    { tag: "output", text: "2" },
  ]);
  assertEquals(
    given.map(([name, , , { callId, surface, idempotencyKey }]) => [
      name,
      callId,
      surface,
      idempotencyKey,
    ]),
    [
      ["lookup", "1", "code", "turn_1:4:call_1:1"],
      ["save", "2", "code", "turn_1:4:call_1:2"],
    ],
  );
  const nested = bench.scope.receipts.list().slice(1);
  assertEquals(
    nested.map(({ id, parentId, surface, step }) => [
      id,
      parentId,
      surface,
      step,
    ]),
    [["receipt_2", receipt.id, "code", 4], [
      "receipt_3",
      receipt.id,
      "code",
      4,
    ]],
  );
});

Deno.test("a call from a program is checked, charged and refused like any other", async () => {
  const own = caller([
    { callId: "1", tool: "lookpu", arguments: "{}" },
    { callId: "2", tool: "lookup", arguments: '{"key":7}' },
    { callId: "3", tool: "caller", arguments: "{}" },
    {
      callId: "4",
      tool: "lookup",
      arguments: undefined,
      refusal: toolError("interrupted", "too late"),
    },
    { callId: "5", tool: "lookup", arguments: '{"key":"a"}' },
  ]);
  const { bench, given } = recording({ own, budget: { calls: 0 } });
  await bench.ended({ tool: "caller" });
  assertEquals(given, []);
  assertEquals(
    bench.scope.receipts.list().slice(1).map(({ outcome, error, input }) => [
      outcome,
      error?.code,
      input,
    ]),
    [
      ["rejected", "unknown_tool", {}],
      ["rejected", "invalid_input", { key: 7 }],
      ["rejected", "unknown_tool", {}],
      ["interrupted", "interrupted", undefined],
      ["rejected", "budget_spent", { key: "a" }],
    ],
  );
});

Deno.test("what a handler does to its input is not seen in the receipt", async () => {
  const bench = callBench({
    call: (_name, input) => {
      Object.assign(Object(input), { key: "changed" });
      return Promise.resolve();
    },
  });
  const { receipt } = await bench.ended();
  assertEquals(receipt.input, { key: "alpha" });
});

Deno.test("what a handler does to its result later is not seen in the receipt", async () => {
  const result = { value: 1 };
  const bench = callBench({ call: () => Promise.resolve(result) });
  const { receipt } = await bench.ended();
  result.value = 2;
  assertEquals(receipt.output, { value: 1 });
});
