import { assert, assertEquals, assertRejects } from "@std/assert";
import { HostFailure, open, type TurnEvent } from "nanocode-wasm";
import type { StepOutput } from "../src/backends/backend.ts";
import { BudgetMeter } from "../src/budget.ts";
import { defaultBudget } from "../src/budget_presets.ts";
import { noUsage } from "../src/events.ts";
import {
  budgetEnd,
  failedEnd,
  modelEnd,
  type Progress,
  stoppedEnd,
} from "../src/turn_end.ts";
import { manualAmbient, ManualClock } from "./support/ambient.ts";
import { refused, scriptedFetch, streamed } from "./support/scripted_fetch.ts";
import { wireEvents } from "./support/wire.ts";

const usage = {
  inputTokens: 10,
  cachedInputTokens: 4,
  outputTokens: 5,
  reasoningTokens: 2,
};
const progress: Progress = { step: 3, text: "so far", usage };
const told = { text: "so far", usage, steps: 3 };

function output(providerStopReason: string | undefined): StepOutput {
  return {
    stop: "completed",
    providerStopReason,
    items: [],
    calls: [],
    text: "of the step",
    usage: noUsage,
  };
}

function meterAfter(ms: number): BudgetMeter {
  const clock = new ManualClock();
  const limits = { ...defaultBudget, turnMs: 100 };
  const meter = new BudgetMeter(limits, () => clock.now());
  clock.advance(ms);
  return meter;
}

Deno.test("modelEnd() tells why, the provider's word for it, and what there is so far", () => {
  assertEquals(modelEnd(progress, output("end_turn"), "completed"), {
    stopReason: "completed",
    providerStopReason: "end_turn",
    ...told,
  });
});

Deno.test("modelEnd() leaves the provider's word out where there was none", () => {
  assertEquals(modelEnd(progress, output(undefined), "truncated"), {
    stopReason: "truncated",
    ...told,
  });
});

Deno.test("budgetEnd() tells which budget, and how much of it was used", () => {
  const exhausted = { budget: "steps", used: 3, limit: 3 } as const;
  assertEquals(budgetEnd(progress, exhausted), {
    stopReason: "budget",
    exhausted,
    ...told,
  });
});

for (
  const [cause, cancelReason] of [
    [{ tag: "cancelled", reason: "enough" }, "enough"],
    [{ tag: "interrupted", reason: "the process ends" }, "the process ends"],
    [{ tag: "call_time", limitMs: 5 }, "stopped"],
  ] as const
) {
  Deno.test(`stoppedEnd() is cancelled where the turn stopped for ${cause.tag}`, () => {
    assertEquals(stoppedEnd(meterAfter(50), progress, cause), {
      stopReason: "cancelled",
      cancelReason,
      ...told,
    });
  });
}

for (const [ms, used] of [[100, 100], [130, 130], [0, 100]] as const) {
  Deno.test(`stoppedEnd() is the budget's end where the turn's time is over, after ${ms} ms`, () => {
    const cause = { tag: "turn_time", limitMs: 100 } as const;
    assertEquals(stoppedEnd(meterAfter(ms), progress, cause), {
      stopReason: "budget",
      exhausted: { budget: "turnMs", used, limit: 100 },
      ...told,
    });
  });
}

Deno.test("failedEnd() keeps what the steps before the failure used and said", () => {
  const failure = new HostFailure("backend", "overloaded");
  assertEquals(failedEnd(progress, failure), {
    stopReason: "failed",
    ...told,
    failure: { kind: "backend", message: "overloaded", retryable: false },
  });
});

Deno.test("failedEnd() tells all that a HostFailure knows of the provider's answer, as plain JSON", () => {
  const details = {
    code: "overloaded_error",
    status: 529,
    requestId: "req_1",
    retryable: true,
    retryAfterMs: 2_000,
  };
  const { failure } = failedEnd(
    progress,
    new HostFailure("backend", "overloaded", details),
  );
  assertEquals(failure, {
    kind: "backend",
    message: "overloaded",
    ...details,
  });
  assertEquals(JSON.parse(JSON.stringify(failure)), failure);
});

Deno.test("a turn that fails in a later step tells the steps and tokens of those before", async () => {
  const call = { id: "c1", name: "lookup", arguments: "{}" };
  const { fetch } = scriptedFetch([
    streamed(wireEvents("openai", { text: "I look.", calls: [call] })),
    refused(400),
  ]);
  await using agent = await open(
    { backend: "openai", model: "m" },
    { ...manualAmbient(), apiKey: "test-key", fetch },
  );
  const events: TurnEvent[] = [];
  await assertRejects(async () => {
    for await (const event of agent.prompt("Hello")) events.push(event);
  }, HostFailure);
  const end = events.at(-1);
  assert(end?.type === "end");
  assertEquals([end.stopReason, end.steps, end.text, end.usage], [
    "failed",
    2,
    "I look.",
    usage,
  ]);
});

for (const error of [new TypeError("internal detail"), "text", null]) {
  Deno.test(`failedEnd() tells nothing of ${Deno.inspect(error).split("\n")[0]}`, () => {
    assertEquals(failedEnd(progress, error).failure, {
      kind: "backend",
      message: "The turn failed for a reason that it does not know",
      retryable: false,
    });
  });
}
