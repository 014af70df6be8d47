import { assert, assertEquals } from "@std/assert";
import { Hono } from "hono";
import { createApp } from "../../../edge/app.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import { token } from "../client.ts";

function app() {
  return createApp<object>({
    config: {
      backend: "openai",
      model: "gpt-5",
      instructions: "A secret instruction",
      budget: { steps: 7 },
      tools: [{
        name: "hidden_tool",
        description: "A hidden description",
        parameters: { type: "object" },
      }],
    },
    options: () => ({ apiKey: "provider-key-0123456789" }),
    sessions: { store: memoryStore() },
    auth: () => ({ tokens: [token] }),
    suggestions: ["Which keys are there?"],
    clock: { now: () => 12345, timer: () => () => {} },
  });
}

Deno.test("GET /: the page needs no token, and tells nothing of the agent", async () => {
  const response = await app().request("/");
  const text = await response.text();
  assertEquals(response.status, 200);
  assertEquals(
    response.headers.get("content-type"),
    "text/html; charset=UTF-8",
  );
  assert(text.startsWith('<!doctype html>\n<html lang="en">'), text);
  for (const secret of ["gpt-5", "openai", "instruction", token]) {
    assert(!text.includes(secret), `The page tells ${secret}`);
  }
});

Deno.test("every route: without the token, only what tells nothing of the agent is given", async () => {
  const open = new Set<string>();
  const { routes } = app();
  for (const { method, path } of routes) {
    const url = path.replace(":file", "main.js").replaceAll(/:\w+|\*/g, "s1");
    const response = await app().request(url, {
      method: method === "ALL" ? "GET" : method,
    });
    if (response.status === 200) open.add(path);
    const told = JSON.stringify([...response.headers]) + await response.text();
    for (
      const word of [
        "gpt-5",
        "secret instruction",
        "hidden_tool",
        "provider-key",
      ]
    ) {
      assert(!told.includes(word), `${method} ${path} tells ${word}`);
    }
  }
  assertEquals(
    [...open].sort(),
    ["/", "/health", "/openapi.json", "/page/:file"],
  );
});

Deno.test("GET /: the policy lets nothing in from elsewhere, and no markup from text", async () => {
  const { headers } = await app().request("/");
  assertEquals(
    headers.get("content-security-policy"),
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assertEquals(headers.get("referrer-policy"), "no-referrer");
});

Deno.test("GET /page/agent.json: the agent's data needs the token", async () => {
  assertEquals((await app().request("/page/agent.json")).status, 401);
  const response = await app().request("/page/agent.json", {
    headers: { authorization: `Bearer ${token}` },
  });
  assertEquals(await response.json(), {
    backend: "openai",
    model: "gpt-5",
    suggestions: ["Which keys are there?"],
    limits: { steps: 7, calls: 200, turnMs: 300_000 },
    now: 12345,
  });
  assertEquals(response.headers.get("cache-control"), "no-store");
});

Deno.test("GET /page/<file>: files have their types, and are not sent again unchanged", async () => {
  const first = await app().request("/page/main.js");
  const tag = first.headers.get("etag") ?? "";
  assertEquals(
    first.headers.get("content-type"),
    "text/javascript; charset=utf-8",
  );
  assertEquals(first.headers.get("x-content-type-options"), "nosniff");
  const second = await app().request("/page/main.js", {
    headers: { "if-none-match": tag },
  });
  assertEquals(second.status, 304);
  assertEquals((await app().request("/page/none.js")).status, 404);
  assertEquals((await app().request("/page/..%2Fapp.ts")).status, 404);
});

Deno.test("GET /: below another app, the files are found below it, and with a slash at the end the page", async () => {
  const outer = new Hono();
  outer.route("/apps/:name", app());
  const names = [
    "agent",
    "a&b",
    "a&amp;b",
    "%22%3E%3Cb",
    "a%25b",
    "%C3%BC",
    "'",
    "$&",
  ];
  for (const name of names) {
    const page = new URL(`http://localhost/apps/${name}`);
    const text = await (await outer.request(page)).text();
    const folder = await outer.request(`${page}/`);
    const target = folder.headers.get("location") ?? "";
    assertEquals(
      [folder.status, new URL(target, `${page}/`).href],
      [302, page.href],
    );
    const [, source = ""] = /<script[^>]* src="([^"<>]*)">/.exec(text) ?? [];
    const url = new URL(source.replaceAll("&amp;", "&"), page);
    assertEquals(url.pathname, `/apps/${name}/page/main.js`);
    assertEquals((await outer.request(url)).status, 200);
  }
});

Deno.test("a slash at the end of anything but the page leads nowhere", async () => {
  const outer = new Hono().route("/agent", app());
  for (const path of ["/agent/health/", "/agent/page/", "/agent/x/", "/x/"]) {
    assertEquals((await outer.request(path)).status, 404);
  }
  const posted = await outer.request("/agent/", { method: "POST" });
  assertEquals(
    [posted.status, posted.headers.get("allow")],
    [405, "GET, HEAD"],
  );
});
