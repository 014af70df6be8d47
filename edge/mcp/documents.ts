/**
 * Tools and the ends of their calls, in the protocol's words.
 *
 * @module
 */

import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { isRecord } from "../../src/json.ts";
import type { ToolCallEnd } from "../../src/tool_access.ts";
import type { HostTool } from "../../src/tools/host_tool.ts";

/** The tools as the protocol lists them. */
export function listedTools(tools: readonly HostTool[]): Tool[] {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    inputSchema: { ...parameters, type: "object" },
  }));
}

/**
 * How a call ended: for models as text, cut to the budget's size; for programs
 * as data too, where it is an object and whole.
 */
export function callResult(end: ToolCallEnd): CallToolResult {
  const { receipt } = end;
  const _meta = { "nanocode-wasm/receiptId": receipt.id };
  if (end.tag === "error") {
    return {
      content: [{ type: "text", text: end.text }],
      structuredContent: { error: end.error },
      isError: true,
      _meta,
    };
  }
  const { output } = end;
  const whole = !receipt.truncated;
  const text = whole && typeof output === "string" ? output : end.text;
  return {
    content: [{ type: "text", text }],
    ...(whole && isRecord(output) ? { structuredContent: output } : {}),
    _meta,
  };
}
