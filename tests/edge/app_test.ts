// The app, answering requests in memory: turns, sessions, and where it stands.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Hono } from "hono";
import { createApp } from "../../edge/app.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import { config, fixture, gate, oneLookup, upper } from "./app_fixture.ts";
import { allEvents, getJson, headers, postTurn } from "./client.ts";

test("a turn streams its events, numbered from 1, with one end as the last", async () => {
  await using app = await fixture([oneLookup, { text: "ALPHA" }], upper);
  const response = await postTurn(app.send, "s1", "Look up alpha");
  assertEquals(response.status, 200);
  assertStringIncludes(
    response.headers.get("content-type") ?? "",
    "text/event-stream",
  );
  const events = await allEvents(response);
  assertEquals(events.map(({ type }) => type), [
    "step_started",
    "step_finished",
    "tool_started",
    "tool_finished",
    "step_started",
    "text",
    "step_finished",
    "end",
  ]);
  assertEquals(events.map(({ id }) => id), events.map((_, i) => `${i + 1}`));
  assert(events.every(({ type, data }) => type === data.type));
  assertEquals(events.at(-1)?.data.text, "ALPHA");
  const location = response.headers.get("location") ?? "";
  const turn = await getJson(app.send, location);
  assertEquals(turn.state, "ended");
  assertEquals(turn.end.stopReason, "completed");
  assertEquals(turn.lastEvent, events.length);
  assertEquals(turn.receipts.map((r: { output: unknown }) => r.output), [
    "ALPHA",
  ]);
});

test("a client that accepts JSON gets the turn as one document at its end", async () => {
  await using app = await fixture([oneLookup, { text: "ALPHA" }], upper);
  const response = await postTurn(app.send, "s1", "Look up alpha", {
    accept: "application/json",
  });
  assertEquals(response.status, 200);
  const turn = await response.json();
  assertEquals(turn.state, "ended");
  assertEquals(turn.session, "s1");
  assertEquals(turn.end.text, "ALPHA");
  assertEquals(turn.receipts.length, 1);
});

test("a client that prefers respond-async gets a place to look, and the turn goes on", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "ALPHA" }], tool.call);
  const response = await postTurn(app.send, "s1", "Look up alpha", {
    prefer: "wait=1, Respond-Async; x=y",
  });
  assertEquals(response.status, 202);
  assertEquals(response.headers.get("preference-applied"), "respond-async");
  assertEquals((await response.json()).state, "running");
  await tool.called;
  tool.open();
  const location = response.headers.get("location") ?? "";
  const events = await allEvents(
    await app.send(`${location}/events`, { headers }),
  );
  assertEquals(events.at(-1)?.data.stopReason, "completed");
});

test("a session tells its turns, its history and its receipts", async () => {
  await using app = await fixture([oneLookup, { text: "one" }], upper);
  await allEvents(await postTurn(app.send, "s1", "First"));
  await allEvents(await postTurn(app.send, "s1", "Second"));
  const session = await getJson(app.send, "/sessions/s1");
  assertEquals(session.id, "s1");
  assertEquals(session.running, undefined);
  assertEquals(session.turns.map((t: { input: string }) => t.input), [
    "First",
    "Second",
  ]);
  assertEquals(session.history.map((item: { type: string }) => item.type), [
    "user",
    "step",
    "step",
    "user",
    "step",
  ]);
  assertEquals(session.receipts.length, 1);
  assertEquals(app.model.messages().at(-1)?.at(-1)?.content, "Second");
});

test("a second turn at once is a conflict that names the first, and nothing interleaves", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call);
  const first = await postTurn(app.send, "s1", "First");
  await tool.called;
  const second = await postTurn(app.send, "s1", "Second");
  assertEquals(second.status, 409);
  const problem = await second.json();
  assertEquals(problem.code, "turn_running");
  assert(first.headers.get("location")?.endsWith(problem.turn));
  tool.open();
  await allEvents(first);
  const { turns } = await getJson(app.send, "/sessions/s1");
  assertEquals(turns.map((t: { input: string }) => t.input), ["First"]);
  // Another session is not held up.
  const third = await postTurn(app.send, "s2", "Third");
  assertEquals((await allEvents(third)).at(-1)?.type, "end");
});

test("of many requests at once in one session exactly one starts a turn", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call);
  const responses = await Promise.all(
    Array.from(
      { length: 8 },
      (_, index) =>
        postTurn(app.send, "s1", `Number ${index}`, {
          prefer: "respond-async",
        }),
    ),
  );
  const statuses = responses.map(({ status }) => status).sort();
  assertEquals(statuses, [202, ...Array(7).fill(409)]);
  tool.open();
  await Promise.all(responses.map((response) => response.body?.cancel()));
});

test("the same key and body give the same turn with its events from the first", async () => {
  await using app = await fixture([oneLookup, { text: "done" }], upper);
  const key = { "idempotency-key": "k-1" };
  const first = await postTurn(app.send, "s1", "Look up", key);
  const events = await allEvents(first);
  const again = await postTurn(app.send, "s1", "Look up", key);
  assertEquals(again.headers.get("location"), first.headers.get("location"));
  assertEquals(await allEvents(again), events);
  assertEquals(app.model.requests(), 2);
});

