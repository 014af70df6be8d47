// HEAD: what GET would say, without its body, and without what makes the body.

import { assertEquals } from "@std/assert";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import { fixture, gate, oneLookup, upper } from "./app_fixture.ts";
import { headers, postTurn } from "./client.ts";

test("HEAD on a running turn's events follows nothing", async () => {
  const tool = gate();
  const store = memoryStore();
  let followers = 0;
  await using app = await fixture([oneLookup, { text: "done" }], tool.call, {
    store: {
      ...store,
      watch: (session, signal) => {
        followers++;
        return store.watch(session, signal);
      },
    },
  });
  const started = await postTurn(app.send, "s1", "Look up", {
    prefer: "respond-async",
  });
  await started.body?.cancel();
  await tool.called;
  const timers = app.clock.pending;
  const response = await app.send(`${started.headers.get("location")}/events`, {
    method: "HEAD",
    headers,
  });
  assertEquals([response.status, response.body], [200, null]);
  assertEquals(
    response.headers.get("content-type"),
    "text/event-stream; charset=utf-8",
  );
  assertEquals([followers, app.clock.pending], [0, timers]);
  tool.open();
});

test("HEAD says how long the body of GET is, also of a problem", async () => {
  await using app = await fixture([], upper);
  for (const path of ["/health", "/openapi.json", "/", "/tools", "/nothing"]) {
    const got = await app.send(path, { headers });
    const bytes = (await got.arrayBuffer()).byteLength;
    const head = await app.send(path, { method: "HEAD", headers });
    assertEquals(
      [head.status, head.body, head.headers.get("content-length")],
      [got.status, null, `${bytes}`],
      path,
    );
  }
});
