// What the app refuses, and how it says so.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../edge/app.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { test } from "../support/permissions.ts";
import { fixture, upper } from "./app_fixture.ts";
import { allEvents, getJson, headers, postTurn } from "./client.ts";

test("without a token nobody gets in, and the problem says how to set one", async () => {
  for (const tokens of [[], [undefined], [""], ["two words"]]) {
    await using app = await fixture([], upper, { auth: () => ({ tokens }) });
    const response = await postTurn(app.send, "s1", "Hello");
    const problem = await response.json();
    assertEquals([response.status, problem.code], [503, "auth_not_configured"]);
    assertStringIncludes(problem.detail, "NANOCODE_TOKEN");
    assertEquals(app.model.requests(), 0);
    assertEquals((await app.send("/health")).status, 200);
  }
});

test("authentication is not switched off by a form that is none of its own", async () => {
  const tokens = ["a-long-random-text"];
  for (
    const [who, status] of [
      [{ off: undefined, tokens }, 401],
      [{ off: true, tokens }, 401],
      [{ off: false }, 503],
      [{ off: "" }, 503],
      [{ tokens: "a-long-random-text" }, 503],
      [{ tokens: [null, 5] }, 503],
      [{}, 503],
    ] as const
  ) {
    const app = createApp<object>({
      config: { backend: "openai", model: "gpt-5" },
      options: () => ({ apiKey: "key" }),
      sessions: { store: memoryStore() },
      // What a deployment without types could give.
      auth: () => JSON.parse(JSON.stringify(who)),
      onError: () => {},
    });
    assertEquals((await app.request("/tools")).status, status);
  }
});

test("a wrong or missing token is refused with a challenge, on every route but two", async () => {
  await using app = await fixture([], upper);
  for (
    const authorization of [undefined, "Bearer wrong", "Basic x", "Bearer"]
  ) {
    const sent = new Headers(authorization ? { authorization } : {});
    for (const path of ["/tools", "/sessions/s1", "/sessions/s1/turns/t"]) {
      const response = await app.send(path, { headers: sent });
      assertEquals((await response.json()).code, "unauthorized");
      assertEquals(response.status, 401);
      assertStringIncludes(
        response.headers.get("www-authenticate") ?? "",
        "Bearer",
      );
    }
  }
  assertEquals((await app.send("/health")).status, 200);
  assertEquals((await app.send("/openapi.json")).status, 200);
});

test("authentication is off only by its explicit switch", async () => {
  await using app = await fixture([{ text: "hi" }], upper, {
    auth: () => ({ off: "everybody may use this" }),
  });
  const response = await app.send("/sessions/s1/turns", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ input: "Hello" }),
  });
  assertEquals((await allEvents(response)).at(-1)?.type, "end");
});

test("with authentication off, only this machine is let in, and no page from elsewhere", async () => {
  const app = createApp<object>({
    config: { backend: "openai", model: "gpt-5" },
    options: () => ({ apiKey: "key" }),
    sessions: { store: memoryStore() },
    auth: () => ({ off: "everybody may use this" }),
  });
  const send = async (url: string, origin?: string) => {
    const headers = origin === undefined ? {} : { origin };
    const response = await app.request(url, { headers });
    return [response.status, (await response.json()).code];
  };
  const refused = [403, "foreign_request"];
  for (const path of ["/tools", "/sessions/s1", "/page/agent.json"]) {
    for (const host of ["localhost:8787", "127.0.0.1:8787", "[::1]"]) {
      const [status] = await send(`http://${host}${path}`);
      assert(status !== 403, `${host}${path}`);
    }
    // What DNS rebinding looks like, and a page that asks across origins.
    assertEquals(await send(`http://rebound.example${path}`), refused);
    const [from, ownPage] = ["http://page.example", "http://localhost:3000"];
    assertEquals(await send(`http://localhost${path}`, from), refused);
    assertEquals(await send(`http://localhost${path}`, "null"), refused);
    assert((await send(`http://127.0.0.1${path}`, ownPage))[0] !== 403);
  }
  const [status] = await send("http://rebound.example/health");
  assertEquals(status, 200);
});

test("where what stands in front asks, whoever gets here is let in", async () => {
  const app = createApp<object>({
    config: { backend: "openai", model: "gpt-5" },
    options: () => ({ apiKey: "key" }),
    sessions: { store: memoryStore() },
    auth: () => ({ off: "what stands in front asks" }),
  });
  const response = await app.request("https://shop.example/tools");
  assertEquals(response.status, 200);
});

test("who may use it may depend on the request, and take its time", async () => {
  const app = createApp<object>({
    config: { backend: "openai", model: "gpt-5" },
    options: () => ({ apiKey: "key" }),
    sessions: { store: memoryStore() },
    auth: async (_env, request) => {
      await Promise.resolve();
      return request.headers.get("cookie") === "session=7"
        ? { off: "what stands in front asks" }
        : { tokens: ["a-long-random-text"] };
    },
  });
  const statusOf = async (headers: HeadersInit) =>
    (await app.request("https://shop.example/tools", { headers })).status;
  assertEquals(await statusOf({ cookie: "session=7" }), 200);
  assertEquals(await statusOf({ cookie: "session=8" }), 401);
  assertEquals(
    await statusOf({ authorization: "Bearer a-long-random-text" }),
    200,
  );
});

