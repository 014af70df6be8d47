import { assertEquals, assertStrictEquals } from "@std/assert";
import { Conversation } from "../src/conversation.ts";
import type { HistoryItem, StepItem, ToolOutput } from "../src/history.ts";

const question: HistoryItem = { type: "user", text: "Look up a and b" };

function step(...answered: readonly string[]): StepItem {
  return {
    type: "step",
    turnId: "turn_1",
    step: 1,
    items: [],
    calls: ["a", "b"].map((callId) => ({
      callId,
      answers: callId,
      tool: "lookup",
      arguments: "{}",
    })),
    outputs: answered.map(output),
  };
}

function output(callId: string): ToolOutput {
  return { callId, text: `"${callId}"`, isError: false };
}

Deno.test("Conversation: begins empty, or with what was said before", () => {
  assertEquals(new Conversation().items, []);
  assertEquals(new Conversation([question]).items, [question]);
});

Deno.test("Conversation.push: adds at the end, and not to the list it came from", () => {
  const before = [question];
  const conversation = new Conversation(before);
  conversation.push(step());
  assertEquals(conversation.items, [question, step()]);
  assertEquals(before, [question]);
});

Deno.test("Conversation.truncate: takes back what came after", () => {
  const conversation = new Conversation([question, step("a", "b"), question]);
  conversation.truncate(5);
  assertStrictEquals(conversation.items.length, 3);
  conversation.truncate(1);
  assertEquals(conversation.items, [question]);
  conversation.truncate(0);
  assertEquals(conversation.items, []);
  conversation.push(question);
  assertEquals(conversation.items, [question]);
});

Deno.test("Conversation.unanswered: is the last step, while calls of it are open", () => {
  assertEquals(new Conversation([question, step("a")]).unanswered(), step("a"));
  for (
    const items of [
      [],
      [question],
      [question, step("a", "b")],
      [step("a"), question],
    ]
  ) {
    const conversation = new Conversation(items);
    assertStrictEquals(conversation.unanswered(), undefined);
    assertEquals(conversation.openCalls(), []);
  }
});

// R24
Deno.test("Conversation.answer: answers open calls, in the order of the calls", () => {
  const conversation = new Conversation([question, step()]);
  conversation.answer([output("b")]);
  assertEquals(conversation.openCalls().map(({ callId }) => callId), ["a"]);
  conversation.answer([output("a")]);
  assertEquals(conversation.items, [question, step("a", "b")]);
  assertStrictEquals(conversation.unanswered(), undefined);
});

Deno.test("Conversation.answer: changes nothing where every call is answered", () => {
  for (const items of [[], [question], [question, step("a", "b")]]) {
    const conversation = new Conversation(items);
    conversation.answer([{ ...output("a"), text: '"other"' }]);
    assertEquals(conversation.items, items);
  }
});

Deno.test("Conversation.answer: leaves the step it was given alone", () => {
  const given = step();
  new Conversation([given]).answer([output("a"), output("b")]);
  assertEquals(given, step());
});
