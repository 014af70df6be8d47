// What a host writes: plain declarations, and one function that runs them.

import { assert, assertEquals } from "@std/assert";
import type { CallContext, HostTool, HostTools } from "nanocode-wasm";
import { createToolSet, type ToolSet } from "../../src/tools/tool_set.ts";
import { callBench } from "../support/call_bench.ts";

const lookup: HostTool = {
  name: "lookup",
  description: "Look up the value stored under a key.",
  parameters: {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
  },
};

function accepted(tools: unknown, runner?: HostTools): ToolSet {
  const set = createToolSet(tools, runner);
  assert(set.tag === "accepted", JSON.stringify(set));
  return set.tools;
}

Deno.test("a HostTool is plain JSON: it can be stored, sent and frozen", () => {
  const stored: unknown = JSON.parse(JSON.stringify([lookup]));
  const frozen = Object.freeze([Object.freeze({ ...lookup })]);
  for (const tools of [[lookup], stored, frozen]) {
    const tool = accepted(tools).get("lookup");
    assertEquals(
      [tool?.name, tool?.description, tool?.parameters],
      [lookup.name, lookup.description, lookup.parameters],
    );
  }
});

Deno.test("what a host changes in a declaration later changes nothing", () => {
  const tool = structuredClone(lookup);
  const tools = [tool];
  const set = accepted(tools, { call: () => Promise.resolve() });
  tool.name = "other";
  tool.parameters.required = [];
  tools.push(lookup);
  assertEquals([...set.keys()], ["lookup"]);
  const known = set.get("lookup");
  assertEquals([known?.name, known?.parameters], ["lookup", lookup.parameters]);
  assertEquals(known?.check({}).length, 1);
});

// Each is a handler that a host may write; that it compiles is half of the test.
const handlers: Readonly<Record<string, HostTools["call"]>> = {
  "no parameter": () => Promise.resolve("done"),
  "the name": (name) => Promise.resolve(name && "done"),
  "name and input": (_name, input) => Promise.resolve(input && "done"),
  "name, input and signal": (_name, _input, signal) =>
    Promise.resolve(signal.aborted ? "aborted" : "done"),
  "all four": (_name, _input, _signal, context: CallContext) =>
    Promise.resolve(context.remainingMs() > 0 ? "done" : "late"),
  "an async function": async (_name, input) => {
    await Promise.resolve();
    return Object(input).key === "alpha" ? "done" : "lost";
  },
};

for (const [what, call] of Object.entries(handlers)) {
  Deno.test(`a handler may take ${what}`, async () => {
    const { receipt } = await callBench({ call }).ended();
    assertEquals([receipt.outcome, receipt.output], ["succeeded", "done"]);
  });
}

for (
  const [what, value, output] of [
    ["text", "text", "text"],
    ["an object, without what is undefined", { a: 1, b: undefined }, { a: 1 }],
    ["a list", [1, [null]], [1, [null]]],
    ["false", false, false],
    ["zero", 0, 0],
    ["an empty string", "", ""],
    ["null", null, null],
    ["nothing", undefined, null],
    ["what has toJSON", { toJSON: () => ({ at: 1 }) }, { at: 1 }],
  ] as const
) {
  Deno.test(`a handler may give ${what}`, async () => {
    const { receipt } = await callBench({ call: () => Promise.resolve(value) })
      .ended();
    assertEquals([receipt.outcome, receipt.output], ["succeeded", output]);
  });
}

Deno.test("a handler that is no async function may give a plain value", async () => {
  // JavaScript callers have no types to hold them to a promise.
  const call: HostTools["call"] = () => JSON.parse('"plain"');
  const { receipt } = await callBench({ call }).ended();
  assertEquals([receipt.outcome, receipt.output], ["succeeded", "plain"]);
});
