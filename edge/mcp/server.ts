/**
 * The protocol's server for one request: it lists the tools and calls them.
 *
 * Before it on the path: `edge/mcp.ts`. After it: `src/tool_access.ts`.
 *
 * @module
 */

import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import type { AgentConfiguration } from "../../src/configuration.ts";
import { openTools } from "../../src/open_tools.ts";
import type { Receipt } from "../../src/receipt.ts";
import type { RuntimeOptions } from "../../src/runtime_options.ts";
import type { ToolAccess } from "../../src/tool_access.ts";
import { callResult, listedTools } from "./documents.ts";
import type { RequestId, RunningCalls } from "./running_calls.ts";

/** What a server calls itself. */
export type ServerInfo = { readonly name: string; readonly version: string };

/** What a server is made of. */
export type McpServerParts = {
  readonly config: Partial<AgentConfiguration>;
  readonly options: () => RuntimeOptions;
  readonly info: ServerInfo | undefined;
  readonly instructions: string | undefined;
  /** Whose request it answers, where the client was given a name. */
  readonly session: string | undefined;
  readonly running: RunningCalls;
  readonly onReceipt: ((receipt: Receipt) => void) | undefined;
  readonly onError: (error: unknown) => void;
};

const defaultInfo: ServerInfo = { name: "nanocode-wasm", version: "0.1.0" };

/** Makes the server for one request. */
export function createMcpServer(parts: McpServerParts): Server {
  const { session, running, instructions } = parts;
  const server = new Server({ ...defaultInfo, ...parts.info }, {
    capabilities: { tools: {} },
    ...(instructions === undefined ? {} : { instructions }),
  });
  server.setRequestHandler("tools/list", () =>
    guarded(parts, async () => {
      const { tools } = await opened(parts);
      return { tools: listedTools(tools) };
    }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { id, signal } = mcpReq;
    const entry = session === undefined ? undefined : running.add(session, id);
    // Closing is what ends the request's stream, and aborts its signal.
    entry?.cancelled.then(() => server.close()).catch(parts.onError);
    try {
      return await guarded(
        parts,
        () => callTool(parts, params, { id, signal }),
      );
    } finally {
      entry?.release();
    }
  });
  server.setNotificationHandler("notifications/cancelled", ({ params }) => {
    const { requestId } = params;
    if (session === undefined || requestId === undefined) return;
    running.cancel(session, requestId);
  });
  return server;
}

async function callTool(
  parts: McpServerParts,
  { name, arguments: input }: CallToolRequest["params"],
  { id, signal }: { readonly id: RequestId; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  const tools = await opened(parts);
  const end = await tools.call(name, input, { signal, callId: String(id) });
  for (const receipt of [end.receipt, ...end.nested]) {
    parts.onReceipt?.(receipt);
  }
  if (end.tag === "error" && end.error.code === "unknown_tool") {
    // The protocol's own way to say it: there is no tool to give a result.
    const { message } = end.error;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  return callResult(end);
}

/** The tools, opened for this request. */
function opened({ config, options }: McpServerParts): Promise<ToolAccess> {
  // What programs store would be gone with the request.
  const budget = { ...config.budget, cellStoreBytes: 0 };
  return openTools({ ...config, budget }, options());
}

/** What fails here is told to the operator; the client learns only that. */
async function guarded<Result>(
  { onError }: McpServerParts,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    onError(error);
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      "The server failed; its operator's log says why",
    );
  }
}
