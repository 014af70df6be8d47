/**
 * The Anthropic Messages wire (https://platform.claude.com/docs/en/api/messages).
 *
 * @module
 */

import type { HistoryItem, StepItem } from "../history.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import {
  type Backend,
  type StepInput,
  wireParameters,
  type WireRequest,
  type WireTool,
} from "./backend.ts";
import { createAnthropicDecoder } from "./anthropic_decoder.ts";
import { readAnthropicError } from "./anthropic_error.ts";
import { answer, groupByAnswer } from "./parallel.ts";

// The wire wants a limit in every request. All models that are served now take
// this one; a step that needs more says so through its settings.
const defaultMaxTokens = 16_384;

type Message = { role: "user" | "assistant"; content: Json[] };

function request(input: StepInput): WireRequest {
  const { settings, tools } = input;
  const body: JsonObject = {
    model: input.model,
    max_tokens: settings.maxOutputTokens ?? defaultMaxTokens,
    messages: toMessages(input.history),
    stream: true,
  };
  if (!input.without.has("cache_control")) {
    body.cache_control = { type: "ephemeral" };
  }
  if (input.instructions !== undefined) body.system = input.instructions;
  if (tools.length > 0) {
    body.tools = tools.map(toTool);
    body.tool_choice = { type: "auto", disable_parallel_tool_use: false };
  }
  if (settings.reasoningEffort !== undefined) {
    body.thinking = { type: "adaptive" };
    body.output_config = { effort: settings.reasoningEffort };
  }
  return {
    path: "/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body,
  };
}

function toTool(tool: WireTool): Json {
  return {
    name: tool.name,
    description: tool.description,
    input_schema: wireParameters(tool.parameters),
  };
}

/**
 * Roles alternate: what follows one another in the same role becomes one
 * message. So a paused answer is continued in place, and a user's text comes
 * after the results of the calls before it, in the same message.
 */
function toMessages(history: readonly HistoryItem[]): Json[] {
  const messages: Message[] = [];
  const append = (role: Message["role"], content: readonly Json[]) => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content: [...content] });
  };
  for (const item of history) {
    if (item.type === "user") {
      closeAnswer(messages);
      append("user", [{ type: "text", text: item.text }]);
      continue;
    }
    append("assistant", item.items);
    append("user", toResults(item));
  }
  return messages;
}

/**
 * Makes the last answer one that a user's text may follow. A turn that ended in
 * a pause, or was cut while the model thought, leaves blocks that the wire takes
 * only where the answer goes on: server tools without a result, thinking at the
 * end.
 */
function closeAnswer(messages: Message[]): void {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return;
  const blocks = last.content.filter(isJsonObject);
  const answered = new Set(blocks.map((block) => block.tool_use_id));
  const kept = blocks.filter(({ type, id }) =>
    type !== "server_tool_use" || answered.has(id)
  );
  const end = kept.findLastIndex(({ type }) =>
    type !== "thinking" && type !== "redacted_thinking"
  );
  last.content = kept.slice(0, end + 1);
  if (last.content.length === 0) messages.pop();
}

function toResults(step: StepItem): Json[] {
  const outputs = new Map(
    step.outputs.map((output) => [output.callId, output]),
  );
  return [...groupByAnswer(step.calls)].map(([id, calls]) => {
    const { text, isError } = answer(calls, outputs);
    const result: JsonObject = {
      type: "tool_result",
      tool_use_id: id,
      content: text,
    };
    if (isError) result.is_error = true;
    return result;
  });
}

// `…/v1` is this module's form of the address, the bare host the official
// client's. Both are met in configurations.
function versioned(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? "" : "/v1";
}

/** The Anthropic Messages backend. */
export const anthropic: Backend = {
  name: "anthropic",
  defaultBaseUrl: "https://api.anthropic.com/v1",
  requestIdHeader: "request-id",
  credential: (apiKey) => ({ "x-api-key": apiKey }),
  request,
  prefix: versioned,
  dispensable: new Set(["ping"]),
  decoder: createAnthropicDecoder,
  error: readAnthropicError,
  // Servers that speak this wire without its caching refuse the field by name.
  avoidable: (error) =>
    error.message.includes("cache_control") ? "cache_control" : undefined,
};
