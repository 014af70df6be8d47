// What an answer means for the turn, and for the calls in it.

import { assertEquals } from "@std/assert";
import { open } from "nanocode-wasm";
import type { StepOutput, StepStop } from "../src/backends/backend.ts";
import { noUsage } from "../src/events.ts";
import { endOf, refusalOf, refuseCalls, toRequest } from "../src/step.ts";
import { toolError } from "../src/tool_error.ts";
import { manualAmbient } from "./support/ambient.ts";
import { scriptedFetch, streamed } from "./support/scripted_fetch.ts";
import { stepBench } from "./support/step_bench.ts";
import { wireEvents } from "./support/wire.ts";

Deno.test("toRequest() is a direct call; it carries why the call must not run, if it must not", () => {
  const asked = {
    callId: "c1",
    answers: "c1",
    tool: "lookup",
    arguments: "{}",
  };
  const plain = {
    callId: "c1",
    step: 3,
    tool: "lookup",
    surface: "direct",
    arguments: "{}",
  } as const;
  const refusal = toolError("not_run", "no");
  assertEquals(toRequest(3, asked, undefined), plain);
  assertEquals(toRequest(3, asked, refusal), { ...plain, refusal });
});

Deno.test("refuseCalls() gives every call its receipt, and runs none", async () => {
  const { scope, bench, ran } = stepBench([]);
  const calls = ["c1", "c2"].map((callId) => ({
    callId,
    answers: callId,
    tool: "lookup",
    arguments: '{"key":"a"}',
  }));
  await refuseCalls(scope, 1, calls, toolError("not_run", "no"));
  assertEquals(
    bench.scope.receipts.list().map(({ callId, outcome }) => [callId, outcome]),
    [["c1", "rejected"], ["c2", "rejected"]],
  );
  assertEquals(ran(), 0);
});

function stepOutput(stop: StepStop, calls: number, word?: string): StepOutput {
  return {
    stop,
    providerStopReason: word,
    items: [],
    calls: Array.from({ length: calls }, (_, index) => ({
      callId: `c${index}`,
      answers: `c${index}`,
      tool: "lookup",
      arguments: "{}",
    })),
    text: "",
    usage: noUsage,
  };
}

for (
  const [stop, calls, end, refusal] of [
    ["completed", 0, "completed", undefined],
    ["tool_calls", 1, undefined, undefined],
    ["paused", 0, undefined, undefined],
    ["truncated", 0, "truncated", "truncated"],
    // The model is told which calls were cut, and goes on.
    ["truncated", 1, undefined, "truncated"],
    ["refused", 1, "refused", "not_run"],
    ["other", 1, "other", "not_run"],
  ] as const
) {
  const turn = end === undefined ? "goes on" : `ends as ${end}`;
  const run = refusal === undefined ? "run" : `are refused as ${refusal}`;
  Deno.test(`after an answer that is ${stop}, with ${calls} calls, the turn ${turn}, and calls ${run}`, () => {
    const output = stepOutput(stop, calls);
    assertEquals([endOf(output), refusalOf(output)?.code], [end, refusal]);
  });
}

Deno.test("refusalOf() says what to do, and the provider's own word", () => {
  const cut = refusalOf(stepOutput("truncated", 1));
  assertEquals([cut?.retryable, cut?.message.includes("smaller")], [
    true,
    true,
  ]);
  assertEquals(
    refusalOf(stepOutput("other", 1, "new_reason"))?.message,
    'the answer ended with "new_reason". The tool did not run',
  );
  assertEquals(
    refusalOf(stepOutput("refused", 1))?.message,
    'the answer ended with "refused". The tool did not run',
  );
});

for (const backend of ["openai", "anthropic"] as const) {
  Deno.test(`${backend}: arguments that nest too deep to be written again leave a conversation that can be stored`, async () => {
    const text = `{"key":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const call = { id: "c1", name: "lookup", arguments: text };
    const { fetch, sent } = scriptedFetch([
      streamed(wireEvents(backend, { calls: [call] })),
      streamed(wireEvents(backend, { text: "I see." })),
    ]);
    await using agent = await open(
      { backend, model: "m" },
      { ...manualAmbient(), apiKey: "test-key", fetch },
    );
    const { text: said, receipts } = await agent.prompt("Look up").result();
    assertEquals([said, sent.length, receipts[0]?.outcome], [
      "I see.",
      2,
      "rejected",
    ]);
    const stored = JSON.stringify(agent.snapshot());
    await using _again = await open(
      { backend, model: "m" },
      { apiKey: "test-key", snapshot: JSON.parse(stored) },
    );
  });
}
