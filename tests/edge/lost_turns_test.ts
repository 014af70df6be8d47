// Turns whose end nobody can store, and sessions that go while they are read:
// whoever waits is told, and nothing waits for ever.

import { assert, assertEquals } from "@std/assert";
import type { SessionStore } from "../../edge/store.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import {
  type Fixture,
  fixture,
  gate,
  oneLookup,
  upper,
} from "./app_fixture.ts";
import { allEvents, eventsOf, getJson, postTurn, readUntil } from "./client.ts";

const accepted = ["text/event-stream", "application/json"];

/** What a client that waits for a turn is told last, in either form. */
async function lastWord(
  accept: string,
  response: Response,
): Promise<{ status: number; type: unknown; code: unknown }> {
  const { status } = response;
  if (accept === "application/json") {
    return { status, type: "problem", code: (await response.json()).code };
  }
  const last = (await allEvents(response)).at(-1);
  const { code, stopReason } = last?.data ?? {};
  return { status, type: last?.type, code: code ?? stopReason };
}

/** Moves time on until something is so. */
async function pumped<T>({ clock }: Fixture, wanted: Promise<T>): Promise<T> {
  let over = false;
  const settled = wanted.finally(() => over = true);
  for (let round = 0; !over && round < 1_000; round++) {
    clock.advance(100);
    await new Promise((resolve) => setTimeout(resolve));
  }
  if (!over) throw new Error("It waits for ever");
  return await settled;
}

for (const accept of accepted) {
  for (const failures of [3, Infinity]) {
    const often = failures === 3 ? "for a while" : "from then on";
    test(`who waits for a turn is told when its store fails ${often}, as ${accept}`, async () => {
      const memory = memoryStore();
      let left = 0;
      const store: SessionStore = {
        ...memory,
        commit: (...all) =>
          left-- > 0
            ? Promise.reject(new Error("disk full"))
            : memory.commit(...all),
      };
      const tool = gate();
      await using app = await fixture([oneLookup], tool.call, { store });
      const asked = postTurn(app.send, "s1", "Look up", { accept });
      await tool.called;
      left = failures;
      tool.open();
      const told = await pumped(
        app,
        asked.then((response) => lastWord(accept, response)),
      );
      const stream = accept === "text/event-stream";
      assertEquals(
        told,
        failures === 3
          ? stream
            ? { status: 200, type: "end", code: "interrupted" }
            : { status: 503, type: "problem", code: "turn_interrupted" }
          : stream
          ? { status: 200, type: "error", code: "internal" }
          : { status: 500, type: "problem", code: "internal" },
      );
      left = 0;
      const { turns, receipts } = await getJson(app.send, "/sessions/s1");
      assertEquals(turns[0].end.stopReason, "interrupted");
      assertEquals(receipts.length, 1);
    });
  }

  for (const how of ["deleted", "pushed out by others"]) {
    test(`who waits for a turn is told when its session is ${how}, as ${accept}`, async () => {
      const store = memoryStore(1);
      const tool = gate();
      await using app = await fixture([oneLookup], tool.call, { store });
      const asked = postTurn(app.send, "s1", "Look up", { accept });
      await tool.called;
      if (how === "deleted") await store.remove("s1");
      else {
        const set = new Map<string, string>();
        const change = { after: undefined, head: "{}", set, remove: [] };
        await store.commit("s2", change);
      }
      const told = await pumped(
        app,
        asked.then((response) => lastWord(accept, response)),
      );
      assertEquals(told.code, "not_found");
      tool.open();
    });
  }
}

test("a client that leaves when the store cannot be reached harms nobody", async () => {
  const memory = memoryStore();
  let reachable = true;
  const store: SessionStore = {
    ...memory,
    head: (session) =>
      reachable ? memory.head(session) : Promise.reject(new Error("no route")),
  };
  await using app = await fixture([oneLookup], upper, { store });
  const response = await postTurn(app.send, "s1", "Look up");
  const path = response.headers.get("location") ?? "";
  const follower = eventsOf(
    await app.send(`${path}/events`, {
      headers: { authorization: "Bearer test-token-0123456789" },
    }),
  );
  await readUntil(follower, ({ type }) => type === "end");
  await follower.return();
  reachable = false;
  // A rejection that nobody takes ends the process, and fails this test.
  await response.body?.cancel();
  await new Promise((resolve) => setTimeout(resolve));
});

test("a turn runs where the store lost its answer to the turn's beginning", async () => {
  for (const shared of [false, true]) {
    const memory = memoryStore();
    let commits = 0;
    const store: SessionStore = {
      ...memory,
      exclusive: !shared,
      // As after a second try, which is refused for what the first has written.
      commit: async (...all) => {
        const revision = await memory.commit(...all);
        return ++commits === 1 ? undefined : revision;
      },
    };
    await using app = await fixture([oneLookup], upper, { store });
    const response = await postTurn(app.send, "s1", "Look up", {
      accept: "application/json",
      "idempotency-key": "k1",
    });
    assertEquals((await response.json()).end.stopReason, "completed");
    const { turns } = await getJson(app.send, "/sessions/s1");
    assertEquals(turns.length, 1);
    assert(commits > 2);
  }
});
