import { assert, assertEquals, assertThrows } from "@std/assert";
import { fromDocuments } from "../../../edge/session/documents.ts";
import {
  type Contents,
  StoredConversation,
} from "../../../edge/session/stored_conversation.ts";
import { StoredStateInvalid } from "../../../edge/session/stored_state.ts";
import { type StepItem, withOutputs } from "../../../src/history.ts";
import { conversation, receipt, succeeded } from "./conversation_fixture.ts";

/** A user's message that counts how often it is made into text. */
function counted(text: string) {
  const item = {
    type: "user" as const,
    made: 0,
    text,
    toJSON: () => (item.made++, { type: "user", text }),
  };
  return item;
}

/** What a store holds after these contents were written one after another. */
function written(all: readonly Contents[]) {
  const stored = new StoredConversation(1, conversation({}), 0);
  const documents = new Map<string, string>();
  let characters = 0;
  for (const contents of all) {
    const { set, remove } = stored.update(contents);
    for (const name of remove) documents.delete(name);
    for (const [name, text] of set) {
      characters += text.length;
      documents.set(name, text);
    }
  }
  const sorted = new Map([...documents].sort(([a], [b]) => a < b ? -1 : 1));
  return { documents: sorted, characters, bytes: stored.bytes };
}

Deno.test("StoredConversation: what was said before the turn is not made into text at any commit", () => {
  const history = ["a", "b", "c"].map(counted);
  const before = conversation({ history });
  const stored = new StoredConversation(4, before, 1000);
  const item = counted("d");
  const next = conversation({ ...before, history: [...history, item] });
  const first = stored.update(next);
  assertEquals([...first.set.keys()], ["c/history/0000000003"]);
  assertEquals(stored.update(next), { set: new Map(), remove: [] });
  assertEquals(history.map(({ made }) => made), [0, 0, 1]);
  assertEquals(item.made, 1);
  assertEquals(stored.bytes, 1000 + JSON.stringify(item).length);
});

Deno.test("StoredConversation: the last item of before is written again where the turn replaced it", () => {
  const history = ["a", "b"].map(counted);
  const before = conversation({ history });
  const stored = new StoredConversation(2, before, 0);
  const replaced = history.with(1, counted("B"));
  const { set } = stored.update(conversation({ ...before, history: replaced }));
  assertEquals(
    set,
    new Map([["c/history/0000000001", JSON.stringify(replaced[1])]]),
  );
});

Deno.test("StoredConversation: receipts come back as they were, whatever grew or went", () => {
  const open = ["r1", "r2", "r3", "r4"].map((id) => receipt(id));
  const large = (index: number, list = open) =>
    list.with(index, succeeded(receipt(`r${index + 1}`), 30_000));
  const steps = [
    open,
    large(1),
    large(2, large(1)),
    large(0, large(1)),
    [],
    open,
  ];
  for (let count = 1; count <= steps.length; count++) {
    const all = steps.slice(0, count).map((receipts) =>
      conversation({ receipts })
    );
    const { documents, bytes } = written(all);
    const { receipts } = fromDocuments(documents, "openai");
    assertEquals(receipts, [...steps[count - 1] ?? []]);
    const sizes = [...documents.values()].map(({ length }) => length);
    assertEquals(bytes, sizes.reduce((sum, size) => sum + size, 0));
  }
});

Deno.test("StoredConversation: each of many large outputs is written once", () => {
  const count = 16;
  const size = 1_000_000;
  let receipts = Array.from({ length: count }, (_, i) => receipt(`r${i}`));
  const all = [conversation({ receipts })];
  for (let index = 0; index < count; index++) {
    // In an order in which neighbours do not end together.
    const place = (index * 5) % count;
    receipts = receipts.with(place, succeeded(receipt(`r${place}`), size));
    all.push(conversation({ receipts }));
  }
  const { characters, documents } = written(all);
  assertEquals(documents.size, count);
  // The rest is small receipts, a page with each.
  assert(characters < count * size * 1.01, `${characters}`);
});

Deno.test("StoredConversation: large outputs of a step are written once, and come back in the order of its calls", () => {
  const names = ["a", "b", "c", "d"];
  const calls = names.map((callId) => (
    { callId, answers: callId, tool: "lookup", arguments: "{}" }
  ));
  const step = { type: "step" as const, turnId: "turn_1", step: 1, items: [] };
  let last: StepItem = { ...step, calls, outputs: [] };
  const all: Contents[] = [];
  for (
    const [callId, length] of [["c", 50_000], ["a", 5], ["d", 50_000], [
      "b",
      50_000,
    ]] as const
  ) {
    const text = "x".repeat(length);
    last = withOutputs(last, [{ callId, text, isError: false }]);
    all.push(conversation({ history: [last] }));
  }
  const { documents, characters, bytes } = written(all);
  assert(characters < 155_000, `${characters}`);
  assertEquals(fromDocuments(documents, "openai").history, [last]);
  const sizes = [...documents.values()].map(({ length }) => length);
  assertEquals(bytes, sizes.reduce((sum, size) => sum + size, 0));
});

Deno.test("fromDocuments: an output without its step is refused", () => {
  const output = '{"callId":"a","text":"x","isError":false}';
  const user = '{"type":"user","text":"x"}';
  for (
    const documents of [
      { "c/history/0000000000/0000000000": output },
      {
        "c/history/0000000000": user,
        "c/history/0000000000/0000000000": output,
      },
    ]
  ) {
    assertThrows(
      () => fromDocuments(new Map(Object.entries(documents)), "openai"),
      StoredStateInvalid,
    );
  }
});
