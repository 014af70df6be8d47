// Stores that hold what no session wrote: every route says so, and none waits.

import { assertEquals } from "@std/assert";
import { encodeHead } from "../../edge/session/head.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import { fixture, upper } from "./app_fixture.ts";
import { allEvents, getJson, headers } from "./client.ts";
import { headOf } from "./session/conversation_fixture.ts";

const end = {
  stopReason: "completed",
  text: "",
  usage: {},
  steps: 1,
};

/** An app whose session `s1` has the ended turn `t1` and these documents. */
async function app(documents: Record<string, string>) {
  const store = memoryStore();
  const record = {
    id: "t1",
    number: 1,
    input: "x",
    startedAt: 1,
    endedAt: 2,
    end,
    lastEvent: 9,
  };
  const set = new Map(Object.entries(documents));
  set.set("turn/t1", JSON.stringify(record));
  const head = encodeHead(headOf({ turns: 1 }));
  await store.commit("s1", { after: undefined, head, set, remove: [] });
  return await fixture([], upper, { store });
}

test("a turn that is recorded as ended and whose events have no end is told as such, and not followed for ever", async () => {
  const text = '{"type":"text","step":1,"delta":"x"}';
  const batches: Record<string, string>[] = [
    {},
    { "event/t1/0000000001": `[${text}]` },
  ];
  for (const batch of batches) {
    await using it = await app(batch);
    const path = "/sessions/s1/turns/t1/events";
    const events = await allEvents(await it.send(path, { headers }));
    assertEquals(events.map(({ type }) => type), [
      ...Object.keys(batch).map(() => "text"),
      "error",
    ]);
    assertEquals(events.at(-1)?.data.code, "stored_state_invalid");
  }
});

test("a page of very many receipts that are none is refused like one of few", async () => {
  for (const count of [1, 300_000]) {
    const page = JSON.stringify(Array(count).fill(0));
    await using it = await app({ "c/receipts/0000000001/0000000000": page });
    for (const path of ["/sessions/s1", "/sessions/s1/turns/t1"]) {
      const { code } = await getJson(it.send, path);
      assertEquals(code, "stored_state_invalid");
    }
  }
});
