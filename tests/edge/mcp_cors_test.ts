// The MCP endpoint as a page in a browser meets it: the question that the browser
// asks before, and what the page is shown of the answer.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fixture, headers, initialize } from "./mcp/fixture.ts";

const question = {
  "access-control-request-method": "POST",
  "access-control-request-headers": "authorization,content-type",
};

Deno.test("a page that is named is let ask, before any token is sent", async () => {
  const { send } = fixture({ origins: ["b.example"] });
  const origin = "https://b.example";
  const response = await send("http://a.example/", {
    method: "OPTIONS",
    headers: { origin, ...question },
  });
  assertEquals([response.status, response.body], [204, null]);
  const told = (name: string) => response.headers.get(name) ?? "";
  assertEquals(told("access-control-allow-origin"), origin);
  assertEquals(told("access-control-allow-methods"), "GET,POST,DELETE");
  assertEquals(
    told("access-control-allow-headers"),
    "authorization,content-type",
  );
  assertStringIncludes(told("vary"), "Origin");
  assertEquals(told("access-control-allow-credentials"), "");
});

Deno.test("a page that is named is shown the answer and the session's name, and problems too", async () => {
  const { send } = fixture({ origins: ["b.example"] });
  const origin = "https://b.example";
  for (const authorization of [headers.authorization, "Bearer wrong"]) {
    const response = await send("http://a.example/", {
      method: "POST",
      headers: { ...headers, origin, authorization },
      body: JSON.stringify(initialize),
    });
    await response.body?.cancel();
    assertEquals(response.headers.get("access-control-allow-origin"), origin);
    const exposed = response.headers.get("access-control-expose-headers");
    assertStringIncludes(exposed ?? "", "mcp-session-id");
    assertStringIncludes(response.headers.get("vary") ?? "", "Origin");
    const isIn = authorization === headers.authorization;
    assertEquals(response.status, isIn ? 200 : 401);
    assertEquals(response.headers.has("mcp-session-id"), isIn);
  }
});

Deno.test("any other page is let ask nothing, and shown nothing", async () => {
  const { send } = fixture({ origins: ["b.example"] });
  for (const origin of ["https://c.example", "null", "http://localhost"]) {
    const asked = await send("http://a.example/", {
      method: "OPTIONS",
      headers: { origin, ...question },
    });
    const answered = await send("http://a.example/", {
      method: "POST",
      headers: { ...headers, origin },
      body: JSON.stringify(initialize),
    });
    assertEquals([asked.status, answered.status], [401, 403]);
    for (const response of [asked, answered]) {
      await response.body?.cancel();
      const allowed = response.headers.get("access-control-allow-origin");
      assertEquals(allowed, null);
    }
  }
});

Deno.test("on this machine a page of it may use a server of it, where that lets it in", async () => {
  const { send } = fixture({ auth: () => ({ off: "everybody may use this" }) });
  const origin = "http://localhost:6274";
  const asked = await send("http://127.0.0.1:8787/", {
    method: "OPTIONS",
    headers: { origin, ...question },
  });
  const answered = await send("http://127.0.0.1:8787/", {
    method: "POST",
    headers: { ...headers, origin },
    body: JSON.stringify(initialize),
  });
  await answered.body?.cancel();
  assert(asked.ok && answered.ok);
  for (const response of [asked, answered]) {
    assertEquals(response.headers.get("access-control-allow-origin"), origin);
  }
});
