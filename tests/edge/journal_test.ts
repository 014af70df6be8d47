import { assertEquals } from "@std/assert";
import { Journal } from "../../edge/session/journal.ts";
import { parseHead, type SessionHead } from "../../edge/session/head.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import type { Contents } from "../../edge/session/stored_conversation.ts";
import { ManualClock } from "../support/ambient.ts";
import { conversation, receipt } from "./session/conversation_fixture.ts";

async function journal(contents: () => Contents) {
  const memory = memoryStore();
  let commits = 0;
  const store: typeof memory = {
    ...memory,
    commit: (...all) => (commits++, memory.commit(...all)),
  };
  const head: SessionHead = {
    version: 2,
    backend: "openai",
    createdAt: 1,
    updatedAt: 1,
    turns: 1,
    bytes: 0,
    changes: 1,
    running: { turn: "turn_1", owner: "process_1", from: 0, until: 9000 },
  };
  const set = new Map<string, string>();
  const text = JSON.stringify(head);
  const change = { after: undefined, head: text, set, remove: [] };
  const written = new Journal({
    session: "s1",
    store,
    clock: new ManualClock(),
    owner: "process_1",
    record: { id: "turn_1", number: 1, input: "x", startedAt: 1 },
    head,
    revision: await memory.commit("s1", change) ?? "",
    stored: conversation({}),
    leaseMs: 9000,
    textMs: 50,
    contents,
    onCancel: () => {},
    onLost: () => {},
  });
  const receipts = async () =>
    [...(await store.read("s1", "c/receipts")).values()].join();
  const stored = async () => parseHead((await store.head("s1"))?.text ?? "");
  return { journal: written, receipts, stored, commits: () => commits };
}

Deno.test("Journal.stored: an open receipt is stored, also before its event has come", async () => {
  const opened = [receipt("r1")];
  const { journal: written, receipts, commits } = await journal(() =>
    conversation({ receipts: [...opened] })
  );
  await written.stored("r1");
  assertEquals(await receipts(), JSON.stringify(opened));
  opened.push(receipt("r2"));
  written.push({
    type: "tool_started",
    turnId: "turn_1",
    receipt: receipt("r1"),
  });
  await Promise.all([written.stored("r1"), written.stored("r2")]);
  assertEquals(await receipts(), JSON.stringify(opened));
  assertEquals(commits(), 2);
  // What is stored is not written again.
  await written.stored("r2");
  assertEquals(commits(), 2);
});

Deno.test("Journal.stored: a commit that began before the receipt was opened is not taken for it", async () => {
  const opened = [receipt("r1")];
  const { journal: written, receipts } = await journal(() =>
    conversation({ receipts: [...opened] })
  );
  const first = written.stored("r1");
  await Promise.resolve();
  await Promise.resolve();
  opened.push(receipt("r2"));
  await written.stored("r2");
  assertEquals(await receipts(), JSON.stringify(opened));
  await first;
});

Deno.test("Journal: text is no change of the conversation, a receipt is one", async () => {
  const opened = [receipt("r1")];
  const { journal: written, stored } = await journal(() =>
    conversation({ receipts: opened })
  );
  const text = { type: "text", turnId: "turn_1", step: 1, delta: "x" } as const;
  written.push(text);
  await written.flush();
  assertEquals((await stored()).changes, 1);
  await written.stored("r1");
  const { changes, bytes } = await stored();
  assertEquals(changes, 2);
  assertEquals(bytes, JSON.stringify(opened).length);
  written.push(text);
  await written.flush();
  assertEquals((await stored()).changes, 2);
});
