import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type CallRequest, prepare } from "../src/call_request.ts";
import { toolError } from "../src/tool_error.ts";
import { callBench, lookupOf } from "./support/call_bench.ts";

/** Where nothing runs a tool, its schema judges nothing. */
const call = () => Promise.resolve();

function prepared(
  request: Partial<CallRequest>,
  bench: ReturnType<typeof callBench> = callBench({ call }),
): ReturnType<typeof prepare> {
  return prepare(
    bench.scope,
    { ...lookupOf("alpha"), ...request },
    bench.stop,
  );
}

function refusedAs(request: Partial<CallRequest>): string | undefined {
  const ready = prepared(request);
  return ready.tag === "refused" ? ready.error.code : undefined;
}

Deno.test("prepare() gives the tool and its parsed input, and charges one call", () => {
  const bench = callBench({ call, budget: { calls: 2 } });
  const ready = prepared({}, bench);
  assert(ready.tag === "ready");
  assertEquals([ready.tool.name, ready.input], ["lookup", { key: "alpha" }]);
  assertEquals(bench.scope.meter.remainingCalls(), 1);
});

for (const text of ["", "  \n", "{}"]) {
  Deno.test(`prepare() takes the arguments ${JSON.stringify(text)} as {}`, () => {
    const refused = prepared({ arguments: text });
    assert(refused.tag === "refused");
    assertEquals([refused.error.code, refused.input], ["invalid_input", {}]);
  });
}

for (
  const [text, where] of [
    ['{"key":"a"', "the text ends too early at line 1, column 11"],
    ['{"key":"a"} and', "unexpected text at line 1, column 13"],
    ["{'key':1}", "unexpected text at line 1, column 2"],
    ['{"key":\n  tru}', "unexpected text at line 2, column 3"],
    ['{"secret-value', "the text ends too early"],
  ] as const
) {
  Deno.test(`prepare() says where ${JSON.stringify(text)} stops being JSON, without its text`, () => {
    const refused = prepared({ arguments: text });
    assert(refused.tag === "refused");
    assertEquals([refused.error.code, refused.error.retryable, refused.input], [
      "invalid_json",
      true,
      undefined,
    ]);
    assertStringIncludes(refused.error.message, where);
    assertEquals(refused.error.message.includes("secret-value"), false);
  });
}

for (const text of ["null", "[]", "7", '"key"']) {
  Deno.test(`prepare() refuses ${text}, which is JSON but no object`, () => {
    assertEquals(refusedAs({ arguments: text }), "invalid_input");
  });
}

Deno.test("prepare() keeps the input of a refused call where it is known, and only then", () => {
  const input = (request: Partial<CallRequest>) => {
    const refused = prepared(request);
    assert(refused.tag === "refused");
    return "input" in refused ? refused.input : "absent";
  };
  const refusal = toolError("not_run", "no");
  assertEquals(input({ tool: "none" }), { key: "alpha" });
  assertEquals(input({ refusal }), { key: "alpha" });
  assertEquals(input({ refusal, arguments: undefined }), "absent");
  assertEquals(input({ refusal, arguments: '{"key":"cut o' }), "absent");
});

Deno.test("prepare() refuses in the order: known reason, name, JSON, schema, budget", () => {
  const bench = callBench({ call, budget: { calls: 0 } });
  const bad: Partial<CallRequest> = {
    refusal: toolError("truncated", "cut"),
    tool: "none",
    arguments: "{",
  };
  const codes: unknown[] = [];
  for (
    const repair of [
      {},
      { refusal: undefined },
      { tool: "lookup" },
      { arguments: "{}" },
      { arguments: '{"key":"a"}' },
    ]
  ) {
    const { refusal, ...rest } = Object.assign(bad, repair);
    const refused = prepared(
      refusal === undefined ? { ...rest } : { ...rest, refusal },
      bench,
    );
    codes.push(refused.tag === "refused" ? refused.error.code : "ready");
  }
  assertEquals(codes, [
    "truncated",
    "unknown_tool",
    "invalid_json",
    "invalid_input",
    "budget_spent",
  ]);
});

Deno.test("prepare() charges nothing for a call that is refused, or that was stopped before", () => {
  const bench = callBench({ call, budget: { calls: 1 } });
  for (
    const request of [{ tool: "none" }, { arguments: "{" }, { arguments: "7" }]
  ) {
    prepared(request, bench);
  }
  bench.stop.stop({ tag: "cancelled", reason: "enough" });
  assertEquals(prepared({}, bench).tag, "ready");
  assertEquals(bench.scope.meter.remainingCalls(), 1);
});

Deno.test("prepare() names the nearest tool of the call's own surface", () => {
  const bench = callBench({
    call,
    own: {
      name: "exec",
      description: "",
      parameters: {},
      metered: false,
      check: () => [],
      run: () => Promise.resolve(),
    },
  });
  const message = (surface: "direct" | "code") => {
    const refused = prepared({ tool: "exce", surface }, bench);
    return refused.tag === "refused" ? refused.error.message : "";
  };
  assertStringIncludes(message("direct"), 'did you mean "exec"?');
  assertEquals(message("code").includes("exec"), false);
  assertEquals(
    prepared({ tool: "exec", surface: "code" }, bench).tag,
    "refused",
  );
});

for (const tool of ["constructor", "__proto__", "toString", "size", ""]) {
  Deno.test(`prepare() finds no tool of the name ${JSON.stringify(tool)}`, () => {
    assertEquals(refusedAs({ tool }), "unknown_tool");
  });
}
