// Tools of an MCP server in an agent. The server is the official library's, and
// so is the client; where a server must misbehave, only its answers are scripted.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { Client } from "@modelcontextprotocol/client";
import {
  type CallToolResult,
  InMemoryTransport,
  McpServer,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import {
  type HostTools,
  open,
  openTools,
  type ToolAccess,
} from "nanocode-wasm";
import { joinTools, type McpClient, mcpTools } from "nanocode-wasm/mcp";
import * as z from "zod";
import { manualAmbient } from "./support/ambient.ts";
import { engineModule } from "./support/engine.ts";
import { scriptedModel } from "./support/model.ts";
import { test } from "./support/permissions.ts";

type Connected = Client & AsyncDisposable;

/** A client of this server. */
async function connect(server: McpServer | Server): Promise<Connected> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([server.connect(there), client.connect(here)]);
  return Object.assign(client, {
    [Symbol.asyncDispose]: () => client.close(),
  });
}

/** A shop's server, as its author would write it. */
function shop(): McpServer {
  const server = new McpServer({ name: "shop", version: "1" });
  server.registerTool("stock.count", {
    description: "How many of a product are in stock.",
    inputSchema: z.object({ sku: z.string().min(3) }),
    outputSchema: z.object({ count: z.number() }),
  }, ({ sku }) => ({
    content: [{ type: "text", text: `There are ${sku.length} of ${sku}` }],
    structuredContent: { count: sku.length },
  }));
  server.registerTool("describe", {
    title: "Describes the shop",
    inputSchema: z.object({}),
  }, () => ({
    content: [
      { type: "text", text: "A shop" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource_link", name: "terms", uri: "shop://terms" },
      {
        type: "resource",
        resource: { uri: "shop://hours", text: "Open all day" },
      },
      {
        type: "resource",
        resource: { uri: "shop://map", mimeType: "image/gif", blob: "AAAA" },
      },
    ],
  }));
  server.registerTool("order", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text", text: "The shop is closed" }],
    isError: true,
  }));
  server.registerTool("crash", { inputSchema: z.object({}) }, () => {
    throw new Error("The server has a fault");
  });
  return server;
}

/** The tools of a server, ready to be called. */
async function access(client: McpClient): Promise<ToolAccess> {
  const { tools, call } = await mcpTools(client);
  return await openTools({ tools, surfaces: ["direct"] }, {
    ...manualAmbient(),
    tools: { call },
  });
}

/** A server of the official library that lists and answers what it is told to. */
function scripted(
  tools: readonly Tool[],
  answer: (name: string, signal: AbortSignal) => Promise<CallToolResult>,
): Server {
  const server = new Server({ name: "scripted", version: "1" }, {
    capabilities: { tools: {} },
  });
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler(
    "tools/call",
    ({ params }, { mcpReq }) => answer(params.name, mcpReq.signal),
  );
  return server;
}

function named(name: string, inputSchema: object = {}): Tool {
  return { name, inputSchema: { type: "object", ...inputSchema } };
}

const nothing = () => Promise.resolve({ content: [] });

Deno.test("mcpTools() takes in what the server lists, under names that providers take", async () => {
  await using client = await connect(shop());
  const { tools, refused } = await mcpTools(client);
  assertEquals(refused, []);
  assertEquals(tools.map(({ name, description }) => [name, description]), [
    ["stock_count", "How many of a product are in stock."],
    ["describe", "Describes the shop"],
    ["order", "order"],
    ["crash", "crash"],
  ]);
  assertEquals(tools[0]?.parameters.required, ["sku"]);
});

Deno.test("mcpTools(): structured content is the output", async () => {
  await using client = await connect(shop());
  const end = await (await access(client)).call("stock_count", { sku: "A-7" });
  assertEquals(end.tag === "output" && end.output, { count: 3 });
});

Deno.test("mcpTools(): without structured content the text is, and what is no text is named", async () => {
  await using client = await connect(shop());
  const end = await (await access(client)).call("describe", {});
  assertEquals(
    end.tag === "output" && end.output,
    [
      "A shop",
      "[image image/png]",
      "[resource_link terms shop://terms]",
      "Open all day",
      "[resource shop://map image/gif]",
    ].join("\n"),
  );
});

Deno.test("mcpTools(): an answer without any content is null", async () => {
  await using client = await connect(scripted([named("quiet")], nothing));
  const end = await (await access(client)).call("quiet", {});
  assertEquals(end.tag === "output" && end.output, null);
});

for (
  const [name, message] of [
    ["order", "The shop is closed"],
    ["crash", "The server has a fault"],
  ] as const
) {
  Deno.test(`mcpTools(): ${name}, which fails, is a tool error with the server's words`, async () => {
    await using client = await connect(shop());
    const end = await (await access(client)).call(name, {});
    assert(end.tag === "error");
    assertEquals([end.error.code, end.error.message], ["tool_failed", message]);
    assertEquals(end.receipt.outcome, "failed");
  });
}

