// The OpenAPI document that the app serves, against the app: its routes, and
// what they answer.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../edge/app.ts";
import { openApiDocument } from "../../edge/openapi.ts";
import { problems } from "../../edge/problem.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { compileSchema } from "../../src/tools/schema.ts";
import { test } from "../support/permissions.ts";
import {
  config,
  type Fixture,
  fixture,
  gate,
  oneLookup,
  upper,
} from "./app_fixture.ts";
import { allEvents, headers } from "./client.ts";

test("the OpenAPI document is served as it is, without a token", async () => {
  await using app = await fixture([], upper);
  const response = await app.send("/openapi.json");
  assertEquals(
    await response.json(),
    JSON.parse(JSON.stringify(openApiDocument)),
  );
});

Deno.test("the OpenAPI document names exactly the API's routes", () => {
  const app = createApp<object>({
    config,
    options: () => ({}),
    sessions: { store: memoryStore() },
    auth: () => ({ tokens: [] }),
  });
  const served = app.routes.filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => ({ method, path: path.replace(/\/$/, "") }))
    // The page is for people.
    .filter(({ path }) => path !== "" && !path.startsWith("/page/"))
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
  const documented = Object.entries(openApiDocument.paths).flatMap((
    [path, operations],
  ) => Object.keys(operations).map((name) => `${name.toUpperCase()} ${path}`));
  assertEquals([...new Set(served)].sort(), documented.sort());
});

Deno.test("every problem's code is documented, with its status", () => {
  const text = JSON.stringify(openApiDocument);
  for (const [code, { status }] of Object.entries(problems)) {
    assertStringIncludes(text, `${code} (${status})`);
  }
});

/** Sends a request, and holds the answer against the document. */
async function documented(
  app: Fixture,
  method: string,
  path: string,
  status: number,
  init: { body?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  const response = await app.send(path, {
    method,
    ...init,
    headers: { ...headers, ...init.headers },
  });
  assertEquals(response.status, status, `${method} ${path}`);
  const answer = answerOf(method, path, status);
  const type = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (status === 204) return response;
  const schema = Object(Object(answer.content)[type]).schema;
  assert(schema !== undefined, `${method} ${path}: ${type} is not documented`);
  if (type === "text/event-stream") return response;
  const compiled = compileSchema({ ...withDefinitions(schema) }, "answer");
  assert(compiled.tag === "accepted", JSON.stringify(compiled));
  assertEquals(compiled.schema.validate(await response.clone().json()), []);
  return response;
}

/** What the document says of an answer. */
function answerOf(method: string, path: string, status: number) {
  const segments = path.split("/");
  const [, operations] = Object.entries(openApiDocument.paths).find((
    [template],
  ) => {
    const parts = template.split("/");
    return parts.length === segments.length &&
      parts.every((part, index) =>
        part.startsWith("{") || part === segments[index]
      );
  }) ?? [];
  const { responses } = Object(Object(operations)[method.toLowerCase()]);
  const answer = Object(responses)[status] ?? Object(responses).default;
  assert(answer !== undefined, `${method} ${path} ${status}: not documented`);
  return Object(answer);
}

/** The schema on its own: with those that it refers to. */
function withDefinitions(schema: unknown): Record<string, unknown> {
  const { schemas } = openApiDocument.components;
  const text = JSON.stringify({ allOf: [schema], $defs: schemas });
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/"));
}

test("what the app answers is as the document says", async () => {
  const tool = gate();
  await using app = await fixture(
    [{ text: "hi" }, oneLookup, { text: "done" }],
    tool.call,
  );
  const body = '{"input":"Look up"}';
  const json = { accept: "application/json" };
  await documented(app, "GET", "/health", 200);
  await documented(app, "GET", "/tools", 200);
  await documented(app, "GET", "/tools", 401, {
    headers: { authorization: "Bearer wrong" },
  });
  await documented(app, "GET", "/sessions/s1", 404);
  await documented(app, "POST", "/sessions/s1/turns", 400, { body: "{}" });
  await documented(app, "POST", "/sessions/s1/turns", 200, {
    body,
    headers: json,
  });
  const stream = await documented(app, "POST", "/sessions/s1/turns", 200, {
    body,
  });
  await tool.called;
  const turn = stream.headers.get("location") ?? "";
  await documented(app, "GET", turn, 200);
  await documented(app, "GET", "/sessions/s1", 200);
  await documented(app, "POST", "/sessions/s1/turns", 409, { body });
  tool.open();
  const events = await allEvents(stream);
  await documented(app, "GET", `${turn}/events`, 200);
  await documented(app, "GET", `${turn}/events`, 204, {
    headers: { "last-event-id": `${events.length}` },
  });
  await documented(app, "DELETE", turn, 200);
  await documented(app, "POST", `${turn}/cancel`, 200);
  const started = await documented(app, "POST", "/sessions/s1/turns", 202, {
    body,
    headers: { prefer: "respond-async" },
  });
  const second = started.headers.get("location") ?? "";
  await allEvents(await app.send(`${second}/events`, { headers }));
  await documented(app, "GET", "/sessions/s1", 200);
  await documented(app, "DELETE", "/sessions/s1", 204);
  await documented(app, "DELETE", "/sessions/s1", 204);
  await documented(app, "GET", "/sessions/s1", 404);
});
