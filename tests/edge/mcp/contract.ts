/**
 * What the official client must be able to do with an MCP endpoint, in the
 * protocol's 2025 revisions and in that of 2026.
 *
 * @module
 */

import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { token } from "../client.ts";
import type { Waits } from "./agent.ts";

/** How a client comes to the protocol's revision. */
export const eras = ["legacy", "auto"] as const;

/** One of them. */
export type Era = typeof eras[number];

/** A client that is connected to `url`. */
export async function connect(
  url: string,
  era: Era,
  bearer = token,
): Promise<Client & AsyncDisposable> {
  const client = new Client({ name: "test", version: "1" }, {
    versionNegotiation: { mode: era },
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${bearer}` } },
    }),
  );
  return Object.assign(client, {
    [Symbol.asyncDispose]: () => client.close(),
  });
}

function textOf({ content }: CallToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : "").join();
}

async function waitsOf(client: Client): Promise<Waits> {
  const { structuredContent } = await client.callTool({ name: "state" });
  return structuredContent as Waits;
}

/** Asks until it is so; fails where a wait ends without being cancelled. */
async function untilWaits(
  client: Client,
  isSo: (waits: Waits) => boolean,
): Promise<void> {
  for (;;) {
    const waits = await waitsOf(client);
    if (isSo(waits)) return;
    assertEquals(waits.expired, 0, "waits that nobody cancelled");
  }
}

/** Runs every case as a step of `test`. */
export async function mcpContract(
  test: Deno.TestContext,
  url: string,
  era: Era,
): Promise<void> {
  const step = async (
    title: string,
    run: (client: Client) => Promise<void>,
  ) => {
    await test.step(`${era}: ${title}`, async () => {
      await using client = await connect(url, era);
      await run(client);
    });
  };

  await step("speaks the revision that the client comes for", (client) => {
    assertEquals(
      client.getNegotiatedProtocolVersion(),
      era === "legacy" ? "2025-11-25" : "2026-07-28",
    );
    assertEquals(client.getServerVersion()?.name, "nanocode-wasm");
    return Promise.resolve();
  });

  await step(
    "lists the tools with their schemas, exec included",
    async (client) => {
      const { tools } = await client.listTools();
      assertEquals(tools.map(({ name }) => name), [
        "lookup",
        "greet",
        "fail",
        "list",
        "wait",
        "state",
        "exec",
      ]);
      assertEquals(tools[0]?.inputSchema, {
        type: "object",
        properties: { key: { type: "string" } },
        required: ["key"],
      });
      assertStringIncludes(tools[6]?.description ?? "", "lookup(input:");
    },
  );

  await step(
    "an output is text for models, and data where it is an object",
    async (client) => {
      const found = await client.callTool({
        name: "lookup",
        arguments: { key: "alpha" },
      });
      assertEquals(found.structuredContent, { key: "alpha", value: "ALPHA" });
      assertEquals(textOf(found), '{"key":"alpha","value":"ALPHA"}');
      assert(!found.isError);
      const greeting = await client.callTool({
        name: "greet",
        arguments: { name: "Ada" },
      });
      assertEquals(textOf(greeting), "Hello, Ada!");
      assertEquals(greeting.structuredContent, undefined);
    },
  );

  await step(
    "an output that is too large is cut to the budget, and says so",
    async (client) => {
      const { structuredContent, content } = await client.callTool({
        name: "list",
        arguments: { count: 1000 },
      });
      assertEquals(structuredContent, undefined);
      const text = textOf({ content });
      assert(text.length <= 2048);
      assertStringIncludes(text, "[truncated: 7011 bytes in all");
    },
  );

  await step(
    "a throw is a result that is an error, in the shape that a model reads",
    async (client) => {
      const result = await client.callTool({ name: "fail" });
      assertEquals(result.isError, true);
      const error = {
        name: "RangeError",
        code: "tool_failed",
        message: "fail is out of stock",
        retryable: false,
      };
      assertEquals(JSON.parse(textOf(result)), { error });
      assertEquals(result.structuredContent, { error });
    },
  );

  await step(
    "an input that does not fit is refused before the tool runs",
    async (client) => {
      const result = await client.callTool({
        name: "lookup",
        arguments: { key: 1 },
      });
      assertEquals(result.isError, true);
      assertStringIncludes(textOf(result), "input.key: expected a string");
      assertStringIncludes(textOf(result), "invalid_input");
    },
  );

  await step(
    "a tool that is not there is an error of the request",
    async (client) => {
      const error = await assertRejects(() =>
        client.callTool({ name: "look" })
      );
      assertEquals((error as { code?: unknown }).code, -32602);
      assertStringIncludes(String(error), 'there is no tool "look"');
    },
  );

  await step("exec runs a program over the same tools", async (client) => {
    const result = await client.callTool({
      name: "exec",
      arguments: {
        code: `const [a, b] = await Promise.all(
          ["a", "b"].map((key) => tools.lookup({ key })));
        return a.value + b.value;`,
      },
    });
    assertEquals(result.structuredContent, { result: "AB" });
  });

  await step(
    "a budget bounds the calls of one program, not those of the client",
    async (client) => {
      const result = await client.callTool({
        name: "exec",
        arguments: {
          code: `for (const key of "abcd") await tools.lookup({ key });`,
        },
      });
      assertEquals(result.isError, true);
      assertStringIncludes(textOf(result), "budget_spent");
      const all = await Promise.all(
        Array.from(
          "abcdefgh",
          (key) => client.callTool({ name: "lookup", arguments: { key } }),
        ),
      );
      assertEquals(
        all.map(({ structuredContent }) => structuredContent),
        Array.from("abcdefgh", (key) => ({ key, value: key.toUpperCase() })),
      );
    },
  );

  await step(
    "a request that the client cancels aborts the tool's signal",
    async (client) => {
      const before = await waitsOf(client);
      const abort = new AbortController();
      const running = client.callTool({ name: "wait" }, {
        signal: abort.signal,
      });
      // Taken at once: it may reject before the next line is reached.
      const rejected = assertRejects(() => running);
      await untilWaits(client, ({ begun }) => begun > before.begun);
      abort.abort("changed my mind");
      await rejected;
      await untilWaits(client, ({ cancelled }) => cancelled > before.cancelled);
    },
  );

  await step(
    "a client that leaves cancels what it waits for",
    async (client) => {
      const before = await waitsOf(client);
      const leaving = await connect(url, era);
      const lost = assertRejects(() => leaving.callTool({ name: "wait" }));
      await untilWaits(client, ({ begun }) => begun > before.begun);
      await leaving.close();
      await lost;
      await untilWaits(client, ({ cancelled }) => cancelled > before.cancelled);
    },
  );

  await test.step(`${era}: a wrong token is refused`, async () => {
    const error = await assertRejects(() => connect(url, era, "wrong"));
    assertStringIncludes(String(error), "401");
  });
}
