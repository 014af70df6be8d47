// A call that is stopped, or never gets to run: by its time, the turn's, a
// cancellation, a spent budget.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { eventLoopTurn } from "../src/ambient.ts";
import { type FunctionTool, ToolFailure } from "../src/tools/function_tool.ts";
import type { HostTools } from "../src/tools/host_tool.ts";
import { toolError } from "../src/tool_error.ts";
import type { StopCause } from "../src/stop.ts";
import { type Bench, callBench, settled } from "./support/call_bench.ts";

/** A handler that waits to be told what to give. */
function waitingBench(budget = {}): {
  readonly bench: Bench;
  readonly signals: AbortSignal[];
  readonly answers: PromiseWithResolvers<unknown>[];
} {
  const signals: AbortSignal[] = [];
  const answers: PromiseWithResolvers<unknown>[] = [];
  const bench = callBench({
    call: (_name, _input, signal) => {
      const answer = Promise.withResolvers<unknown>();
      signals.push(signal);
      answers.push(answer);
      return answer.promise;
    },
    budget,
  });
  return { bench, signals, answers };
}

Deno.test("runCall() stops a call at budget.callMs, to the millisecond, and aborts its signal", async () => {
  const { bench, signals } = waitingBench({ callMs: 50 });
  const running = bench.call();
  await settled();
  bench.clock.advance(49);
  await settled();
  assertEquals(signals.map(({ aborted }) => aborted), [false]);
  bench.clock.advance(1);
  const { receipt, result } = await bench.ended(running);
  const error = toolError(
    "timed_out",
    "the call took longer than 50 ms and was stopped",
    true,
  );
  assertEquals(result, { tag: "error", error });
  assertEquals(
    [receipt.outcome, receipt.executed, receipt.abandoned, receipt.error],
    ["timed_out", true, true, error],
  );
  assertEquals([receipt.startedAt, receipt.endedAt], [1_000_000, 1_000_050]);
  assertEquals(signals[0]?.reason.name, "TimeoutError");
});

for (const late of ["result", "error"] as const) {
  Deno.test(`runCall() abandons a tool that ignores its signal; its late ${late} changes nothing`, async () => {
    const { bench, answers } = waitingBench({ callMs: 50 });
    const running = bench.call();
    await settled();
    bench.clock.advance(50);
    const end = await bench.ended(running);
    const before = JSON.stringify([
      end,
      bench.scope.receipts.list(),
      bench.events,
    ]);
    if (late === "result") answers[0]?.resolve("too late");
    else answers[0]?.reject(new Error("too late"));
    await settled();
    assertEquals(
      JSON.stringify([end, bench.scope.receipts.list(), bench.events]),
      before,
    );
  });
}

Deno.test("runCall() says of a tool that obeys its signal that it was stopped, not that it was abandoned", async () => {
  const gives: Readonly<Record<string, HostTools["call"]>> = {
    "an error": (_name, _input, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      ),
    "a result": (_name, _input, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve("in part"))
      ),
    // As a platform does whose own work is aborted.
    "an error in the next turn of the event loop": (_name, _input, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => {
          void eventLoopTurn().then(() => reject(signal.reason));
        })
      ),
  };
  for (const [give, call] of Object.entries(gives)) {
    const bench = callBench({ call, budget: { callMs: 50 } });
    const running = bench.call();
    await settled();
    bench.clock.advance(50);
    const { receipt } = await bench.ended(running);
    assertEquals(
      [receipt.outcome, receipt.abandoned, receipt.output],
      ["timed_out", undefined, undefined],
      give,
    );
  }
});

/** The last two: what is added where the tool ran, and where it did not. */
const causes: readonly [
  StopCause,
  outcome: string,
  message: string,
  ran?: string,
  notRun?: string,
][] = [
  [
    { tag: "cancelled", reason: "enough" },
    "cancelled",
    "the turn was cancelled: enough",
  ],
  [
    { tag: "turn_time", limitMs: 900 },
    "timed_out",
    "the turn's time of 900 ms is over",
  ],
  [
    { tag: "interrupted", reason: "the program ended" },
    "interrupted",
    "the program ended",
    "; whether it had its effect is not known",
    "; the tool did not run",
  ],
];

