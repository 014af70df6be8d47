// The MCP endpoint at its borders: who may come, what is refused, what is told
// to whom. Requests without a server; the official client is in mcp_test.ts.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Hono } from "hono";
import manifest from "../../deno.json" with { type: "json" };
import { eventLoopTurn } from "../../src/ambient.ts";
import { createApp } from "../../edge/app.ts";
import { mcpRoutes } from "../../edge/mcp.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { token } from "./client.ts";
import { config, tools } from "./mcp/agent.ts";
import {
  callOf,
  fixture,
  headers,
  initialize,
  messageOf,
} from "./mcp/fixture.ts";

Deno.test("a request without the token is refused with a challenge, and nothing runs", async () => {
  const { post, receipts } = fixture();
  const response = await post(callOf("greet", { name: "Ada" }), {
    authorization: "Bearer wrong",
  });
  assertEquals(response.status, 401);
  assertStringIncludes(
    response.headers.get("www-authenticate") ?? "",
    "Bearer",
  );
  assertEquals(receipts, []);
});

Deno.test("without any token set, nobody is let in, and the operator is told how", async () => {
  const { post } = fixture({ auth: () => ({ tokens: [undefined] }) });
  const response = await post(initialize);
  assertEquals(response.status, 503);
  assertStringIncludes(await response.text(), "NANOCODE_TOKEN");
});

for (
  const [title, url, origin, parts, status] of [
    ["a program, under any name", "http://tools.example/", undefined, {}, 200],
    ["a page of its own", "http://a.example/", "http://a.example", {}, 200],
    [
      "a page of another host",
      "http://a.example/",
      "http://b.example",
      {},
      403,
    ],
    ["a page without a name", "http://a.example/", "null", {}, 403],
    ["a page that is named", "http://a.example/", "https://b.example", {
      origins: ["b.example"],
    }, 200],
    [
      "a program, under a name that is not its own",
      "http://x.example/",
      undefined,
      {
        hosts: ["a.example"],
      },
      403,
    ],
  ] as const
) {
  Deno.test(`${title}: ${status}`, async () => {
    const { send } = fixture(parts);
    const response = await send(url, {
      method: "POST",
      headers: { ...headers, ...(origin === undefined ? {} : { origin }) },
      body: JSON.stringify(initialize),
    });
    await response.body?.cancel();
    assertEquals(response.status, status);
  });
}

for (
  const [url, origin, status] of [
    ["http://localhost:8787/", undefined, 200],
    ["http://127.0.0.1/", "http://localhost:6274", 200],
    ["http://[::1]:8787/", undefined, 200],
    ["http://rebound.example/", undefined, 403],
    ["http://rebound.example/", "http://rebound.example", 403],
    ["http://localhost/", "http://page.example", 403],
  ] as const
) {
  Deno.test(`with the token switched off, ${url} from ${origin ?? "a program"}: ${status}`, async () => {
    const { send } = fixture({
      auth: () => ({ off: "everybody may use this" }),
    });
    const response = await send(url, {
      method: "POST",
      headers: { ...headers, ...(origin === undefined ? {} : { origin }) },
      body: JSON.stringify(initialize),
    });
    await response.body?.cancel();
    assertEquals(response.status, status);
  });
}

Deno.test("a body that is not JSON, or nests too deep, is a parse error that says where", async () => {
  const { post, errors } = fixture();
  for (const body of ['{"jsonrpc":', `${"[".repeat(600)}${"]".repeat(600)}`]) {
    const response = await post(body);
    assertEquals(response.status, 400);
    const { error } = await response.json();
    assertEquals(error.code, -32700);
    assertStringIncludes(error.message, "Parse error: ");
  }
  assertEquals(errors, []);
});

Deno.test("a body over the limit is refused", async () => {
  const { post, receipts } = fixture({ bodyBytes: 1000 });
  const response = await post(callOf("greet", { name: "a".repeat(1000) }));
  assertEquals(response.status, 413);
  assertEquals(receipts, []);
});

Deno.test("there is no stream to open and no session to end", async () => {
  const { send } = fixture();
  for (const method of ["GET", "DELETE"]) {
    const response = await send("http://a.example/", { method, headers });
    await response.body?.cancel();
    assertEquals(response.status, 405);
  }
});

Deno.test("each client is given a name of its own, once", async () => {
  const { post } = fixture();
  const named = async () => {
    const response = await post(initialize);
    await response.body?.cancel();
    return response.headers.get("mcp-session-id") ?? "";
  };
  const name = await named();
  assert(name !== "" && name !== await named());
  const call = await post(callOf("greet", { name: "Ada" }), {
    "mcp-session-id": name,
  });
  assertEquals(call.headers.get("mcp-session-id"), null);
  assertEquals(
    (await messageOf(call)).result.content,
    [{ type: "text", text: "Hello, Ada!" }],
  );
});

Deno.test("a call leaves the receipt that a model's call would, and the answer names it", async () => {
  const { post, receipts } = fixture();
  const response = await post(callOf("lookup", { key: "alpha" }, "seven"));
  const { result } = await messageOf(response);
  assertEquals(result._meta, { "nanocode-wasm/receiptId": "receipt_1" });
  assertEquals(receipts.length, 1);
  const [receipt] = receipts;
  assertEquals(
    [receipt?.id, receipt?.callId, receipt?.surface, receipt?.outcome],
    ["receipt_1", "seven", "direct", "succeeded"],
  );
  assertEquals(receipt?.output, { key: "alpha", value: "ALPHA" });
});

