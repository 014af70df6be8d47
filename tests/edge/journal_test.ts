import { assertEquals } from "@std/assert";
import { Texts, toDocuments } from "../../edge/session/documents.ts";
import { Journal } from "../../edge/session/journal.ts";
import type { SessionHead } from "../../edge/session/head.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import type { Receipt } from "../../src/receipt.ts";
import { type AgentSnapshot, snapshotVersion } from "../../src/snapshot.ts";
import { ManualClock } from "../support/ambient.ts";

function receipt(id: string): Receipt {
  return {
    id,
    turnId: "turn_1",
    step: 1,
    callId: id,
    tool: "lookup",
    surface: "direct",
    executed: false,
    requestedAt: 1,
    inputBytes: 0,
    outputBytes: 0,
    truncated: false,
  };
}

function conversation(parts: Partial<AgentSnapshot>): AgentSnapshot {
  return {
    version: snapshotVersion,
    backend: "openai",
    history: [],
    receipts: [],
    stored: {},
    ...parts,
  };
}

async function journal(contents: () => AgentSnapshot) {
  const memory = memoryStore();
  let commits = 0;
  const store: typeof memory = {
    ...memory,
    commit: (...all) => (commits++, memory.commit(...all)),
  };
  const head: SessionHead = {
    version: 1,
    backend: "openai",
    createdAt: 1,
    updatedAt: 1,
    turns: 1,
    running: { turn: "turn_1", owner: "process_1", until: 9000 },
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
    documents: new Map(),
    leaseMs: 9000,
    textMs: 50,
    contents,
    onCancel: () => {},
    onLost: () => {},
  });
  const receipts = async () =>
    [...(await store.read("s1", "c/receipts")).values()].join();
  return { journal: written, receipts, commits: () => commits };
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

Deno.test("toDocuments: what stayed the same is not made into text again", () => {
  let made = 0;
  const item = (text: string) => ({
    type: "user" as const,
    get text() {
      made++;
      return text;
    },
  });
  const texts = new Texts();
  const history = [item("a"), item("b")];
  const before = toDocuments(conversation({ history }), texts);
  const after = toDocuments(
    conversation({ history: [...history, item("c")] }),
    texts,
  );
  assertEquals(made, 3);
  assertEquals([...after].slice(0, 2), [...before].slice(0, 2));
});

Deno.test("toDocuments: a page is made again when one of its receipts was replaced, or is gone", () => {
  const texts = new Texts();
  const receipts = [receipt("r1"), receipt("r2"), receipt("r3")];
  const replaced = receipts.with(1, { ...receipt("r2"), outcome: "succeeded" });
  for (const list of [receipts, replaced, receipts.slice(0, 2), [], receipts]) {
    const contents = conversation({ receipts: list });
    assertEquals(toDocuments(contents, texts), toDocuments(contents));
  }
});
