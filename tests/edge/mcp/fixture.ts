/**
 * The MCP endpoint in memory, and messages for it.
 *
 * @module
 */

import { type McpParts, mcpRoutes } from "../../../edge/mcp.ts";
import type { Receipt } from "../../../src/receipt.ts";
import { manualAmbient } from "../../support/ambient.ts";
import { token } from "../client.ts";
import { config, tools } from "./agent.ts";

/** An endpoint under test. */
export type Fixture = {
  readonly receipts: readonly Receipt[];
  readonly errors: readonly unknown[];
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  send(url: string, init?: RequestInit): Promise<Response>;
};

/** An endpoint of the test tools, asked without a server. */
export function fixture(parts: Partial<McpParts<object>> = {}): Fixture {
  const receipts: Receipt[] = [];
  const errors: unknown[] = [];
  const app = mcpRoutes<object>({
    config: { ...config, surfaces: ["direct"] },
    options: () => ({ ...manualAmbient(), tools }),
    auth: () => ({ tokens: [token] }),
    onReceipt: (receipt) => receipts.push(receipt),
    onError: (error) => errors.push(error),
    ...parts,
  });
  const send = async (url: string, init?: RequestInit) =>
    await app.request(url, init);
  return {
    receipts,
    errors,
    send,
    post: (body, more = {}) =>
      send("http://tools.example/", {
        method: "POST",
        headers: { ...headers, ...more },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}

/** Headers of a request with the token. */
export const headers = {
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A client's first message. */
export const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
};

/** A call of a tool. */
export function callOf(name: string, input: unknown, id: number | string = 2) {
  const params = { name, arguments: input };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

/** The message that a stream of one message carries. */
// deno-lint-ignore no-explicit-any -- tests look into documents freely
export async function messageOf(response: Response): Promise<any> {
  const [, data] = /^data: (.*)$/m.exec(await response.text()) ?? [];
  return JSON.parse(data ?? "null");
}
