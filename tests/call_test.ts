// A call from the model's words to its receipt, by every outcome that it can
// have. Each ends in exactly one terminal receipt.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { CallRequest } from "../src/call_request.ts";
import { toolError } from "../src/tool_error.ts";
import type { HostTools } from "../src/tools/host_tool.ts";
import { callBench } from "./support/call_bench.ts";

const upper: HostTools["call"] = (_name, input) =>
  Promise.resolve(String(Object(input).key).toUpperCase());

Deno.test("runCall() gives the result, and a receipt with every field of a call that succeeded", async () => {
  const bench = callBench({
    call: async (...call) => {
      bench.clock.advance(7);
      return await upper(...call);
    },
  });
  const { receipt, result } = await bench.ended();
  assertEquals(result, { tag: "output", text: '"ALPHA"' });
  assertEquals(receipt, {
    id: "receipt_1",
    turnId: "turn_1",
    step: 1,
    callId: "call_1",
    tool: "lookup",
    surface: "direct",
    input: { key: "alpha" },
    outcome: "succeeded",
    executed: true,
    output: "ALPHA",
    requestedAt: 1_000_000,
    startedAt: 1_000_000,
    endedAt: 1_000_007,
    inputBytes: 15,
    outputBytes: 7,
    truncated: false,
  });
});

type Refused = {
  readonly request: Partial<CallRequest>;
  readonly code: string;
  readonly says: readonly string[];
  readonly retryable: boolean;
  readonly input?: unknown;
};

const refusals: Readonly<Record<string, Refused>> = {
  "arguments that are no JSON": {
    request: { arguments: '{"key":' },
    code: "invalid_json",
    says: ["line 1, column 8", "did not run", "key (string, required)"],
    retryable: true,
  },
  "arguments that nest too deep to be kept": {
    request: {
      arguments: `{"key":${"[".repeat(5_000)}${"]".repeat(5_000)}}`,
    },
    code: "invalid_json",
    says: ["nests more than 512 levels"],
    retryable: true,
  },
  "a tool that is not there": {
    request: { tool: "lookpu" },
    code: "unknown_tool",
    says: ['no tool "lookpu"', 'did you mean "lookup"?', "lookup, save"],
    retryable: false,
    input: { key: "alpha" },
  },
  "an input that does not fit": {
    request: { arguments: '{"key":7}' },
    code: "invalid_input",
    says: ["input.key: expected a string, got", "did not run"],
    retryable: true,
    input: { key: 7 },
  },
  "empty arguments where the schema wants some": {
    request: { arguments: " " },
    code: "invalid_input",
    says: ["input.key: expected"],
    retryable: true,
    input: {},
  },
  "a call that was refused before": {
    request: { refusal: toolError("truncated", "cut off", true) },
    code: "truncated",
    says: ["cut off"],
    retryable: true,
    input: { key: "alpha" },
  },
};

for (const [what, refused] of Object.entries(refusals)) {
  Deno.test(`runCall() rejects ${what}, and the tool does not run`, async () => {
    let ran = 0;
    const bench = callBench({ call: () => Promise.resolve(++ran) });
    const { receipt, result } = await bench.ended(refused.request);
    assertEquals([ran, receipt.outcome, receipt.executed, receipt.startedAt], [
      0,
      "rejected",
      false,
      undefined,
    ]);
    assertEquals(receipt.input, refused.input);
    assert(receipt.error !== undefined);
    assertEquals(result, { tag: "error", error: receipt.error });
    assertEquals([receipt.error.code, receipt.error.retryable], [
      refused.code,
      refused.retryable,
    ]);
    for (const part of refused.says) {
      assertStringIncludes(receipt.error.message, part);
    }
    assertEquals(bench.scope.meter.remainingCalls(), 200);
  });
}

Deno.test("runCall() fails with the specified message where host tools are not configured", async () => {
  const bench = callBench();
  for (const input of ['{"key":"alpha"}', '{"key":1}', "{}", ""]) {
    const { receipt } = await bench.ended({ arguments: input });
    assertEquals([receipt.outcome, receipt.executed, receipt.error], [
      "failed",
      false,
      toolError("not_configured", "host tools are not configured"),
    ]);
  }
});

const hostile = {
  get name(): string {
    throw new Error("no name");
  },
  get message(): string {
    throw new Error("no message");
  },
  get retryable(): boolean {
    throw new Error("no answer");
  },
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const noMessage = "the tool failed without a message";
const thrown: Readonly<Record<string, [unknown, string, string]>> = {
  "an Error": [new RangeError("too far"), "RangeError", "too far"],
  "a string": ["plain words", "Error", "plain words"],
  "an empty string": ["", "Error", noMessage],
  "an Error without a message": [new Error(" \n"), "Error", noMessage],
  "nothing": [undefined, "Error", "the tool failed with undefined instead"],
  "a number": [7, "Error", "the tool failed with number instead of an error"],
  "an object with hostile getters": [hostile, "Error", noMessage],
  "a proxy that was revoked": [revoked(), "Error", noMessage],
};

for (const [what, [value, name, message]] of Object.entries(thrown)) {
  for (const how of ["throws", "rejects with"] as const) {
    Deno.test(`runCall() fails where the tool ${how} ${what}`, async () => {
      const bench = callBench({
        call: () => {
          if (how === "throws") throw value;
          return Promise.reject(value);
        },
      });
      const { receipt, result } = await bench.ended();
      assertEquals([receipt.outcome, receipt.executed], ["failed", true]);
      const { error } = receipt;
      assert(error !== undefined);
      assertEquals([error.name, error.code, error.retryable], [
        name,
        "tool_failed",
        false,
      ]);
      assertStringIncludes(error.message, message);
      assertEquals(result, { tag: "error", error });
    });
  }
}

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

for (
  const [what, value, reason] of [
    ["a BigInt", { at: 10n }, "result.at is a bigint"],
    ["a cycle", cycle, "result.self is a cycle"],
    ["a function", () => 1, "result is a function"],
    ["a Map", new Map(), "result is a Map"],
  ] as const
) {
  Deno.test(`runCall() fails where the result is ${what}, and says that the tool ran`, async () => {
    const bench = callBench({ call: () => Promise.resolve(value) });
    const { receipt } = await bench.ended();
    assertEquals([receipt.outcome, receipt.executed, receipt.output], [
      "failed",
      true,
      undefined,
    ]);
    assertEquals(receipt.error?.code, "invalid_output");
    assertStringIncludes(receipt.error?.message ?? "", "the tool ran, but");
    assertStringIncludes(receipt.error?.message ?? "", reason);
  });
}

Deno.test("runCall() makes null of undefined", async () => {
  const bench = callBench({ call: () => Promise.resolve(undefined) });
  const { receipt, result } = await bench.ended();
  assertEquals([receipt.outcome, receipt.output], ["succeeded", null]);
  assertEquals(result, { tag: "output", text: "null" });
});
