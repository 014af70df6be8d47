// Deleting a session: its turn first, and whatever its store holds.

import { assert, assertEquals } from "@std/assert";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import { fixture, gate, oneLookup, upper } from "./app_fixture.ts";
import { allEvents, headers, postTurn } from "./client.ts";

const remove = { method: "DELETE", headers };

test("a session is deleted only after its turn's last word was stored", async () => {
  const store = memoryStore();
  const acts: string[] = [];
  const tool = gate();
  await using app = await fixture([oneLookup], tool.call, {
    store: {
      ...store,
      commit: (session, change) => {
        acts.push("commit");
        return store.commit(session, change);
      },
      remove: (session) => {
        acts.push("remove");
        return store.remove(session);
      },
    },
  });
  const response = await postTurn(app.send, "s1", "Look up");
  const signal = await tool.called;
  const removed = await app.send("/sessions/s1", remove);
  assertEquals([removed.status, removed.body], [204, null]);
  assert(signal.aborted);
  await allEvents(response);
  assertEquals(acts.indexOf("remove"), acts.length - 1);
  assertEquals(await store.head("s1"), undefined);
});

test("a session that cannot be read can be deleted", async () => {
  const running = { turn: "t1", owner: "p1", until: 1 };
  const head = { version: 1, backend: "openai", createdAt: 1, updatedAt: 1 };
  for (
    const text of [
      "{",
      // Its turn's process is gone, and what it left cannot be read.
      JSON.stringify({ ...head, turns: 1, running }),
    ]
  ) {
    const store = memoryStore();
    const set = new Map([["c/history/0000000000", "{"]]);
    await store.commit("s1", { after: undefined, head: text, set, remove: [] });
    await using app = await fixture([{ text: "new" }], upper, { store });
    assertEquals((await app.send("/sessions/s1", remove)).status, 204);
    const again = await postTurn(app.send, "s1", "Hello");
    assertEquals((await allEvents(again)).at(-1)?.data.text, "new");
  }
});

test("where there is no session nothing is deleted, and nothing is made", async () => {
  await using app = await fixture([], upper);
  assertEquals((await app.send("/sessions/s1", remove)).status, 204);
  assertEquals(await app.store.head("s1"), undefined);
  const refused = await app.send("/sessions/a.b", remove);
  assertEquals((await refused.json()).code, "parameter_invalid");
  const stranger = await app.send("/sessions/s1", { method: "DELETE" });
  assertEquals(stranger.status, 401);
});

test("a turn whose session another process deleted is stopped at once", async () => {
  const store = { ...memoryStore(), exclusive: false };
  const tool = gate();
  await using app = await fixture([oneLookup], tool.call, { store });
  const response = await postTurn(app.send, "s1", "Look up");
  const signal = await tool.called;
  const stopped = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => stopped.resolve());
  await store.remove("s1");
  await stopped.promise;
  await response.text();
  assertEquals(await store.head("s1"), undefined);
});