test("a request that is repeated while its turn runs joins that turn", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call);
  const key = { "idempotency-key": "k-1" };
  const first = await postTurn(app.send, "s1", "Look up", key);
  await tool.called;
  const again = await postTurn(app.send, "s1", "Look up", key);
  tool.open();
  assertEquals(await allEvents(again), await allEvents(first));
});

test("the same key with another body is refused", async () => {
  await using app = await fixture([{ text: "done" }], upper);
  const key = { "idempotency-key": "k-1" };
  await allEvents(await postTurn(app.send, "s1", "One", key));
  const other = await postTurn(app.send, "s1", "Another", key);
  assertEquals([other.status, (await other.json()).code], [409, "key_taken"]);
});

test("a reader that comes back gets what it missed, and 204 once it has all", async () => {
  await using app = await fixture([oneLookup, { text: "done" }], upper);
  const response = await postTurn(app.send, "s1", "Look up");
  const events = await allEvents(response);
  const path = `${response.headers.get("location")}/events`;
  const missed = await app.send(path, {
    headers: { ...headers, "last-event-id": "3" },
  });
  assertEquals(await allEvents(missed), events.slice(3));
  const none = await app.send(path, {
    headers: { ...headers, "last-event-id": `${events.length}` },
  });
  assertEquals([none.status, await none.text()], [204, ""]);
});

test("a turn is cancelled by DELETE and by POST, also when it has ended", async () => {
  for (const [method, suffix] of [["DELETE", ""], ["POST", "/cancel"]]) {
    const tool = gate();
    await using app = await fixture([oneLookup], tool.call);
    const response = await postTurn(app.send, "s1", "Look up");
    const signal = await tool.called;
    const path = `${response.headers.get("location")}${suffix}`;
    const cancelled = await app.send(path, { method: method ?? "", headers });
    assert([200, 202].includes(cancelled.status));
    await cancelled.body?.cancel();
    const events = await allEvents(response);
    assert(signal.aborted);
    assertEquals(events.at(-1)?.data.stopReason, "cancelled");
    const finished = events.filter(({ type }) => type === "tool_finished");
    assertEquals(finished.map(({ data }) => data.receipt.outcome), [
      "cancelled",
    ]);
    const again = await app.send(path, { method: method ?? "", headers });
    assertEquals([again.status, (await again.json()).state], [200, "ended"]);
  }
});

test("a failed provider is told in the stream, and as a problem in JSON", async () => {
  await using app = await fixture([], upper, {
    config: { ...config, budget: { retries: 0 } },
    options: () => ({
      apiKey: "provider-key-0123456789",
      baseUrl: "http://127.0.0.1:1/v1",
    }),
  });
  const events = await allEvents(await postTurn(app.send, "s1", "Hello"));
  assertEquals(events.at(-1)?.data.stopReason, "failed");
  const response = await postTurn(app.send, "s1", "Hello", {
    accept: "application/json",
  });
  const text = await response.text();
  assertEquals(response.status, 502);
  assertEquals(JSON.parse(text).code, "provider_failed");
  assert(!text.includes("provider-key"));
});

test("the tool set is listed with its schemas", async () => {
  await using app = await fixture([], upper);
  assertEquals(await getJson(app.send, "/tools"), {
    surfaces: ["direct"],
    tools: config.tools,
  });
});

test("the app stands inside a bigger one, and points to where it stands", async () => {
  await using model = await fixture([{ text: "hi" }], upper);
  const inner = createApp<object>({
    config,
    options: () => ({ apiKey: "key", baseUrl: model.model.baseUrl }),
    sessions: { store: memoryStore() },
    auth: () => ({ off: "everybody may use this" }),
  });
  const outer = new Hono().route("/agent", inner);
  outer.get("/own", (c) => c.text("own"));
  const send = async (path: string, init?: RequestInit) =>
    await outer.request(path, init);
  assertEquals(await (await send("/own")).text(), "own");
  const response = await postTurn(
    (path, init) => send(`/agent${path}`, init),
    "s1",
    "Hello",
  );
  await allEvents(response);
  const location = response.headers.get("location") ?? "";
  assertStringIncludes(location, "/agent/sessions/s1/turns/turn_");
  assertEquals((await getJson(send, location)).state, "ended");
  const refused = await send("/agent/sessions/a.b");
  assertEquals((await refused.json()).code, "parameter_invalid");
});

test("cross-origin use is off, and answers carry an id and safe headers", async () => {
  await using app = await fixture([], upper);
  const response = await app.send("/health", {
    headers: { origin: "https://example.com" },
  });
  assertEquals(response.headers.get("access-control-allow-origin"), null);
  assert(response.headers.get("x-request-id"));
  assertEquals(response.headers.get("x-content-type-options"), "nosniff");
  // How the whole domain is reached is its operator's to say.
  for (const path of ["/health", "/", "/nothing"]) {
    const { headers } = await app.send(path);
    assertEquals(headers.get("strict-transport-security"), null);
  }
});