Deno.test("mcpTools(): the server's schema is judged here, before it is asked", async () => {
  await using client = await connect(shop());
  const end = await (await access(client)).call("stock_count", { sku: "A" });
  assertEquals(end.tag === "error" && end.error.code, "invalid_input");
  assertEquals(end.receipt.executed, false);
});

Deno.test("mcpTools(): cancelling a call cancels the request on the server", async () => {
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<void>();
  await using client = await connect(
    scripted([named("wait")], (_name, signal) => {
      signal.addEventListener("abort", () => aborted.resolve());
      begun.resolve();
      return new Promise(() => {});
    }),
  );
  const abort = new AbortController();
  const tools = await access(client);
  const running = tools.call("wait", {}, { signal: abort.signal });
  await begun.promise;
  abort.abort();
  await aborted.promise;
  assertEquals((await running).receipt.outcome, "cancelled");
});

Deno.test("mcpTools(): the request has the time that the call has", async () => {
  const timeouts: number[] = [];
  const client: McpClient = {
    listTools: () => Promise.resolve({ tools: [named("one")] }),
    callTool: (_params, { timeout }) => {
      timeouts.push(timeout);
      return Promise.resolve({ content: [] });
    },
  };
  const { tools, call } = await mcpTools(client);
  const opened = await openTools({
    tools,
    surfaces: ["direct"],
    budget: { callMs: 1234 },
  }, { ...manualAmbient(), tools: { call } });
  await opened.call("one", {});
  assertEquals(timeouts, [1234]);
});

Deno.test("mcpTools() reads every page of the official client", async () => {
  const server = scripted([], nothing);
  server.setRequestHandler("tools/list", ({ params }) => {
    const page = Number(params?.cursor ?? 0);
    const tools = [named(`tool_${page}`)];
    return page < 2 ? { tools, nextCursor: String(page + 1) } : { tools };
  });
  await using client = await connect(server);
  const { tools } = await mcpTools(client);
  assertEquals(tools.map(({ name }) => name), ["tool_0", "tool_1", "tool_2"]);
});

Deno.test("mcpTools() follows a client that gives a page at a time, and no list without an end", async () => {
  const asked: (string | undefined)[] = [];
  const client = (last: number): McpClient => ({
    listTools: (params) => {
      asked.push(params?.cursor);
      const page = Number(params?.cursor ?? 0);
      const nextCursor = page === last ? {} : { nextCursor: String(page + 1) };
      return Promise.resolve({ tools: [named(`tool_${page}`)], ...nextCursor });
    },
    callTool: nothing,
  });
  assertEquals((await mcpTools(client(2))).tools.length, 3);
  assertEquals(asked, [undefined, "1", "2"]);
  await assertRejects(() => mcpTools(client(Infinity)), Error, "64 pages");
});

Deno.test("mcpTools() makes names fit, each once, and calls the server by its own", async () => {
  const long = "a".repeat(100);
  const names = [
    "exec",
    "a.b",
    "a/b",
    "a-b",
    "a_b",
    long,
    `${long}b`,
    "größe",
  ];
  const called: string[] = [];
  await using client = await connect(
    scripted(names.map((name) => named(name)), (name) => {
      called.push(name);
      return nothing();
    }),
  );
  const { tools, call } = await mcpTools(client);
  assertEquals(tools.map(({ name }) => name), [
    "exec_2",
    "a_b",
    "a_b_2",
    "a-b_3",
    "a_b_4",
    "a".repeat(64),
    `${"a".repeat(62)}_2`,
    "gr__e",
  ]);
  const opened = await openTools({ tools }, {
    wasm: engineModule,
    tools: { call },
  });
  for (const { name } of tools) await opened.call(name, {});
  assertEquals(called, names);
});

Deno.test("mcpTools() gives the names of tools that it leaves out to others", async () => {
  const odd = { properties: { key: { type: "string", pattern: "(" } } };
  await using client = await connect(
    scripted([named("a.b", odd), named("a_b")], nothing),
  );
  const { tools } = await mcpTools(client);
  assertEquals(tools.map(({ name }) => name), ["a_b"]);
});

Deno.test("mcpTools() takes in no more tools than an agent can have", async () => {
  const many = (count: number): McpClient => ({
    listTools: () =>
      Promise.resolve({ tools: Array(count).fill(named("same")) }),
    callTool: nothing,
  });
  const { tools, refused } = await mcpTools(many(3_000));
  assertEquals([tools.length, refused.length], [127, 2_873]);
  assertEquals(
    refused[0]?.problems[0]?.reason,
    "expected at most 127 tools; choose the wanted ones with options.accept",
  );
  const opened = await openTools({ tools }, {
    wasm: engineModule,
    tools: { call: nothing },
  });
  assert(opened !== undefined);
  await assertRejects(() => mcpTools(many(200_000)), Error, "10000 tools");
});

