/**
 * A runtime for models that use the host's tools, at the edge.
 *
 * A host declares its tools as {@link HostTool}s and runs their calls in one
 * function. The model, of OpenAI or of Anthropic, calls them in parallel, within
 * a budget, and every call leaves a receipt.
 *
 * @example
 * ```ts no-assert
 * import { open } from "@nanocode/wasm";
 *
 * export async function main(apiKey: string) {
 *   await using agent = await open({
 *     backend: "openai",
 *     model: "gpt-5",
 *     tools: [{
 *       name: "lookup",
 *       description: "Look up the value stored under a key.",
 *       parameters: {
 *         type: "object",
 *         properties: { key: { type: "string" } },
 *         required: ["key"],
 *       },
 *     }],
 *   }, {
 *     apiKey,
 *     tools: { call: (name, input) => Promise.resolve({ name, input }) },
 *   });
 *   const turn = agent.prompt("Look up alpha and beta");
 *   for await (const event of turn) {
 *     if (event.type === "text") console.log(event.delta);
 *   }
 *   return await turn.result();
 * }
 * ```
 *
 * @module
 */

export { open } from "./src/open.ts";
export { openTools } from "./src/open_tools.ts";
export { HostFailure } from "./src/failure.ts";
export { budgets } from "./src/budget_presets.ts";
export { reportTurn } from "./src/report/report_turn.ts";
export { defineTools } from "./src/tools/define_tools.ts";

export type { Agent, PromptOptions } from "./src/agent.ts";
export type { Clock } from "./src/ambient.ts";
export type {
  BackendName,
  ModelSettings,
  ReasoningEffort,
} from "./src/backends/backend.ts";
export type { Budget, BudgetName, Exhausted } from "./src/budget.ts";
export type { BudgetPresets } from "./src/budget_presets.ts";
export type { AgentConfiguration } from "./src/configuration.ts";
export type {
  FailureSummary,
  StopReason,
  TurnEnd,
  TurnEvent,
  Usage,
} from "./src/events.ts";
export type {
  BackendDetails,
  HostFailureDetails,
  HostFailureKind,
  Problem,
} from "./src/failure.ts";
export type {
  HistoryItem,
  StepItem,
  ToolCall,
  ToolOutput,
} from "./src/history.ts";
export type { Json, JsonObject } from "./src/json.ts";
export type {
  Outcome,
  Receipt,
  Surface,
  ToolError,
  ToolErrorCode,
} from "./src/receipt.ts";
export type { ReportOptions } from "./src/report/report_turn.ts";
export type { RuntimeOptions } from "./src/runtime_options.ts";
export type { AgentSnapshot } from "./src/snapshot.ts";
export type {
  DefinedTools,
  ToolContext,
  ToolDefinition,
  ToolParameters,
} from "./src/tools/define_tools.ts";
export type {
  ToolAccess,
  ToolCallEnd,
  ToolCallOptions,
} from "./src/tool_access.ts";
export type {
  CallContext,
  HostTool,
  HostTools,
} from "./src/tools/host_tool.ts";
export type {
  SchemaInput,
  StandardParameters,
  ToolInput,
} from "./src/tools/tool_input.ts";
export type { Turn, TurnResult } from "./src/turn.ts";
