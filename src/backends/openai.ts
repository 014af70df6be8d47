/**
 * The OpenAI Responses wire (https://platform.openai.com/docs/api-reference/responses),
 * also spoken by compatible servers.
 *
 * Stateless: `store: false`, the whole conversation in `input`, reasoning
 * replayed as the provider encrypted it.
 *
 * @module
 */

import type { HistoryItem, StepItem } from "../history.ts";
import type { Json, JsonObject } from "../json.ts";
import {
  type Backend,
  type StepInput,
  wireParameters,
  type WireRequest,
  type WireTool,
} from "./backend.ts";
import { createOpenaiDecoder } from "./openai_decoder.ts";
import { readOpenaiError } from "./openai_error.ts";
import { answer, groupByAnswer } from "./parallel.ts";

const encryptedReasoning = "reasoning.encrypted_content";

function request(input: StepInput): WireRequest {
  const { settings, tools } = input;
  const body: JsonObject = {
    model: input.model,
    input: input.history.flatMap(toInput),
    stream: true,
    store: false,
  };
  if (!input.without.has("include")) body.include = [encryptedReasoning];
  if (input.instructions !== undefined) body.instructions = input.instructions;
  if (tools.length > 0) {
    body.tools = tools.map(toTool);
    body.tool_choice = "auto";
    body.parallel_tool_calls = true;
  }
  if (settings.maxOutputTokens !== undefined) {
    body.max_output_tokens = settings.maxOutputTokens;
  }
  if (settings.reasoningEffort !== undefined) {
    body.reasoning = { effort: settings.reasoningEffort };
  }
  return { path: "/responses", headers: {}, body };
}

// `strict` would make the provider rewrite the host's schema: every property
// required, optional ones nullable. Our own validation decides instead.
function toTool(tool: WireTool): Json {
  return {
    type: "function",
    name: tool.name,
    description: tool.description,
    parameters: wireParameters(tool.parameters),
    strict: false,
  };
}

function toInput(item: HistoryItem): JsonObject[] {
  if (item.type === "user") return [{ role: "user", content: item.text }];
  return [...item.items, ...toOutputs(item)];
}

function toOutputs(step: StepItem): JsonObject[] {
  const custom = new Set(
    step.items.filter((item) => item.type === "custom_tool_call")
      .map((item) => item.call_id),
  );
  const outputs = new Map(
    step.outputs.map((output) => [output.callId, output]),
  );
  return [...groupByAnswer(step.calls)].map(([id, calls]) => ({
    type: custom.has(id) ? "custom_tool_call_output" : "function_call_output",
    call_id: id,
    output: answer(calls, outputs).text,
  }));
}

/** The OpenAI Responses backend. */
export const openai: Backend = {
  name: "openai",
  defaultBaseUrl: "https://api.openai.com/v1",
  requestIdHeader: "x-request-id",
  credential: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  request,
  prefix: () => "",
  // The items and calls of an answer are whole before its last event.
  dispensable: new Set([
    "response.created",
    "response.in_progress",
    "response.completed",
  ]),
  decoder: createOpenaiDecoder,
  error: readOpenaiError,
  // Models that do not reason refuse `include: ["reasoning.encrypted_content"]`
  // with a 400 whose `param` is `include`; no list of models says which.
  avoidable: (error) =>
    error.param === "include" || /encrypted content/i.test(error.message)
      ? "include"
      : undefined,
};
