// What is told of a turn that nobody runs any more.

import { assertEquals } from "@std/assert";
import { storedEvents, toBatches } from "../../../edge/session/batches.ts";
import { encodeHead, parseHead } from "../../../edge/session/head.ts";
import { endInterrupted } from "../../../edge/session/interruption.ts";
import { parseTurnRecord } from "../../../edge/session/turn_record.ts";
import type { SessionEvent } from "../../../edge/session/turn_record.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import { noUsage } from "../../../src/events.ts";
import { headOf, receipt, succeeded } from "./conversation_fixture.ts";

const turnId = "turn_1";
const usage = {
  inputTokens: 10,
  cachedInputTokens: 4,
  outputTokens: 5,
  reasoningTokens: 2,
};

const begins = (step: number): SessionEvent => (
  { type: "step_started", turnId, step, at: 1 }
);
const says = (step: number, delta: string): SessionEvent => (
  { type: "text", turnId, step, delta }
);
const ends = (step: number): SessionEvent => (
  {
    type: "step_finished",
    turnId,
    step,
    at: 1,
    stopReason: "tool_use",
    usage,
    calls: 1,
  }
);

/** A session whose turn was left with these events, once it was ended. */
async function interrupted(
  events: readonly SessionEvent[],
  receipts: unknown = [],
) {
  const store = memoryStore();
  const running = { turn: turnId, owner: "process_1", from: 0, until: 1 };
  const head = headOf({ running, bytes: 500, changes: 4 });
  const record = { id: turnId, number: 1, input: "x", startedAt: 1 };
  const set = new Map([
    ...toBatches(turnId, 1, events),
    [`turn/${turnId}`, JSON.stringify(record)],
    ["c/receipts/0000000001/0000000000", JSON.stringify(receipts)],
  ]);
  const text = encodeHead(head);
  const revision = await store.commit("s1", {
    after: undefined,
    head: text,
    set,
    remove: [],
  }) ?? "";
  await endInterrupted(store, "s1", head, revision, 7);
  const documents = await store.read("s1", "");
  const all = await Array.fromAsync(storedEvents(store, "s1", turnId));
  return {
    head: parseHead((await store.head("s1"))?.text ?? ""),
    record: parseTurnRecord(documents.get(`turn/${turnId}`) ?? ""),
    events: all.slice(events.length).map(({ event }) => event),
    receipts: JSON.parse(
      documents.get("c/receipts/0000000001/0000000000") ?? "",
    ),
  };
}

Deno.test("endInterrupted: the turn's end sums up what its events told", async () => {
  const twice = {
    inputTokens: 20,
    cachedInputTokens: 8,
    outputTokens: 10,
    reasoningTokens: 4,
  };
  const cases: [SessionEvent[], string, typeof usage, number][] = [
    [[], "", noUsage, 0],
    [[begins(1)], "", noUsage, 1],
    [[begins(1), says(1, "He"), says(1, "llo")], "Hello", noUsage, 1],
    [[begins(1), says(1, "One"), ends(1)], "One", usage, 1],
    // As of a turn that was cancelled: the next step has said nothing yet.
    [[begins(1), says(1, "One"), ends(1), begins(2)], "One", usage, 2],
    [
      [begins(1), says(1, "One"), ends(1), begins(2), says(2, "Tw")],
      "Tw",
      usage,
      2,
    ],
    [[begins(1), says(1, "One"), ends(1), begins(2), ends(2)], "", twice, 2],
  ];
  for (const [events, text, usage, steps] of cases) {
    const { record, events: rest } = await interrupted(events);
    const end = { stopReason: "interrupted" as const, text, usage, steps };
    assertEquals(record.end, end);
    assertEquals(record.lastEvent, events.length + 1);
    assertEquals(rest, [{ type: "end", turnId, at: 7, ...end }]);
  }
});

Deno.test("endInterrupted: open receipts are ended where they are stored, and told once", async () => {
  const [one, two] = [receipt("r1"), receipt("r2")];
  const done = succeeded(one, 3);
  const { head, receipts, events } = await interrupted([
    { type: "tool_started", turnId, receipt: one },
    { type: "tool_finished", turnId, receipt: done },
  ], [done, two]);
  assertEquals(receipts[0], done);
  assertEquals(receipts[1].outcome, "interrupted");
  assertEquals(events.map(({ type }) => type), [
    "tool_started",
    "tool_finished",
    "end",
  ]);
  const grown = JSON.stringify(receipts).length -
    JSON.stringify([done, two]).length;
  assertEquals([head.running, head.changes, head.bytes], [
    undefined,
    5,
    500 + grown,
  ]);
});
