import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Redaction } from "../src/redaction.ts";
import {
  budgetSpent,
  describeParameters,
  invalidInput,
  invalidJson,
  invalidOutput,
  stopped,
  thrownError,
  toolError,
  unknownTool,
} from "../src/tool_error.ts";

Deno.test("toolError() has the four fields that every tool error has", () => {
  assertEquals(toolError("not_run", "no"), {
    name: "ToolError",
    code: "not_run",
    message: "no",
    retryable: false,
  });
});

const key = {
  type: "object",
  properties: { key: { type: "string" }, count: { minimum: 1 } },
  required: ["key"],
};

Deno.test("invalidJson() says where, that nothing ran, and what to send", () => {
  assertEquals(
    invalidJson("it ends too early", key),
    toolError(
      "invalid_json",
      "the arguments are not valid JSON: it ends too early. The tool did not run. Send a JSON object with key (string, required), count (any, optional)",
      true,
    ),
  );
});

Deno.test("describeParameters() names at most twelve properties, each short and on one line", () => {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `${index}\n${"x".repeat(100)}`,
      { type: "string" },
    ]),
  );
  const text = describeParameters({ properties });
  assertEquals(text.split("(string, optional)").length - 1, 12);
  assertEquals(text.includes("\n"), false);
  assert(text.length < 12 * 90);
  for (const none of [{}, { properties: {} }, { properties: true }]) {
    assertEquals(describeParameters(none), "a JSON object");
  }
});

Deno.test("unknownTool() names the nearest tool and lists all, or says that there are none", () => {
  assertEquals(
    unknownTool("lookpu", "lookup", ["lookup", "save"]).message,
    'there is no tool "lookpu"; did you mean "lookup"? The tools are: lookup, save',
  );
  assertEquals(
    unknownTool("x", undefined, []).message,
    'there is no tool "x". There are no tools',
  );
});

Deno.test("unknownTool() keeps a long or broken name and a long list short and on one line", () => {
  const names = Array.from(
    { length: 128 },
    (_, index) => `${index}`.padEnd(64),
  );
  const { message } = unknownTool(
    `a\nb\ud800${"x".repeat(5_000)}`,
    undefined,
    names,
  );
  assert(message.length <= 2_000);
  assert(message.isWellFormed());
  assertEquals(message.includes("\n"), false);
});

Deno.test("invalidInput() gives each problem with its path, what was expected and what came", () => {
  const { message, code, retryable } = invalidInput([
    { path: "input.a", expected: "a string", actual: "a number" },
    { path: "input.b", expected: "a property", actual: "nothing" },
  ]);
  assertEquals([code, retryable], ["invalid_input", true]);
  assertEquals(
    message,
    "the arguments do not fit the tool's schema. The tool did not run. input.a: expected a string, got a number; input.b: expected a property, got nothing",
  );
});

Deno.test("budgetSpent() says which budget, how much was used, and what to do", () => {
  assertEquals(
    budgetSpent({ budget: "calls", used: 3, limit: 3 }),
    toolError(
      "budget_spent",
      `the turn's budget "calls" is spent (3 of 3 used). The tool did not run. Answer with what you have`,
    ),
  );
});

Deno.test("invalidOutput() says that the tool ran, so that it is not called again", () => {
  assertEquals(
    invalidOutput("result is a Map"),
    toolError(
      "invalid_output",
      "the tool ran, but its result cannot be sent as JSON: result is a Map. Do not call it again for its effect",
    ),
  );
});

for (
  const [cause, outcome, message, retryable] of [
    [
      { tag: "cancelled", reason: "enough" },
      "cancelled",
      "the turn was cancelled: enough",
      false,
    ],
    [
      { tag: "turn_time", limitMs: 9 },
      "timed_out",
      "the turn's time of 9 ms is over",
      false,
    ],
    [
      { tag: "call_time", limitMs: 9 },
      "timed_out",
      "the call took longer than 9 ms and was stopped",
      true,
    ],
    [
      { tag: "interrupted", reason: "the program ended" },
      "interrupted",
      "the program ended; whether it had its effect is not known",
      false,
    ],
  ] as const
) {
  Deno.test(`stopped() ends a call that stopped for ${cause.tag} as ${outcome}`, () => {
    assertEquals(stopped(cause, true), {
      outcome,
      error: toolError(outcome, message, retryable),
    });
  });
}

Deno.test("stopped() says of an interrupted call that its tool did not run", () => {
  const { error } = stopped({ tag: "interrupted", reason: "over" }, false);
  assertEquals(error.message, "over; the tool did not run");
});

function told(thrown: unknown): [name: string, message: string] {
  const { name, message, code } = thrownError(thrown, new Redaction());
  assertEquals(code, "tool_failed");
  return [name, message];
}

class OutOfStock extends Error {
  override name = "OutOfStock";
  readonly retryable = true;
}

Deno.test("thrownError() gives the error's own name and message, and whether it may help to try again", () => {
  assertEquals(thrownError(new OutOfStock("no more"), new Redaction()), {
    name: "OutOfStock",
    code: "tool_failed",
    message: "no more",
    retryable: true,
  });
  assertEquals(told({ name: "Custom", message: "plain object" }), [
    "Custom",
    "plain object",
  ]);
  const aborted = new DOMException("left", "AbortError");
  assertEquals(told(aborted), ["AbortError", "left"]);
  for (const retryable of [1, "true", {}, undefined]) {
    const error = Object.assign(new Error("x"), { retryable });
    assertEquals(thrownError(error, new Redaction()).retryable, false);
  }
});

Deno.test("thrownError() takes no name that is none", () => {
  for (
    const name of ["", "two words", "a\nb", "x".repeat(65), 7, null, "<b>"]
  ) {
    assertEquals(told({ name, message: "m" })[0], "Error");
  }
});

Deno.test("thrownError() leaves out stack, cause and secrets, and bounds the message", () => {
  const redaction = new Redaction();
  redaction.add("s3cret-value");
  const error = new Error(`key s3cret-value ${"x".repeat(9_000)}`, {
    cause: new Error("the cause"),
  });
  const text = JSON.stringify(thrownError(error, redaction));
  assertStringIncludes(text, "key [redacted] xxx");
  for (const gone of ["s3cret-value", "the cause", "tool_error_test"]) {
    assertEquals(text.includes(gone), false, gone);
  }
  assert(text.length < 2_200);
});

Deno.test("thrownError() has words for whatever was thrown, and never throws", () => {
  const noMessage = "the tool failed without a message";
  const throwing = new Proxy({}, {
    get: () => {
      throw new Error("get");
    },
    getPrototypeOf: () => {
      throw new Error("getPrototypeOf");
    },
  });
  for (
    const [thrown, message] of [
      [new Error(""), noMessage],
      ["", noMessage],
      [" \t", noMessage],
      [{}, noMessage],
      [[], noMessage],
      [{ message: 7 }, noMessage],
      [throwing, noMessage],
      [null, "the tool failed with null instead of an error"],
      [undefined, "the tool failed with undefined instead of an error"],
      [false, "the tool failed with boolean instead of an error"],
      [7n, "the tool failed with bigint instead of an error"],
      [Symbol("s"), "the tool failed with symbol instead of an error"],
      [() => 1, "the tool failed with function instead of an error"],
    ] as const
  ) {
    assertEquals(told(thrown), ["Error", message]);
  }
});
