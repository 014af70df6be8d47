// Whatever a client sends, it gets a well-formed answer, and never the blame
// for the server.

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../edge/app.ts";
import { problems } from "../../edge/problem.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { config, oneLookup, upper } from "../edge/app_fixture.ts";
import { getJson, headers, token } from "../edge/client.ts";
import { ManualClock, seededRandom } from "../support/ambient.ts";
import { sse } from "../support/stream_server.ts";
import { wireEvents } from "../support/wire.ts";
import { randomRequest, type SentRequest } from "./http_requests.ts";

/** Calls a tool in each turn's first step, and says "done" in its second. */
function model(): typeof fetch {
  return (_url, init) => {
    const { input } = JSON.parse(String(init?.body));
    const answered = input.at(-1)?.type === "function_call_output";
    const step = answered ? { text: "done" } : oneLookup;
    return Promise.resolve(
      new Response(sse(wireEvents("openai", step)), {
        headers: { "content-type": "text/event-stream" },
      }),
    );
  };
}

function newApp(errors: unknown[]) {
  const fetch = model();
  return createApp({
    config,
    options: () => ({ apiKey: "provider-key", fetch, tools: { call: upper } }),
    sessions: { store: memoryStore() },
    auth: () => ({ tokens: [token] }),
    clock: new ManualClock(),
    bodyBytes: 1_000,
    onError: (error) => errors.push(error),
  });
}

/** Asserts that the answer is one that the API gives. */
async function assertAnswer(
  response: Response,
  request: SentRequest,
): Promise<void> {
  const what = `${response.status} for ${describe(request)}`;
  const text = await response.text();
  const { status } = response;
  if (status < 400) {
    assert([200, 202, 204, 304].includes(status), what);
    return;
  }
  assert(status < 500, `${what}: ${text}`);
  assertEquals(
    response.headers.get("content-type"),
    "application/problem+json",
    what,
  );
  if (request.init.method === "HEAD") return;
  const problem = JSON.parse(text);
  assert(Object.hasOwn(problems, problem.code), what);
  assertEquals(problem.status, status, what);
  assertMatch(problem.title, /\S/, what);
}

function describe({ path, init }: SentRequest): string {
  const { body } = init;
  const shown = body instanceof Uint8Array ? [...body].join() : String(body);
  const sent = JSON.stringify([...new Headers(init.headers)]);
  return `${init.method} ${path.slice(0, 200)} ${sent} ${shown.slice(0, 200)}`;
}

Deno.test("app: any request gets a 2xx or 304, or a problem of the client's", async () => {
  const random = seededRandom(5);
  const errors: unknown[] = [];
  const app = newApp(errors);
  const statuses: Record<string, number> = {};
  for (let round = 0; round < 1_000; round++) {
    const request = randomRequest(random);
    const response = await app.request(request.path, request.init);
    await assertAnswer(response, request);
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  }
  assertEquals(errors, []);
  console.log(`requests: ${JSON.stringify(statuses)}`);
  for (const status of [200, 202, 400, 401, 404, 405, 413, 415]) {
    assert(Object.hasOwn(statuses, status), `none with ${status}`);
  }
  // The session that took all of it is whole.
  const send = async (path: string, init?: RequestInit) =>
    await app.request(path, init);
  const after = await send("/sessions/s1/turns", {
    method: "POST",
    headers: { ...headers, accept: "application/json" },
    body: '{"input":"Still there?"}',
  });
  assertEquals((await after.json()).end.text, "done");
  const { turns, receipts } = await getJson(send, "/sessions/s1");
  assertEquals(receipts.length, turns.length);
});
