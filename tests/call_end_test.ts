import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type CallEnd, endOf, shownToModel } from "../src/call_end.ts";
import type { Surface } from "../src/receipt.ts";
import { Redaction } from "../src/redaction.ts";
import { Stop } from "../src/stop.ts";
import { toolError } from "../src/tool_error.ts";
import { ToolFailure } from "../src/tools/function_tool.ts";
import { callBench } from "./support/call_bench.ts";

function to(surface: Surface = "direct", shownBytes = 1_000) {
  const redaction = new Redaction();
  redaction.add("the-secret");
  const resultBytes = 2_000;
  return { started: true, surface, shownBytes, resultBytes, redaction };
}

Deno.test("endOf() gives a result as JSON text and as data, with its size in bytes", () => {
  const value = { word: "Grüße", at: new Date(0), gone: undefined };
  assertEquals(endOf({ tag: "resolved", value }, new Stop(), to()), {
    executed: true,
    receipt: {
      outcome: "succeeded",
      output: { word: "Grüße", at: "1970-01-01T00:00:00.000Z" },
      outputBytes: 50,
      truncated: false,
    },
    result: {
      tag: "output",
      text: '{"word":"Grüße","at":"1970-01-01T00:00:00.000Z"}',
    },
  });
});

for (
  const [surface, bytes, truncated] of [
    ["direct", 10, false],
    ["direct", 11, true],
    // A program gets all of it; what it returns is cut.
    ["code", 11, false],
  ] as const
) {
  Deno.test(`endOf() calls ${bytes} bytes of 10, ${surface}, ${truncated ? "" : "not "}truncated`, () => {
    const value = "x".repeat(bytes - 2);
    const { receipt } = endOf(
      { tag: "resolved", value },
      new Stop(),
      to(surface, 10),
    );
    assertEquals([receipt.outputBytes, receipt.truncated], [bytes, truncated]);
    assertEquals(receipt.output, value);
  });
}

Deno.test("endOf() refuses a result of more than budget.resultBytes", () => {
  const endWith = (value: string) =>
    endOf({ tag: "resolved", value }, new Stop(), to());
  assertEquals(endWith("x".repeat(1_998)).receipt.outputBytes, 2_000);
  const { executed, receipt } = endWith("x".repeat(1_999));
  assertEquals([executed, receipt.outcome, receipt.output], [
    true,
    "failed",
    undefined,
  ]);
  assertEquals([receipt.error?.code, receipt.error?.message], [
    "invalid_output",
    "the tool ran, but its result has 2001 bytes, more than the 2000 of budget.resultBytes. Ask it for less",
  ]);
});

Deno.test("endOf() refuses a result that cannot be read", () => {
  const value = {
    get broken(): never {
      throw new Error("no");
    },
  };
  const { receipt, executed } = endOf(
    { tag: "resolved", value },
    new Stop(),
    to(),
  );
  assertEquals([receipt.outcome, executed, receipt.outputBytes], [
    "failed",
    true,
    0,
  ]);
  assertStringIncludes(receipt.error?.message ?? "", "cannot be read");
});

Deno.test("endOf() takes secrets out of what a tool threw", () => {
  const thrown = new Error("refused for the-secret");
  const { receipt } = endOf({ tag: "rejected", thrown }, new Stop(), to());
  assertEquals(receipt.error?.message, "refused for [redacted]");
});

Deno.test("endOf() takes secrets out of what a schema library said of an input", () => {
  const thrown = new ToolFailure(
    toolError("invalid_input", "upstream said the-secret", true),
    { outcome: "rejected", executed: false },
  );
  const { receipt } = endOf({ tag: "rejected", thrown }, new Stop(), to());
  assertEquals(receipt.error?.message, "upstream said [redacted]");
});

Deno.test("endOf() takes outcome, error and executed from a ToolFailure", () => {
  const error = toolError("budget_spent", "no fuel");
  for (
    const [failure, outcome, executed] of [
      [new ToolFailure(error), "failed", true],
      [new ToolFailure(error, { executed: false }), "failed", false],
      [new ToolFailure(error, { outcome: "timed_out" }), "timed_out", true],
    ] as const
  ) {
    const end = endOf(
      { tag: "rejected", thrown: failure },
      new Stop(),
      to(),
    );
    assertEquals([end.receipt.outcome, end.executed], [outcome, executed]);
    assertEquals(end.result, { tag: "error", error });
  }
});

Deno.test("endOf() gives what stopped the call, whatever its tool did", () => {
  const stop = new Stop();
  stop.stop({ tag: "cancelled", reason: "enough" });
  for (
    const settled of [
      undefined,
      { tag: "resolved", value: 1 },
      { tag: "rejected", thrown: new Error("late") },
    ] as const
  ) {
    const { receipt, result } = endOf(settled, stop, to());
    const error = toolError("cancelled", "the turn was cancelled: enough");
    assertEquals(receipt, {
      outcome: "cancelled",
      error,
      outputBytes: 0,
      truncated: false,
    });
    assertEquals(result, { tag: "error", error });
  }
});

async function callEnd(result: CallEnd["result"]): Promise<CallEnd> {
  const { receipt } = await callBench().call();
  return { receipt, result };
}

Deno.test("shownToModel() shows a result that fits as it is", async () => {
  const end = await callEnd({ tag: "output", text: '"äß"' });
  assertEquals(shownToModel(end, 6), { text: '"äß"', isError: false });
});

Deno.test("shownToModel() cuts at a character, keeps to the limit, and says what is missing", async () => {
  const text = `"${"ä€😀".repeat(200)}"`;
  const bytes = new TextEncoder().encode(text).length;
  const end = await callEnd({ tag: "output", text });
  for (let limit = 256; limit < 266; limit++) {
    const shown = shownToModel(end, limit);
    assertEquals(shown.isError, false);
    assert(new TextEncoder().encode(shown.text).length <= limit);
    assert(shown.text.isWellFormed());
    const [start = "", note = ""] = shown.text.split("\n");
    assert(text.startsWith(start) && start.length > 20);
    assertEquals(
      note,
      `[truncated: ${bytes} bytes in all, the first ${limit} at most shown; ask for less]`,
    );
  }
});

Deno.test("shownToModel() shows an error in its one shape", async () => {
  const error = toolError("not_run", "no", true);
  const end = await callEnd({ tag: "error", error });
  assertEquals(shownToModel(end, 1_000), {
    text:
      '{"error":{"name":"ToolError","code":"not_run","message":"no","retryable":true}}',
    isError: true,
  });
  assertEquals(shownToModel(end, 20).text, '{"error":{"name":"To');
});

Deno.test("shownToModel() cuts the message of an error, and leaves it one", async () => {
  const message = `no tool "${"nämé\n".repeat(200)}"`;
  const error = toolError("unknown_tool", message, false);
  const end = await callEnd({ tag: "error", error });
  for (let limit = 256; limit < 300; limit++) {
    const { text } = shownToModel(end, limit);
    assert(new TextEncoder().encode(text).length <= limit);
    const shown = JSON.parse(text).error;
    assertEquals({ ...shown, message }, error);
    assert(message.startsWith(shown.message.slice(0, -1)));
    assert(shown.message.length > 50 && shown.message.endsWith("…"));
  }
});
