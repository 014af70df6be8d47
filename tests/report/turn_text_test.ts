// A turn as text, from its events.

import { assertEquals } from "@std/assert";
import type { Receipt, TurnEnd, TurnEvent } from "nanocode-wasm";
import { duration } from "../../src/report/end_text.ts";
import { TurnText } from "../../src/report/turn_text.ts";

const turnId = "turn_1";

const started = (step: number, at = 1_000): TurnEvent => ({
  type: "step_started",
  turnId,
  step,
  at,
});

const says = (delta: string): TurnEvent => ({
  type: "text",
  turnId,
  step: 1,
  delta,
});

function receipt(id: string, parts: Partial<Receipt>): Receipt {
  return {
    id,
    turnId,
    step: 1,
    callId: id,
    tool: "lookup",
    surface: "direct",
    executed: false,
    requestedAt: 1_000,
    inputBytes: 0,
    outputBytes: 0,
    truncated: false,
    ...parts,
  };
}

const begins = (id: string, parts: Partial<Receipt>): TurnEvent => ({
  type: "tool_started",
  turnId,
  receipt: receipt(id, parts),
});

const ends = (id: string, parts: Partial<Receipt>): TurnEvent => ({
  type: "tool_finished",
  turnId,
  receipt: receipt(id, { executed: true, startedAt: 1_000, ...parts }),
});

const end = (parts: Partial<TurnEnd> = {}, at = 2_250): TurnEvent => ({
  type: "end",
  turnId,
  at,
  stopReason: "completed",
  text: "",
  usage: {
    inputTokens: 310,
    cachedInputTokens: 0,
    outputTokens: 25,
    reasoningTokens: 0,
  },
  steps: 2,
  ...parts,
});

function told(
  events: readonly TurnEvent[],
  budget?: ConstructorParameters<typeof TurnText>[1],
): string[] {
  const text = new TurnText(0, budget);
  return events.map((event) => text.event(event, 0)).join("").split("\n");
}

Deno.test("TurnText tells parallel calls by number, each with its outcome and duration", () => {
  assertEquals(
    told([
      started(1),
      says("Both "),
      says("at once."),
      begins("a", { input: { key: "alpha" } }),
      begins("b", { input: { key: "beta" } }),
      ends("b", { outcome: "succeeded", output: "BETA", endedAt: 1_041 }),
      ends("a", { outcome: "succeeded", output: "ALPHA", endedAt: 2_250 }),
      started(2),
      says("Done.\n"),
      end(),
    ]),
    [
      "Step 1",
      "Both at once.",
      '  #1 lookup {"key":"alpha"}',
      '  #2 lookup {"key":"beta"}',
      '  #2 lookup succeeded in 41 ms: "BETA"',
      '  #1 lookup succeeded in 1.2 s: "ALPHA"',
      "Step 2",
      "Done.",
      "Completed after 1.2 s: 2 steps, 2 calls, 310 tokens in, 25 out",
      "",
    ],
  );
});

Deno.test("TurnText puts the calls of a program under it", () => {
  const exec = { tool: "exec", input: { code: "const a = 1;\nreturn a;\n" } };
  const nested = { surface: "code", parentId: "cell" } as const;
  assertEquals(
    told([
      begins("cell", exec),
      begins("a", { ...nested, input: { key: "alpha" } }),
      begins("b", { ...nested, input: { key: "beta" } }),
      begins("other", {}),
      ends("a", { ...nested, outcome: "succeeded", output: 1, endedAt: 1_003 }),
      ends("b", {
        ...nested,
        outcome: "failed",
        error: {
          name: "RangeError",
          code: "tool_failed",
          message: "no such shelf",
          retryable: false,
        },
        endedAt: 1_004,
      }),
      ends("cell", {
        ...exec,
        outcome: "succeeded",
        output: 1,
        endedAt: 1_005,
      }),
      end(),
    ]),
    [
      "  #1 exec",
      "     | const a = 1;",
      "     | return a;",
      '    #1.1 lookup {"key":"alpha"}',
      '    #1.2 lookup {"key":"beta"}',
      "  #2 lookup ",
      "    #1.1 lookup succeeded in 3 ms: 1",
      "    #1.2 lookup failed in 4 ms: RangeError: no such shelf",
      "  #1 exec succeeded in 5 ms: 1",
      // The program is no call of a host's tool.
      "Completed after 1.2 s: 2 steps, 2 calls, 310 tokens in, 25 out",
      "",
    ],
  );
});

Deno.test("TurnText tells a call that did not run, one that was cut, and one that was given up", () => {
  const error = {
    name: "ToolError",
    code: "timed_out",
    message: "took too long",
    retryable: true,
  } as const;
  assertEquals(
    told([
      ends("a", { outcome: "succeeded", output: [1], truncated: true }),
      ends("b", {
        outcome: "timed_out",
        error,
        abandoned: true,
        endedAt: 61_000,
      }),
      {
        type: "tool_finished",
        turnId,
        receipt: receipt("c", {
          outcome: "rejected",
          error: { ...error, code: "unknown_tool", message: "no tool" },
          endedAt: 1_000,
        }),
      },
      end({}, 0),
    ]),
    [
      "  #1 lookup succeeded: [1] (the model was shown the start only)",
      "  #2 lookup timed out in 1 min: ToolError: took too long (it still ran; its result is lost)",
      "  #3 lookup rejected: ToolError: no tool",
      "Completed after 0 ms: 2 steps, 2 calls, 310 tokens in, 25 out",
      "",
    ],
  );
});