Deno.test("a refused call leaves a receipt too, also of a tool that is not there", async () => {
  const { post, receipts } = fixture();
  await messageOf(await post(callOf("lookup", { key: 1 })));
  await messageOf(await post(callOf("look", {})));
  assertEquals(
    receipts.map(({ outcome, error, executed }) => [
      outcome,
      error?.code,
      executed,
    ]),
    [["rejected", "invalid_input", false], ["rejected", "unknown_tool", false]],
  );
});

Deno.test("a cancellation reaches the call of that id of that client, and no other", async () => {
  const signals: AbortSignal[] = [];
  const began: (() => void)[] = [];
  const { post, receipts } = fixture({
    options: () => ({
      tools: {
        call: (_name, _input, signal) => {
          signals.push(signal);
          began.shift()?.();
          return new Promise(() => {});
        },
      },
    }),
  });
  const begin = async (id: number | string, session: string) => {
    const begun = new Promise<void>((resolve) => began.push(resolve));
    const response = await post(callOf("wait", {}, id), {
      "mcp-session-id": session,
    });
    await begun;
    return response;
  };
  const cancel = (requestId: number | string, session: string) =>
    post({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    }, { "mcp-session-id": session });
  const mine = await begin(7, "me");
  const others = [await begin(7, "you"), await begin("7", "me")];
  assertEquals((await cancel(7, "me")).status, 202);
  // The stream ends without an answer: the client does not wait for one.
  assertEquals(await mine.text(), "");
  assertEquals(signals.map(({ aborted }) => aborted), [true, false, false]);
  await eventLoopTurn();
  assertEquals(receipts.map(({ outcome }) => outcome), ["cancelled"]);
  await Promise.all([cancel(7, "you"), cancel("7", "me")]);
  await Promise.all(others.map((response) => response.text()));
  assertEquals(signals.every(({ aborted }) => aborted), true);
  // Nothing is left to be cancelled, and saying so again does no harm.
  assertEquals((await cancel(7, "me")).status, 202);
});

Deno.test("tools that cannot be opened: the client is told that, the operator why", async () => {
  const { post, errors } = fixture({
    // What code without types could give.
    options: () => JSON.parse('{"tools":"none"}'),
  });
  for (
    const message of [callOf("x", {}), {
      ...callOf("", {}),
      method: "tools/list",
    }]
  ) {
    const { error } = await messageOf(await post(message));
    assertEquals(error.code, -32603);
    assert(!error.message.includes("options"));
  }
  assertEquals(errors.length, 2);
  assertStringIncludes(String(errors[0]), "options.tools");
});

Deno.test("options that throw are not told to the client", async () => {
  const { post, errors } = fixture({
    options: () => {
      throw new Error("secret");
    },
  });
  const response = await post(callOf("greet", { name: "Ada" }));
  assert(!(await response.text()).includes("secret"));
  assertEquals(errors.map(String), ["Error: secret"]);
});

Deno.test("a receipt's taker that throws is not told to the client either", async () => {
  const { post, errors } = fixture({
    onReceipt: () => {
      throw new Error("secret");
    },
  });
  const { error } = await messageOf(
    await post(callOf("greet", { name: "Ada" })),
  );
  assertEquals(error.code, -32603);
  assert(!error.message.includes("secret"));
  assertEquals(errors.map(String), ["Error: secret"]);
});

Deno.test("instructions are the endpoint's own; the agent's are not told", async () => {
  const { post } = fixture({
    config: { ...config, instructions: "The agent's own" },
    instructions: "Look things up first.",
    info: { name: "stock", version: "2" },
  });
  const { result } = await messageOf(await post(initialize));
  assertEquals(result.instructions, "Look things up first.");
  assertEquals(result.serverInfo, { name: "stock", version: "2" });
});

Deno.test("without a name of its own it tells the package's, and its version", async () => {
  const { post } = fixture();
  const { result } = await messageOf(await post(initialize));
  assertEquals(result.serverInfo, {
    name: "nanocode-wasm",
    version: manifest.version,
  });
});

Deno.test("it stands beside the API of the app, and inside any other", async () => {
  const auth = () => ({ tokens: [token] });
  const routes = mcpRoutes<object>({
    config,
    options: () => ({ tools }),
    auth,
  });
  const app = createApp<object>({
    config: { backend: "openai", model: "m", ...config },
    options: () => ({ tools }),
    auth,
    sessions: { store: memoryStore() },
  });
  app.route("/mcp", routes);
  const bigger = new Hono().route("/deep/mcp", routes);
  for (
    const response of [
      await app.request("/mcp", post(initialize)),
      await bigger.request("/deep/mcp", post(initialize)),
    ]
  ) {
    assertEquals((await messageOf(response)).result.capabilities, {
      tools: {},
    });
  }
  const refused = await bigger.request("/deep/mcp", { method: "POST" });
  assertEquals(refused.status, 401);
});

function post(body: unknown): RequestInit {
  return { method: "POST", headers, body: JSON.stringify(body) };
}
