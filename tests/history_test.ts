import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import {
  distinctCalls,
  isAnswered,
  openCalls,
  type StepItem,
  type ToolCall,
  type ToolOutput,
  withOutputs,
} from "../src/history.ts";
import { seededRandom } from "./support/ambient.ts";

function call(callId: string): ToolCall {
  return { callId, answers: callId, tool: "lookup", arguments: "{}" };
}

function output(callId: string, text = `"${callId}"`): ToolOutput {
  return { callId, text, isError: false };
}

function stepOf(
  calls: readonly string[],
  outputs: readonly string[] = [],
): StepItem {
  return {
    type: "step",
    turnId: "turn_1",
    step: 1,
    items: [{ type: "message" }],
    calls: calls.map(call),
    outputs: outputs.map((callId) => output(callId)),
  };
}

Deno.test("isAnswered: a step is answered when each of its calls is", () => {
  assert(isAnswered(stepOf([])));
  assert(isAnswered(stepOf(["a", "b"], ["b", "a"])));
  assert(!isAnswered(stepOf(["a", "b"], ["a"])));
  assert(!isAnswered(stepOf(["a"])));
  assert(!isAnswered(stepOf(["a", "b"], ["a", "a"])));
  assert(!isAnswered(stepOf(["a", "b"], ["a", "c"])));
});

Deno.test("openCalls: are the calls without an output, in their order", () => {
  assertEquals(openCalls(stepOf(["a", "b", "c"], ["b"])), [
    call("a"),
    call("c"),
  ]);
  assertEquals(openCalls(stepOf(["a"], ["a"])), []);
});

// R05
Deno.test("withOutputs: outputs stand in the order of the calls", () => {
  const step = withOutputs(stepOf(["a", "b", "c"]), [output("c"), output("a")]);
  assertEquals(step.outputs, [output("a"), output("c")]);
  const whole = withOutputs(step, [output("b")]);
  assertEquals(whole.outputs, [output("a"), output("b"), output("c")]);
  assert(isAnswered(whole));
});

// R06
Deno.test("withOutputs: keeps one output a call, and none of other calls", () => {
  const step = withOutputs(stepOf(["a"], ["a"]), [
    output("x"),
    output("a", '"later"'),
  ]);
  assertEquals(step.outputs, [output("a", '"later"')]);
});

Deno.test("withOutputs: leaves the step it was given alone", () => {
  const step = stepOf(["a"]);
  const answered = withOutputs(step, [output("a")]);
  assertEquals(step, stepOf(["a"]));
  assertStrictEquals(answered.items, step.items);
  assertStrictEquals(answered.calls, step.calls);
});

Deno.test("distinctCalls: leaves calls with ids of their own alone", () => {
  const calls = [call("a"), call("b"), call("")];
  assertEquals(distinctCalls(calls), calls);
  assertEquals(distinctCalls([]), []);
});

const doubles: readonly (readonly [string[], string[]])[] = [
  [["a", "a", "a"], ["a", "a#2", "a#3"]],
  [["", ""], ["", "#2"]],
  [["a", "b", "a", "b"], ["a", "b", "a#2", "b#2"]],
  [["a", "a", "a#2"], ["a", "a#2", "a#2#2"]],
  [["a#2", "a", "a"], ["a#2", "a", "a#3"]],
];

for (const [given, distinct] of doubles) {
  Deno.test(`distinctCalls: makes ${JSON.stringify(given)} differ`, () => {
    assertEquals(
      distinctCalls(given.map(call)).map(({ callId }) => callId),
      distinct,
    );
  });
}

Deno.test("distinctCalls: changes the id only, never what the call answers", () => {
  const first = { ...call("a"), answers: "fc_1" };
  const second = { ...first, tool: "store", arguments: '{"x":1}' };
  assertEquals(distinctCalls([first, second]), [
    first,
    { ...second, callId: "a#2" },
  ]);
});

Deno.test("distinctCalls: gives different ids whatever ids came", () => {
  const random = seededRandom(3);
  const ids = ["a", "a#2", "a#2#2", "a#3", "b", ""];
  for (let round = 0; round < 200; round++) {
    const given = Array.from(
      { length: 1 + Math.floor(random() * 8) },
      () => call(ids[Math.floor(random() * ids.length)] ?? ""),
    );
    const distinct = distinctCalls(given).map(({ callId }) => callId);
    assertStrictEquals(new Set(distinct).size, given.length);
  }
});
