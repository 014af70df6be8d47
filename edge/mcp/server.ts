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
import { completeBudget } from "../../src/budget_check.ts";
import { openTools } from "../../src/open_tools.ts";
import type { Receipt } from "../../src/receipt.ts";
import type { RuntimeOptions } from "../../src/runtime_options.ts";
import { Slots } from "../../src/slots.ts";
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
  const tools = toolsOf(parts);
  const server = new Server({ ...defaultInfo, ...parts.info }, {
    capabilities: { tools: {} },
    ...(instructions === undefined ? {} : { instructions }),
  });
  server.setRequestHandler("tools/list", () =>
    guarded(parts, async () => {
      const access = await tools.opened();
      return { tools: listedTools(access.tools) };
    }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const { id, signal } = mcpReq;
    const entry = session === undefined ? undefined : running.add(session, id);
    // Closing is what ends the request's stream, and aborts its signal.
    entry?.cancelled.then(() => server.close()).catch(parts.onError);
    try {
      return await guarded(
        parts,
        () => callTool(parts, tools, params, { id, signal }),
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
  tools: RequestTools,
  { name, arguments: input }: CallToolRequest["params"],
  { id, signal }: { readonly id: RequestId; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  const access = await tools.opened();
  const release = await tools.slots.take(signal);
  const end = await access.call(name, input, { signal, callId: String(id) })
    .finally(release);
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

/** What the calls of one HTTP request share: a batch has several. */
type RequestTools = {
  readonly opened: () => Promise<ToolAccess>;
  /** How many of them run at a time. */
  readonly slots: Slots;
};

function toolsOf({ config, options }: McpServerParts): RequestTools {
  // What programs store would be gone with the request.
  const budget = { ...config.budget, cellStoreBytes: 0 };
  let access: Promise<ToolAccess> | undefined;
  const open = async () => await openTools({ ...config, budget }, options());
  return {
    opened: () => access ??= open(),
    slots: new Slots(completeBudget(config.budget).concurrentCalls),
  };
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