test("where authentication fails itself, nobody is let in", async () => {
  await using app = await fixture([], upper, {
    auth: () => Promise.reject(new Error("secret")),
  });
  const response = await app.send("/tools", { headers });
  assertEquals([response.status, (await response.json()).code], [
    500,
    "internal",
  ]);
  assertEquals(app.errors.map(String), ["Error: secret"]);
});

test("what is not a request for a turn is refused with where and why", async () => {
  await using app = await fixture([], upper, { bodyBytes: 1000 });
  const post = async (body: string, more: Record<string, string> = {}) => {
    const response = await app.send("/sessions/s1/turns", {
      method: "POST",
      headers: { ...headers, ...more },
      body,
    });
    const type = response.headers.get("content-type");
    assertEquals(type, "application/problem+json");
    const problem = await response.json();
    assertEquals(problem.status, response.status);
    return problem.code;
  };
  const bad = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"input":1}',
    '{"input":""}',
    '{"input":" \\n"}',
    '{"input":"x","other":1}',
  ];
  for (const body of bad) assertEquals(await post(body), "body_invalid");
  assertEquals(
    await post('{"input":"x"}', { "content-type": "text/plain" }),
    "body_not_json",
  );
  assertEquals(
    await post('{"input":"x"}', { "idempotency-key": "k".repeat(256) }),
    "parameter_invalid",
  );
  assertEquals(
    await post(JSON.stringify({ input: "x".repeat(1000) })),
    "body_too_large",
  );
  assertEquals(app.model.requests(), 0);
});

test("ids of another form and unknown resources are told apart", async () => {
  await using app = await fixture([{ text: "hi" }], upper);
  await allEvents(await postTurn(app.send, "s1", "Hello"));
  const code = async (path: string, more: Record<string, string> = {}) =>
    (await (await app.send(path, { headers: { ...headers, ...more } })).json())
      .code;
  assertEquals(await code("/sessions/a.b"), "parameter_invalid");
  assertEquals(await code(`/sessions/${"a".repeat(65)}`), "parameter_invalid");
  assertEquals(await code("/sessions/s1/turns/%0d%0a"), "parameter_invalid");
  assertEquals(await code("/sessions/unknown"), "not_found");
  assertEquals(await code("/sessions/s1/turns/unknown"), "not_found");
  assertEquals(await code("/sessions/s1/turns/unknown/events"), "not_found");
  assertEquals(await code("/nothing"), "not_found");
  const { turns } = await getJson(app.send, "/sessions/s1");
  const path = `/sessions/s1/turns/${turns[0].id}/events`;
  for (const id of ["-1", "1.5", "x", "9999999999"]) {
    assertEquals(
      await code(path, { "last-event-id": id }),
      "parameter_invalid",
    );
  }
});

test("a method that a resource does not take is refused with those that it takes", async () => {
  await using app = await fixture([], upper);
  const methods = async (path: string, method: string) => {
    const response = await app.send(path, { method, headers });
    const { code } = await response.json();
    assertEquals([response.status, code], [405, "method_not_allowed"]);
    return response.headers.get("allow");
  };
  assertEquals(await methods("/health", "POST"), "GET, HEAD");
  assertEquals(await methods("/sessions/s1", "PUT"), "GET, HEAD, DELETE");
  assertEquals(await methods("/sessions/s1/turns", "GET"), "POST");
  assertEquals(
    await methods("/sessions/s1/turns/t", "PATCH"),
    "GET, HEAD, DELETE",
  );
});

test("an error that was not made for clients tells them nothing", async () => {
  const store = memoryStore();
  await using app = await fixture([], upper, {
    store: { ...store, head: () => Promise.reject(new Error("secret 123")) },
  });
  const response = await app.send("/sessions/s1", { headers });
  const text = await response.text();
  assertEquals(JSON.parse(text).code, "internal");
  assert(!text.includes("secret"));
  assertEquals(app.errors.length, 1);
});

test("what the store holds is refused where no session wrote it", async () => {
  for (
    const [head, documents] of [
      ["{", {}],
      ['{"version":1}', {}],
      [
        '{"version":2,"backend":"openai","createdAt":1,"updatedAt":1,"turns":1,"bytes":9,"changes":1}',
        { "c/history/0000000000": '{"type":"user"}' },
      ],
    ] as const
  ) {
    const store = memoryStore();
    const set = new Map(Object.entries(documents));
    await store.commit("s1", { after: undefined, head, set, remove: [] });
    await using app = await fixture([], upper, { store });
    const response = await postTurn(app.send, "s1", "Hello");
    assertEquals((await response.json()).code, "stored_state_invalid");
    assertEquals(response.status, 500);
  }
});
