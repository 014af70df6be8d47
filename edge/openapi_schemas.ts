/**
 * The schemas of what the API gives, for its OpenAPI document.
 *
 * @module
 */

import { stopReasons } from "../src/events.ts";
import { outcomes, surfaces, toolErrorCodes } from "../src/receipt.ts";
import { problems } from "./problem.ts";
import { turnRequestSchema } from "./turn_request.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };
const time = { type: "integer", description: "Milliseconds since 1970." };
const flag = { type: "boolean" };

function object(
  properties: Record<string, unknown>,
  required: readonly string[],
): Record<string, unknown> {
  return { type: "object", properties, required };
}

function list(name: string): Record<string, unknown> {
  return { type: "array", items: ref(name) };
}

/** A reference to one of the schemas. */
export function ref(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

const turnProperties = {
  id: text,
  session: text,
  number: { ...count, description: "The turn's place in the session, from 1." },
  state: { enum: ["running", "ended"] },
  input: text,
  startedAt: time,
  endedAt: time,
  end: ref("TurnEnd"),
  lastEvent: { ...count, description: "The id of the turn's last event." },
};

/** The schemas by name. */
export const schemas = {
  TurnRequest: turnRequestSchema,
  Problem: object({
    type: text,
    title: text,
    status: count,
    code: { enum: Object.keys(problems) },
    detail: text,
    turn: { ...text, description: "The turn that the problem is about." },
  }, ["type", "title", "status", "code"]),
  ToolError: object({
    name: text,
    code: { enum: toolErrorCodes },
    message: text,
    retryable: flag,
  }, ["name", "code", "message", "retryable"]),
  Receipt: object({
    id: text,
    turnId: text,
    step: count,
    callId: text,
    parentId: text,
    tool: text,
    surface: { enum: surfaces },
    input: {},
    outcome: { enum: outcomes, description: "Absent while the call runs." },
    executed: flag,
    abandoned: flag,
    output: {},
    error: ref("ToolError"),
    requestedAt: time,
    startedAt: time,
    endedAt: time,
    inputBytes: count,
    outputBytes: count,
    truncated: flag,
  }, [
    "id",
    "turnId",
    "step",
    "callId",
    "tool",
    "surface",
    "executed",
    "requestedAt",
    "inputBytes",
    "outputBytes",
    "truncated",
  ]),
  TurnEnd: object({
    stopReason: { enum: [...stopReasons, "interrupted"] },
    providerStopReason: text,
    text,
    usage: object({
      inputTokens: count,
      cachedInputTokens: count,
      outputTokens: count,
      reasoningTokens: count,
    }, ["inputTokens", "cachedInputTokens", "outputTokens", "reasoningTokens"]),
    steps: count,
    exhausted: { type: "object", description: "What ran out, and how much." },
    cancelReason: text,
    failure: { type: "object", description: "What the provider answered." },
  }, ["stopReason", "text", "usage", "steps"]),
  TurnRecord: object(turnProperties, ["id", "number", "input", "startedAt"]),
  Turn: object(
    { ...turnProperties, receipts: list("Receipt") },
    ["id", "session", "number", "state", "input", "startedAt", "receipts"],
  ),
  Session: object({
    id: text,
    createdAt: time,
    updatedAt: time,
    running: { ...text, description: "The turn that runs, where one does." },
    turns: list("TurnRecord"),
    history: { type: "array", items: { type: "object" } },
    receipts: list("Receipt"),
  }, ["id", "createdAt", "updatedAt", "turns", "history", "receipts"]),
  ToolSet: object({
    surfaces: { type: "array", items: { enum: surfaces } },
    tools: {
      type: "array",
      items: object(
        { name: text, description: text, parameters: { type: "object" } },
        ["name", "description", "parameters"],
      ),
    },
  }, ["surfaces", "tools"]),
  Health: object({ status: { const: "ok" } }, ["status"]),
};
