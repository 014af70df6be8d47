// What the operator is told, and by which id client and operator know the same
// request.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../edge/app.ts";
import type { FailedRequest } from "../../edge/operator.ts";
import { ProblemError } from "../../edge/problem.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { HostFailure } from "../../mod.ts";
import { test } from "../support/permissions.ts";
import { config, fixture, gate, oneLookup, upper } from "./app_fixture.ts";
import { allEvents, headers, postTurn } from "./client.ts";

/** What was told, and of which request. */
function listener() {
  const told: (readonly [error: unknown, id: string | undefined])[] = [];
  const onError = (error: unknown, { requestId }: FailedRequest) => {
    told.push([error, requestId]);
  };
  return { told, onError };
}

test("a problem that is the server's is told to the operator, and to the client by its code only", async () => {
  const { told, onError } = listener();
  await using app = await fixture([], upper, {
    options: () => ({ apiKey: "" }),
    onError,
  });
  const response = await postTurn(app.send, "s1", "Hello", {
    "x-request-id": "order-7",
  });
  const problem = await response.json();
  assertEquals([response.status, problem.code], [500, "configuration_refused"]);
  assertEquals(problem.problems, undefined);
  assert(!JSON.stringify(problem).includes("apiKey"));
  assertEquals(response.headers.get("x-request-id"), "order-7");
  const [[error, id] = []] = told;
  assert(error instanceof HostFailure);
  assertEquals(error.problems[0]?.path, "options.apiKey");
  assertEquals([told.length, id], [1, "order-7"]);
});

test("a provider that fails, a turn cut off and a missing token are told too", async () => {
  const { told, onError } = listener();
  await using app = await fixture([], upper, {
    onError,
    options: () => ({
      apiKey: "key",
      fetch: () => Promise.resolve(new Response("{}", { status: 400 })),
    }),
  });
  const failed = await postTurn(app.send, "s1", "Hello", {
    accept: "application/json",
  });
  assertEquals((await failed.json()).code, "provider_failed");
  await using closed = await fixture([], upper, {
    onError,
    auth: () => ({ tokens: [] }),
  });
  const refused = await closed.send("/tools");
  assertEquals((await refused.json()).code, "auth_not_configured");
  assertEquals(
    told.map(([error]) => error instanceof ProblemError && error.code),
    ["provider_failed", "auth_not_configured"],
  );
  assertEquals(
    told.map(([, id]) => id),
    [failed, refused].map((answer) =>
      answer.headers.get("x-request-id") ?? undefined
    ),
  );
});

test("a problem that is the client's is not told", async () => {
  const { told, onError } = listener();
  await using app = await fixture([], upper, { onError });
  for (const path of ["/nothing", "/sessions/a.b", "/sessions/unknown"]) {
    const response = await app.send(path, { headers });
    assert(response.headers.get("x-request-id"));
    await response.body?.cancel();
  }
  const refused = await app.send("/tools");
  assert(refused.headers.get("x-request-id"));
  assertEquals([refused.status, told], [401, []]);
});

test("what breaks a stream off after its status was sent is told", async () => {
  const { told, onError } = listener();
  const store = memoryStore();
  let broken = false;
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call, {
    onError,
    store: {
      ...store,
      async *watch(session, signal) {
        for await (const change of store.watch(session, signal)) {
          if (broken) throw new Error("the disk is gone");
          yield change;
        }
      },
    },
  });
  const response = await postTurn(app.send, "s1", "Look up", {
    "x-request-id": "order-8",
  });
  await tool.called;
  broken = true;
  tool.open();
  const last = (await allEvents(response)).at(-1);
  assertEquals([last?.type, last?.data.code], ["error", "internal"]);
  assertEquals(told.map(([error, id]) => [String(error), id]), [
    ["Error: the disk is gone", "order-8"],
  ]);
});

test("a turn that fails after its document's status was sent is told as a turn", async () => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<Response>();
  await using app = await fixture([], upper, {
    options: () => ({
      apiKey: "key",
      fetch: () => {
        asked.resolve();
        return answered.promise;
      },
    }),
  });
  const pending = postTurn(app.send, "s1", "Hello", {
    accept: "application/json",
  });
  await asked.promise;
  app.clock.advance(15_000);
  const response = await pending;
  answered.resolve(new Response("{}", { status: 400 }));
  const turn = await response.json();
  assertEquals([response.status, turn.session, turn.state], [
    200,
    "s1",
    "ended",
  ]);
  assertEquals(turn.end.stopReason, "failed");
  assertEquals(turn.receipts, []);
});

Deno.test("a request that is handed on keeps its id", async () => {
  const ids: (string | null)[] = [];
  const app = createApp<object>({
    config,
    options: () => ({}),
    auth: () => ({ off: "what stands in front asks" }),
    sessions: {
      forward: (request) => {
        ids.push(request.headers.get("x-request-id"));
        return Promise.resolve(Response.json({}));
      },
    },
  });
  const given = await app.request("/sessions/s1");
  const own = await app.request("/sessions/s1", {
    headers: { "x-request-id": "order-9" },
  });
  assertEquals(ids, [given.headers.get("x-request-id"), "order-9"]);
  assertEquals(own.headers.get("x-request-id"), "order-9");
});

Deno.test("where nobody is named to be told, the log is", async () => {
  const lines: unknown[][] = [];
  const original = console.error;
  console.error = (...line) => lines.push(line);
  try {
    const app = createApp<object>({
      config,
      options: () => ({}),
      auth: () => ({ tokens: [] }),
      sessions: { store: memoryStore() },
    });
    const response = await app.request("/tools", {
      headers: { "x-request-id": "order-10" },
    });
    await response.body?.cancel();
  } finally {
    console.error = original;
  }
  const line = lines.flat().join(" ");
  assertEquals(lines.length, 1);
  assertStringIncludes(line, "order-10");
  assertStringIncludes(line, "auth_not_configured");
  assertStringIncludes(line, "NANOCODE_TOKEN");
});