for (const [cause, outcome, message, ran = "", notRun = ""] of causes) {
  Deno.test(`runCall() ends a running call as ${outcome} where the turn stopped for ${cause.tag}`, async () => {
    const { bench, signals } = waitingBench();
    const running = bench.call();
    await settled();
    bench.stop.stop(cause);
    const { receipt } = await bench.ended(running);
    assertEquals(signals[0]?.aborted, true);
    assertEquals([receipt.outcome, receipt.executed, receipt.abandoned], [
      outcome,
      true,
      true,
    ]);
    assertEquals([receipt.error?.message, receipt.error?.retryable], [
      message + ran,
      false,
    ]);
  });

  Deno.test(`runCall() does not start a call after the turn stopped for ${cause.tag}`, async () => {
    const { bench, signals } = waitingBench({ calls: 0 });
    bench.stop.stop(cause);
    const { receipt } = await bench.ended();
    assertEquals(signals.length, 0);
    assertEquals(
      [receipt.outcome, receipt.executed, receipt.startedAt],
      [outcome, false, undefined],
    );
    assertEquals(receipt.error?.message, message + notRun);
  });
}

Deno.test("runCall() refuses what is over budget.calls, and says what was used", async () => {
  const { bench, answers } = waitingBench({ calls: 1 });
  const first = bench.call();
  const { receipt } = await bench.ended({ callId: "call_2" });
  assertEquals([receipt.outcome, receipt.executed], ["rejected", false]);
  assertEquals(receipt.error?.code, "budget_spent");
  assertStringIncludes(
    receipt.error?.message ?? "",
    `the turn's budget "calls" is spent (1 of 1 used)`,
  );
  answers[0]?.resolve(1);
  assertEquals((await bench.ended(first)).receipt.outcome, "succeeded");
});

Deno.test("runCall() waits for a slot, in order; the time of a call begins when it runs", async () => {
  const { bench, answers } = waitingBench({ concurrentCalls: 1, callMs: 50 });
  const first = bench.call();
  const second = bench.call({ callId: "call_2" });
  await settled();
  bench.clock.advance(40);
  answers[0]?.resolve(1);
  await settled();
  assertEquals(answers.length, 2);
  bench.clock.advance(40);
  answers[1]?.resolve(2);
  const { receipt } = await bench.ended(second);
  assertEquals(
    [receipt.outcome, receipt.requestedAt, receipt.startedAt, receipt.endedAt],
    ["succeeded", 1_000_000, 1_000_040, 1_000_080],
  );
  assertEquals((await bench.ended(first)).receipt.outcome, "succeeded");
});

Deno.test("runCall() lets a call that waits for a slot go when the turn is cancelled", async () => {
  const { bench, answers } = waitingBench({ concurrentCalls: 1 });
  const first = bench.call();
  const second = bench.call({ callId: "call_2" });
  await settled();
  bench.stop.stop({ tag: "cancelled", reason: "enough" });
  const ends = await Promise.all([bench.ended(first), bench.ended(second)]);
  assertEquals(
    ends.map(({ receipt }) => [receipt.outcome, receipt.executed]),
    [["cancelled", true], ["cancelled", false]],
  );
  assertEquals(answers.length, 1);
});

Deno.test("runCall() gives its slot back, and calls its timer off, after every end", async () => {
  const { bench, answers } = waitingBench({ concurrentCalls: 1, callMs: 50 });
  for (const end of ["resolve", "reject", "time out"] as const) {
    const running = bench.call();
    await settled();
    if (end === "time out") bench.clock.advance(50);
    else answers.at(-1)?.[end](end);
    await bench.ended(running);
    assertEquals(bench.clock.pending, 0, end);
  }
  assertEquals(answers.length, 3);
});

Deno.test("runCall() takes the end of a tool of the runtime's own from its ToolFailure", async () => {
  const own: FunctionTool = {
    name: "own",
    description: "",
    parameters: {},
    metered: false,
    check: () => [],
    run: () => {
      throw new ToolFailure(toolError("code_invalid", "no program"), {
        outcome: "rejected",
        executed: false,
      });
    },
  };
  const bench = callBench({ own, budget: { calls: 0 } });
  const { receipt } = await bench.ended({ tool: "own" });
  assertEquals(
    [receipt.outcome, receipt.executed, receipt.startedAt, receipt.error],
    ["rejected", false, undefined, toolError("code_invalid", "no program")],
  );
});
