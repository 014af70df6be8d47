/**
 * The contract: what clients can do with turns and sessions.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { stepOfCalls, type WantedCall } from "../../support/surface.ts";
import {
  allEvents,
  eventsOf,
  getJson,
  headers,
  postTurn,
  readUntil,
} from "../client.ts";
import { type Cases, hostCallBegan, newSession, turnOf } from "./subject.ts";

const long: readonly WantedCall[] = [{ name: "wait", input: { ms: 50_000 } }];
const short: readonly WantedCall[] = [{ name: "wait", input: { ms: 300 } }];

/** What clients can do. */
export const sessionCases: Cases = {
  "a turn goes on without its client where that was asked, and can be followed":
    async ({ send, surface, model }) => {
      const session = newSession();
      const input = model.add([stepOfCalls(surface, short), { text: "fine" }]);
      const started = await postTurn(send, session, input, {
        prefer: "respond-async",
      });
      assertEquals(started.status, 202);
      await started.body?.cancel();
      const path = `/sessions/${session}/turns/${turnOf(started)}`;
      const first = await send(`${path}/events`, { headers });
      const follower = eventsOf(first);
      await readUntil(follower, hostCallBegan);
      await follower.return();
      const all = await allEvents(await send(`${path}/events`, { headers }));
      assertEquals(all.map(({ id }) => id), all.map((_, i) => `${i + 1}`));
      assertEquals(all.at(-1)?.data.stopReason, "completed");
      const rest = await send(`${path}/events`, {
        headers: { ...headers, "last-event-id": "2" },
      });
      assertEquals(await allEvents(rest), all.slice(2));
      const turn = await getJson(send, path);
      assertEquals([turn.state, turn.end.text], ["ended", "fine"]);
    },

  // R24, R53
  "a client that leaves cancels its turn, and the session goes on": async (
    { send, surface, model },
  ) => {
    const session = newSession();
    const input = model.add([stepOfCalls(surface, long)]);
    const abort = new AbortController();
    const response = await postTurn(send, session, input, {
      signal: abort.signal,
    });
    await readUntil(eventsOf(response), hostCallBegan);
    abort.abort();
    const turn = turnOf(response);
    const events = await allEvents(
      await send(`/sessions/${session}/turns/${turn}/events`, { headers }),
    );
    assertEquals(events.at(-1)?.data.stopReason, "cancelled");
    const { receipts } = await getJson(send, `/sessions/${session}`);
    assert(
      receipts.every((r: { outcome: string }) => r.outcome === "cancelled"),
    );
    const next = await postTurn(send, session, model.add([{ text: "again" }]));
    assertEquals((await allEvents(next)).at(-1)?.data.text, "again");
  },

  // R53
  "a client that leaves before its document comes cancels its turn": async (
    { send, surface, model },
  ) => {
    const session = newSession();
    const input = model.add([stepOfCalls(surface, long)]);
    const abort = new AbortController();
    const leaving = postTurn(send, session, input, {
      accept: "application/json",
      signal: abort.signal,
    });
    await model.whenAsked(input, 1);
    abort.abort();
    // In memory there is no connection that breaks.
    await leaving.then(({ body }) => body?.cancel(), () => {});
    const { turns } = await getJson(send, `/sessions/${session}`);
    const path = `/sessions/${session}/turns/${turns[0].id}/events`;
    const events = await allEvents(await send(path, { headers }));
    assertEquals(events.at(-1)?.data.stopReason, "cancelled");
  },

  "a second turn conflicts, a cancelled one frees its session": async (
    { send, surface, model },
  ) => {
    const session = newSession();
    const input = model.add([stepOfCalls(surface, long)]);
    const response = await postTurn(send, session, input);
    const events = eventsOf(response);
    await readUntil(events, hostCallBegan);
    const second = await postTurn(send, session, model.add([]));
    const problem = await second.json();
    assertEquals([second.status, problem.code], [409, "turn_running"]);
    assertEquals(problem.turn, turnOf(response));
    const path = `/sessions/${session}/turns/${problem.turn}`;
    const cancelled = await send(path, { method: "DELETE", headers });
    assert(cancelled.ok);
    await cancelled.body?.cancel();
    const all = await allEvents(await send(`${path}/events`, { headers }));
    assertEquals(all.at(-1)?.data.stopReason, "cancelled");
    await readUntil(events, ({ type }) => type === "end");
    const third = await postTurn(send, session, model.add([{ text: "free" }]));
    assertEquals((await allEvents(third)).at(-1)?.data.text, "free");
  },

  "the same key gives the same turn, another body with it is refused": async (
    { send, surface, model },
  ) => {
    const session = newSession();
    const key = { "idempotency-key": crypto.randomUUID() };
    const input = model.add([stepOfCalls(surface, short), { text: "once" }]);
    const responses = await Promise.all(
      [1, 2, 3].map(() => postTurn(send, session, input, key)),
    );
    const [first, ...others] = await Promise.all(responses.map(allEvents));
    for (const other of others) assertEquals(other, first);
    assertEquals(model.asked(input), 2);
    const other = await postTurn(send, session, model.add([]), key);
    assertEquals([other.status, (await other.json()).code], [409, "key_taken"]);
  },

  "a client that accepts JSON gets one document": async (
    { send, surface, model },
  ) => {
    const calls: WantedCall[] = [{ name: "lookup", input: { key: "a" } }];
    const input = model.add([stepOfCalls(surface, calls), { text: "fine" }]);
    const response = await postTurn(send, newSession(), input, {
      accept: "application/json",
    });
    const turn = await response.json();
    assertEquals([response.status, turn.end?.text], [200, "fine"]);
    assertEquals(turn.receipts.at(-1).output, "A");
  },

  "large results and long histories are kept whole": async (
    { send, surface, model },
  ) => {
    const session = newSession();
    const calls = Array.from({ length: 4 }, () => ({
      name: "flood",
      input: { bytes: 300_000 },
    }));
    for (let turn = 0; turn < 2; turn++) {
      const input = model.add([stepOfCalls(surface, calls), { text: "big" }]);
      const events = await allEvents(await postTurn(send, session, input));
      assertEquals(events.at(-1)?.data.text, "big");
    }
    const { receipts } = await getJson(send, `/sessions/${session}`);
    const sizes = receipts.filter((r: { tool: string }) => r.tool === "flood")
      .map((r: { output: string }) => r.output.length);
    assertEquals(sizes, Array(8).fill(300_000));
  },

  // R57
  "a stream that is quiet for a while is kept open by comments": async (
    { send, surface, model },
  ) => {
    const calls = [{ name: "wait", input: { ms: 1500 } }];
    const input = model.add([stepOfCalls(surface, calls), { text: "fine" }]);
    const response = await postTurn(send, newSession(), input);
    const text = await response.text();
    assertStringIncludes(text, "\n\n: keep-alive\n\n");
    assertStringIncludes(text, "event: end\n");
  },

  "a session is deleted with its running turn, and can be made anew": async (
    { send, surface, model },
  ) => {
    const session = newSession();
    const path = `/sessions/${session}`;
    const input = model.add([stepOfCalls(surface, long)]);
    const events = eventsOf(await postTurn(send, session, input));
    await readUntil(events, hostCallBegan);
    const remove = async () => {
      const removed = await send(path, { method: "DELETE", headers });
      assertEquals([removed.status, await removed.text()], [204, ""]);
    };
    await remove();
    const last = (await Array.fromAsync(events)).at(-1);
    // A follower that reads on late finds the session gone.
    assert(last?.data.stopReason === "cancelled" || last?.type === "error");
    const gone = await send(path, { headers });
    assertEquals([gone.status, (await gone.json()).code], [404, "not_found"]);
    await remove();
    const again = await postTurn(send, session, model.add([{ text: "new" }]));
    assertEquals((await allEvents(again)).at(-1)?.data.text, "new");
    assertEquals((await getJson(send, path)).turns.length, 1);
    await remove();
  },

  "HEAD says how long the body of GET is, and of events that they are some":
    async ({ send, surface, model }) => {
      const session = newSession();
      const input = model.add([stepOfCalls(surface, short), { text: "fine" }]);
      const response = await postTurn(send, session, input);
      const events = `/sessions/${session}/turns/${turnOf(response)}/events`;
      const head = async (path: string) => {
        const answer = await send(path, { method: "HEAD", headers });
        assertEquals([answer.status, await answer.text()], [200, ""]);
        return answer.headers;
      };
      assertEquals((await head("/health")).get("content-length"), "15");
      const type = (await head(events)).get("content-type") ?? "";
      assertStringIncludes(type, "text/event-stream");
      assertEquals((await allEvents(response)).at(-1)?.data.text, "fine");
    },

  "nobody gets in without the token": async ({ send }) => {
    const session = newSession();
    const none = await send(`/sessions/${session}/turns`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"input":"x"}',
    });
    assertEquals([none.status, (await none.json()).code], [
      401,
      "unauthorized",
    ]);
    const wrong = await send("/tools", {
      headers: { authorization: "Bearer test-token" },
    });
    assertEquals(wrong.status, 401);
    await wrong.body?.cancel();
    const unknown = await send(`/sessions/${session}`, { headers });
    assertEquals([unknown.status, (await unknown.json()).code], [
      404,
      "not_found",
    ]);
  },
};
