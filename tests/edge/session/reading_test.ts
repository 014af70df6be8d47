// What reading costs, and that what is read belongs together.

import { assertEquals } from "@std/assert";
import { encodeHead, type SessionHead } from "../../../edge/session/head.ts";
import { Sessions } from "../../../edge/session/sessions.ts";
import type { SessionStore } from "../../../edge/store.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import { ManualClock } from "../../support/ambient.ts";
import { config } from "../app_fixture.ts";
import { headOf, receipt } from "./conversation_fixture.ts";

const head = headOf({ turns: 3 });

/** A session of three turns, and the names that were read of it. */
async function session() {
  const memory = memoryStore();
  const set = new Map<string, string>();
  for (const number of [1, 2, 3]) {
    const id = `turn_${number}`;
    const record = { id, number, input: "x", startedAt: 1 };
    set.set(`turn/${id}`, JSON.stringify(record));
    set.set(`c/history/000000000${number}`, '{"type":"user","text":"x"}');
    const receipts = [receipt(`r${number}`, { turnId: id })];
    const page = `c/receipts/000000000${number}/0000000000`;
    set.set(page, JSON.stringify(receipts));
  }
  const first = { after: undefined, head: encodeHead(head), set, remove: [] };
  let revision = await memory.commit("s1", first);
  const read: string[][] = [];
  let meanwhile = () => Promise.resolve();
  const store: SessionStore = {
    ...memory,
    exclusive: false,
    async read(...all) {
      const documents = await memory.read(...all);
      read.push([...documents.keys()]);
      await meanwhile();
      return documents;
    },
  };
  const clock = new ManualClock();
  const parts = { config, store, clock, leaseMs: 9000, textMs: 50 };
  return {
    sessions: new Sessions(parts),
    read,
    /** Commits these heads, one in the course of each read. */
    async commits(heads: SessionHead[]) {
      meanwhile = async () => {
        const next = heads.shift();
        if (next === undefined) return;
        const text = encodeHead(next);
        const change = { head: text, set: new Map(), remove: [] };
        revision = await memory.commit("s1", { after: revision, ...change });
      };
      await Promise.resolve();
    },
  };
}

Deno.test("Sessions.turn: nothing is read but the turn's record and its own receipts", async () => {
  const { sessions, read } = await session();
  const turn = await sessions.turn("s1", "turn_2");
  assertEquals(turn?.receipts.map(({ id }) => id), ["r2"]);
  assertEquals(read, [["turn/turn_2"], ["c/receipts/0000000002/0000000000"]]);
  assertEquals(await sessions.turn("s1", "unknown"), undefined);
});

Deno.test("Sessions.state: text that streams meanwhile makes nothing be read again", async () => {
  const { sessions, read, commits } = await session();
  await commits([{ ...head, updatedAt: 2 }, { ...head, updatedAt: 3 }]);
  assertEquals((await sessions.state("s1"))?.turns.length, 3);
  assertEquals(read.length, 2);
});

Deno.test("Sessions.state: a conversation that changed meanwhile is read again, and told with its own head", async () => {
  const { sessions, read, commits } = await session();
  await commits([{ ...head, changes: 2, updatedAt: 7 }]);
  assertEquals((await sessions.state("s1"))?.head.updatedAt, 7);
  assertEquals(read.length, 4);
});

Deno.test("Sessions.state: while a turn changes the conversation only what it can change is read again", async () => {
  const { sessions, read, commits } = await session();
  const running = { turn: "turn_3", owner: "p", from: 3, until: 9e15 };
  const busy = { ...head, running };
  await commits([busy]);
  await sessions.state("s1");
  read.length = 0;
  await commits([{ ...busy, changes: 2 }, { ...busy, changes: 3 }]);
  const state = await sessions.state("s1");
  assertEquals(read.slice(2), [
    ["c/history/0000000003"],
    ["c/receipts/0000000003/0000000000"],
    [],
  ]);
  assertEquals(state?.head.changes, 3);
  assertEquals(state?.turns.length, 3);
  assertEquals(state?.history.length, 3);
  assertEquals(state?.receipts.map(({ id }) => id), ["r1", "r2", "r3"]);
});
