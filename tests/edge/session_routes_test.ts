// The routes of a session: what a repeated request gets, how a turn is cancelled,
// and what caches may keep.

import { assert, assertEquals } from "@std/assert";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import { fixture, gate, oneLookup, upper } from "./app_fixture.ts";
import { allEvents, headers, postTurn } from "./client.ts";

test("a repeated request that prefers respond-async gets 202 while its turn runs, and 200 once it has ended", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call);
  const ask = async () => {
    const response = await postTurn(app.send, "s1", "Look up", {
      "idempotency-key": "k-1",
      prefer: "respond-async",
    });
    const applied = response.headers.get("preference-applied");
    const { id, state } = await response.json();
    return { answer: [response.status, state, applied], id };
  };
  const running = [202, "running", "respond-async"];
  const { answer, id } = await ask();
  assertEquals(answer, running);
  assertEquals((await ask()).answer, running);
  tool.open();
  const path = `/sessions/s1/turns/${id}/events`;
  await allEvents(await app.send(path, { headers }));
  assertEquals((await ask()).answer, [200, "ended", null]);
});

test("a turn is cancelled also where its session cannot be read", async () => {
  const tool = gate();
  const store = memoryStore();
  let unreadable = false;
  await using app = await fixture([oneLookup], tool.call, {
    store: {
      ...store,
      read: (session, prefix, ...rest) =>
        unreadable && prefix.startsWith("c/")
          ? Promise.reject(new Error("the disk is gone"))
          : store.read(session, prefix, ...rest),
    },
  });
  const response = await postTurn(app.send, "s1", "Look up", {
    prefer: "respond-async",
  });
  await response.body?.cancel();
  const signal = await tool.called;
  unreadable = true;
  const cancelled = await app.send(response.headers.get("location") ?? "", {
    method: "DELETE",
    headers,
  });
  assertEquals((await cancelled.json()).code, "internal");
  assert(signal.aborted);
});

test("no cache keeps what is said in a session", async () => {
  await using app = await fixture([{ text: "done" }], upper);
  const response = await postTurn(app.send, "s1", "Hello");
  const path = response.headers.get("location") ?? "";
  const ended = await allEvents(response);
  const after = { "last-event-id": `${ended.length}` };
  for (
    const answer of [
      response,
      await app.send("/sessions/s1", { headers }),
      await app.send(path, { headers }),
      await app.send(`${path}/events`, { headers }),
      await app.send(`${path}/events`, { headers: { ...headers, ...after } }),
      await app.send(`${path}/cancel`, { method: "POST", headers }),
      await app.send("/sessions/s2", { headers }),
    ]
  ) {
    assertEquals(answer.headers.get("cache-control"), "no-store");
    await answer.body?.cancel();
  }
});