Deno.test("mcpTools(): null is nothing, as servers send it", async () => {
  const answers = [
    { content: [{ type: "text", text: "three" }], structuredContent: null },
    { content: null },
  ];
  const client: McpClient = {
    listTools: () => Promise.resolve({ tools: [named("count")] }),
    callTool: () => Promise.resolve(answers.shift() ?? {}),
  };
  const { tools, call } = await mcpTools(client);
  const opened = await openTools({ tools, surfaces: ["direct"] }, {
    tools: { call },
  });
  const outputs = [];
  for (let turn = 0; turn < 2; turn++) {
    const end = await opened.call("count", {});
    outputs.push(end.tag === "output" ? end.output : end);
  }
  assertEquals(outputs, ["three", null]);
});

Deno.test("mcpTools() puts the prefix before each name, and takes only what is wanted", async () => {
  await using client = await connect(shop());
  const { tools, call } = await mcpTools(client, {
    prefix: "shop_",
    accept: ({ name }) => name.startsWith("stock."),
  });
  assertEquals(tools.map(({ name }) => name), ["shop_stock_count"]);
  const opened = await openTools({ tools, surfaces: ["direct"] }, {
    tools: { call },
  });
  const end = await opened.call("shop_stock_count", { sku: "A-7" });
  assertEquals(end.tag === "output" && end.output, { count: 3 });
});

Deno.test("mcpTools() leaves out tools whose schema cannot be judged, and says why", async () => {
  await using client = await connect(scripted([
    named("fine"),
    named("odd", { properties: { key: { type: "string", pattern: "(" } } }),
    named("choice", { anyOf: [{ required: ["a"] }, { required: ["b"] }] }),
  ], nothing));
  const { tools, refused } = await mcpTools(client);
  assertEquals(tools.map(({ name }) => name), ["fine"]);
  assertEquals(
    refused.map((
      { name, problems },
    ) => [name, problems.map(({ path }) => path)]),
    [
      ["odd", ["parameters.properties.key.pattern"]],
      ["choice", ["parameters.anyOf"]],
    ],
  );
});

Deno.test("mcpTools() fails where the server does not list its tools", async () => {
  const server = scripted([], nothing);
  server.setRequestHandler("tools/list", () => {
    throw new Error("Not today");
  });
  await using client = await connect(server);
  await assertRejects(() => mcpTools(client), Error, "Not today");
});

Deno.test("joinTools() sends each call to the set that declares its tool", async () => {
  await using client = await connect(shop());
  const own: HostTools["call"] = (name) => Promise.resolve(`own ${name}`);
  const { tools, call } = joinTools(
    await mcpTools(client, { prefix: "shop_" }),
    {
      tools: [{
        name: "today",
        description: "",
        parameters: { type: "object" },
      }],
      call: own,
    },
  );
  const opened = await openTools({ tools, surfaces: ["direct"] }, {
    tools: { call },
  });
  const outputs = await Promise.all(
    [["today", {}], ["shop_stock_count", { sku: "A-7" }]] as const,
  ).then((calls) =>
    Promise.all(calls.map(([name, input]) => opened.call(name, input)))
  );
  assertEquals(
    outputs.map((end) => end.tag === "output" && end.output),
    ["own today", { count: 3 }],
  );
});

test("an agent uses the tools of an MCP server, one by one and from a program", async () => {
  await using client = await connect(shop());
  const { tools, call } = await mcpTools(client);
  await using model = await scriptedModel([
    {
      calls: [
        { id: "c1", name: "stock_count", arguments: '{"sku":"A-7"}' },
        {
          id: "c2",
          name: "exec",
          arguments: JSON.stringify({
            code: `const { count } = await tools.stock_count({ sku: "B-1234" });
              const why = await tools.order({}).catch((error) => error.message);
              return { count, why };`,
          }),
        },
      ],
    },
    { text: "Done." },
  ]);
  await using agent = await open({ backend: "anthropic", model: "m", tools }, {
    ...manualAmbient(),
    apiKey: "key",
    baseUrl: model.baseUrl,
    wasm: engineModule,
    tools: { call },
  });
  const { receipts } = await agent.prompt("What is in stock?").result();
  assertEquals(
    receipts.map(({ tool, surface, outcome }) => [tool, surface, outcome]),
    [
      ["stock_count", "direct", "succeeded"],
      ["exec", "direct", "succeeded"],
      ["stock_count", "code", "succeeded"],
      ["order", "code", "failed"],
    ],
  );
  assertEquals(receipts[1]?.output, {
    result: { count: 6, why: "The shop is closed" },
  });
  assertEquals(
    model.messages().at(-1)?.find(({ answers }) => answers === "c1")?.content,
    '{"count":3}',
  );
});
