// Followers of turns: what they hold, how they end, and what no store can make
// them wait for.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { batchLength, toBatches } from "../../../edge/session/batches.ts";
import {
  follow,
  type FollowParts,
  type TurnFate,
} from "../../../edge/session/follow.ts";
import { StoredStateInvalid } from "../../../edge/session/stored_state.ts";
import type { SessionEvent } from "../../../edge/session/turn_record.ts";
import type { SessionStore } from "../../../edge/store.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import { noUsage } from "../../../src/events.ts";
import { ManualClock } from "../../support/ambient.ts";

const end: SessionEvent = {
  type: "end",
  turnId: "t",
  at: 1,
  stopReason: "completed",
  text: "",
  usage: noUsage,
  steps: 1,
};

function text(length: number): SessionEvent {
  return { type: "text", turnId: "t", step: 1, delta: "x".repeat(length) };
}

/** A turn in a store, which is told of as `fate` says. */
function followed(store: SessionStore, fate: () => TurnFate) {
  let revision: string | undefined;
  let number = 1;
  const clock = new ManualClock();
  const parts: FollowParts = {
    store,
    session: "s1",
    turn: "t",
    clock,
    everyMs: 1000,
    signal: new AbortController().signal,
    look: () => Promise.resolve(fate()),
  };
  return {
    clock,
    parts,
    async say(...events: SessionEvent[]) {
      const set = toBatches("t", number, events);
      number += events.length;
      const change = { after: revision, head: "{}", set, remove: [] };
      revision = await store.commit("s1", change);
      assert(revision);
    },
    /** The numbers of the events after number `after`. */
    numbers: async (after: number) => {
      const events = await Array.fromAsync(follow(parts, after));
      return events.map((event) => event.number);
    },
  };
}

Deno.test("follow: a reader that takes one event makes one piece of the turn be read", async () => {
  const memory = memoryStore();
  let characters = 0;
  const store: SessionStore = {
    ...memory,
    async read(...all) {
      const documents = await memory.read(...all);
      for (const text of documents.values()) characters += text.length;
      return documents;
    },
  };
  const turn = followed(store, () => "ended");
  const events = Array.from({ length: 8 }, () => text(1_000_000));
  for (const event of events) await turn.say(event);
  await turn.say(...Array.from({ length: 20 }, () => text(batchLength / 4)));
  await turn.say(end);
  const reader = follow(turn.parts, 0);
  await reader.next();
  assert(characters < 1_001_000, `${characters}`);
  await reader.next();
  assert(characters < 2_001_000, `${characters}`);
  await reader.return();
  characters = 0;
  assertEquals(
    await turn.numbers(0),
    Array.from({ length: 29 }, (_, index) => index + 1),
  );
  assert(characters < 8_001_000 + 21 * batchLength / 4, `${characters}`);
});

Deno.test("follow: the end comes also to a reader that claims to have more than there is", async () => {
  const turn = followed(memoryStore(), () => "ended");
  await turn.say(text(1), text(1), end);
  assertEquals(await turn.numbers(1), [2, 3]);
  assertEquals(await turn.numbers(500), [3]);
});

Deno.test("follow: events of an ended turn that have no end are refused, not waited for", async () => {
  for (const events of [[], [text(1)]]) {
    const turn = followed(memoryStore(), () => "ended");
    if (events.length > 0) await turn.say(...events);
    await assertRejects(() => turn.numbers(0), StoredStateInvalid, "events");
  }
});

Deno.test("follow: batches that do not go on are refused, not read again for ever", async () => {
  const store = memoryStore();
  const turn = followed(store, () => "running");
  const long = `[{"type":"text","text":"${"x".repeat(batchLength)}"}]`;
  const set = new Map([["event/t/9", long], ["event/t/99", long]]);
  await store.commit("s1", { after: undefined, head: "{}", set, remove: [] });
  await assertRejects(async () => {
    const reader = follow(turn.parts, 0);
    for (let taken = 0; taken < 10; taken++) await reader.next();
  }, StoredStateInvalid);
});

Deno.test("follow: the end is found also where it came after the last look", async () => {
  const turn = followed(memoryStore(), () => "ended");
  await turn.say(text(1));
  const { look } = turn.parts;
  const parts: FollowParts = {
    ...turn.parts,
    look: async () => {
      await turn.say(end);
      return await look();
    },
  };
  const events = await Array.fromAsync(follow(parts, 0));
  assertEquals(events.map(({ type }) => type), ["text", "end"]);
});

/** A store whose watcher listens only while it is asked for the next change. */
function forgetful(): SessionStore {
  const memory = memoryStore();
  const listeners = new Set<() => void>();
  return {
    ...memory,
    async commit(...all) {
      const revision = await memory.commit(...all);
      for (const wake of [...listeners]) wake();
      return revision;
    },
    async *watch(_session, signal) {
      while (!signal.aborted) {
        yield;
        await new Promise<void>((resolve) => {
          listeners.add(resolve);
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
        listeners.clear();
      }
    },
  };
}

Deno.test("follow: a commit while the reader works is seen, also where the store's watcher forgot it", async () => {
  let fate: TurnFate = "running";
  const turn = followed(forgetful(), () => fate);
  await turn.say(text(1));
  const reader = follow(turn.parts, 0);
  await reader.next();
  fate = "ended";
  await turn.say(end);
  assertEquals((await reader.next()).value?.type, "end");
  assertEquals((await reader.next()).done, true);
  assertEquals(turn.clock.pending, 0);
});

Deno.test("follow: a change that the store never tells is found after a while", async () => {
  const memory = memoryStore();
  const deaf: SessionStore = {
    ...memory,
    async *watch(_session, signal) {
      yield;
      await new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true })
      );
    },
  };
  let fate: TurnFate = "running";
  const turn = followed(deaf, () => fate);
  const numbers = turn.numbers(0);
  while (turn.clock.pending === 0) await Promise.resolve();
  for (let tick = 0; tick < 100; tick++) await Promise.resolve();
  fate = "ended";
  await turn.say(end);
  turn.clock.advance(1000);
  assertEquals(await numbers, [1]);
  assertEquals(turn.clock.pending, 0);
});