Deno.test("TurnText tells retries, and once that the model thinks", () => {
  const thinks: TurnEvent = {
    type: "reasoning",
    turnId,
    step: 1,
    delta: "Hm",
  };
  assertEquals(
    told([
      {
        type: "retry",
        turnId,
        step: 1,
        attempt: 1,
        delayMs: 1_500,
        message: "status 529\noverloaded",
      },
      thinks,
      thinks,
      says("So:"),
      thinks,
    ]),
    [
      "Retry 1 in 1.5 s: status 529 overloaded",
      "(thinking)",
      "So:",
      "(thinking)",
      "",
    ],
  );
});

Deno.test("TurnText tells each way to end, and why", () => {
  const last = (parts: Partial<TurnEnd>) =>
    told([started(1), end(parts)]).at(-2)?.split(" after ")[0];
  assertEquals(last({ stopReason: "truncated" }), "Truncated");
  assertEquals(
    last({ stopReason: "refused", providerStopReason: "safety" }),
    "Refused (safety)",
  );
  assertEquals(
    last({
      stopReason: "budget",
      exhausted: { budget: "steps", used: 8, limit: 8 },
    }),
    "Stopped (budget steps: 8 of 8 used)",
  );
  assertEquals(
    last({ stopReason: "cancelled", cancelReason: "enough" }),
    "Cancelled (enough)",
  );
  assertEquals(
    last({
      stopReason: "failed",
      failure: {
        kind: "backend",
        message: "overloaded",
        status: 529,
        code: "overloaded_error",
        retryable: true,
      },
    }),
    "Failed (backend 529 overloaded_error: overloaded)",
  );
  assertEquals(
    last({ stopReason: "other", providerStopReason: "pause" }),
    "Ended (pause)",
  );
});

Deno.test("TurnText tells what was used of a budget", () => {
  const usage = {
    inputTokens: 310,
    cachedInputTokens: 200,
    outputTokens: 25,
    reasoningTokens: 0,
  };
  assertEquals(
    told([started(1), end({ steps: 1, usage })], {
      steps: 8,
      calls: 30,
      turnMs: 120_000,
    }).at(-2),
    "Completed after 1.2 s of 2 min: 1 of 8 steps, 0 of 30 calls, 310 tokens in (200 cached), 25 out",
  );
});

Deno.test("TurnText lets no control character of the model's through", () => {
  const red = "\u001b[31mred\r\n\ttab\u009b\u0007";
  const safe = "\ufffd[31mred\n\ttab\ufffd\ufffd";
  assertEquals(told([says(red)]).join("\n"), safe);
  const lines = told([
    begins("a", { tool: "exec", input: { code: red } }),
    begins("b", { tool: red, input: red }),
    ends("b", {
      tool: red,
      error: {
        name: "Error",
        code: "tool_failed",
        message: red,
        retryable: false,
      },
    }),
    end({ stopReason: "cancelled", cancelReason: red }),
  ]);
  assertEquals(lines.filter((line) => /[^\P{Cc}\t]/u.test(line)), []);
});

Deno.test("TurnText shortens long programs, inputs and results", () => {
  const code = Array.from({ length: 50 }, (_, index) => `line(${index});`);
  const lines = told([
    begins("a", { tool: "exec", input: { code: code.join("\n") } }),
    ends("a", { tool: "exec", outcome: "succeeded", output: "x".repeat(500) }),
  ]);
  assertEquals(lines.at(41), "     | … 10 more lines");
  assertEquals(lines.at(42)?.length, "  #1 exec succeeded: ".length + 100);
});

Deno.test("progress() names the calls that run, or that the model is waited for", () => {
  const text = new TurnText(5_000);
  assertEquals(text.progress(15_000), "… 10 s: waiting for the model\n");
  text.event(says("Let me"), 16_000);
  assertEquals(text.progress(26_000), "\n… 21 s: waiting for the model\n");
  text.event(begins("cell", { tool: "exec" }), 30_000);
  text.event(begins("a", { parentId: "cell", surface: "code" }), 31_000);
  for (let index = 0; index < 8; index++) {
    text.event(begins(`direct ${index}`, { tool: "save" }), 32_000);
  }
  assertEquals(
    text.progress(42_000),
    "… 37 s: running #1.1 lookup (11 s), #2 save (10 s), #3 save (10 s), #4 save (10 s), #5 save (10 s), #6 save (10 s), 3 more\n",
  );
  text.event(ends("a", { parentId: "cell", outcome: "succeeded" }), 43_000);
  assertEquals(
    text.progress(125_000).slice(0, 40),
    "… 2 min: running #1 exec (1 min 35 s), #",
  );
});

Deno.test("duration() rounds down to what matters", () => {
  assertEquals(
    [0, 999, 1_000, 1_299, 59_999, 60_000, 125_999].map(duration),
    ["0 ms", "999 ms", "1 s", "1.2 s", "59.9 s", "1 min", "2 min 5 s"],
  );
});
