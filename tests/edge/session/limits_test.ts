// What a session may hold.

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { encodeHead } from "../../../edge/session/head.ts";
import {
  defaultLimits,
  mustHaveRoom,
  SessionFull,
} from "../../../edge/session/limits.ts";
import { Sessions } from "../../../edge/session/sessions.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import { ManualClock } from "../../support/ambient.ts";
import { test } from "../../support/permissions.ts";
import { config, fixture, upper } from "../app_fixture.ts";
import { postTurn } from "../client.ts";
import { headOf } from "./conversation_fixture.ts";

Deno.test("mustHaveRoom: a session is full once it holds as much as it may", () => {
  const limits = { turns: 3, bytes: 100 };
  mustHaveRoom(headOf({ turns: 2, bytes: 99 }), limits);
  for (
    const [full, message] of [
      [{ turns: 3, bytes: 0 }, "3 turns"],
      [{ turns: 0, bytes: 100 }, "100 bytes of history and receipts"],
    ] as const
  ) {
    const error = assertThrows(
      () => mustHaveRoom(headOf(full), limits),
      SessionFull,
    );
    assertEquals(
      error.message,
      `A session takes no turn once it holds ${message}; begin another`,
    );
  }
});

Deno.test("Sessions.start: limits are the host's, and the usual ones without them", async () => {
  const clock = new ManualClock();
  const most = headOf({ turns: defaultLimits.turns });
  const large = headOf({ bytes: 1 });
  for (const [head, limits] of [[most, {}], [large, { bytes: 1 }]] as const) {
    const store = memoryStore();
    const parts = { config, store, clock, leaseMs: 9000, textMs: 50, limits };
    const none = { after: undefined, set: new Map(), remove: [] };
    await store.commit("s1", { head: encodeHead(head), ...none });
    const sessions = new Sessions(parts);
    await assertRejects(
      () => sessions.start("s1", { input: "x" }, { apiKey: "key" }),
      SessionFull,
    );
  }
});

test("a session that is full takes no further turn and says why, but still gives a turn that was started before", async () => {
  await using app = await fixture([{ text: "hi" }], upper);
  const key = { "idempotency-key": "k1", accept: "application/json" };
  const first = await postTurn(app.send, "s1", "Hello", key);
  const { id } = await first.json();
  const stored = await app.store.head("s1");
  const head = JSON.stringify({
    ...JSON.parse(stored?.text ?? ""),
    bytes: defaultLimits.bytes,
  });
  const set = new Map<string, string>();
  const after = stored?.revision;
  await app.store.commit("s1", { after, head, set, remove: [] });
  const refused = await postTurn(app.send, "s1", "More");
  const { code, detail } = await refused.json();
  assertEquals([refused.status, code], [409, "session_full"]);
  assertEquals(
    detail,
    "A session takes no turn once it holds 8388608 bytes of history and receipts; begin another",
  );
  const again = await postTurn(app.send, "s1", "Hello", key);
  assertEquals((await again.json()).id, id);
});

test("how many turns a session takes, and how large it may be, is the host's to say", async () => {
  for (
    const [parts, most] of [
      [{ sessionTurns: 1 }, "1 turns"],
      [{ sessionBytes: 10 }, "10 bytes of history and receipts"],
    ] as const
  ) {
    await using app = await fixture([{ text: "hi" }], upper, parts);
    const first = await postTurn(app.send, "s1", "Hello");
    await first.text();
    const { detail } = await (await postTurn(app.send, "s1", "More")).json();
    assertEquals(
      detail,
      `A session takes no turn once it holds ${most}; begin another`,
    );
    const other = await postTurn(app.send, "s2", "Hello");
    assertEquals(other.status, 200);
    await other.text();
  }
});
