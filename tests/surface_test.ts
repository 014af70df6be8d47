// What the package offers, pinned: a change of it is a change for its users.

import { assertEquals } from "@std/assert";
import * as surface from "nanocode-wasm";
import { backendNames, reasoningEfforts } from "../src/backends/backend.ts";
import { defaultBudget } from "../src/budget_presets.ts";
import { stopReasons } from "../src/events.ts";
import { hostFailureKinds } from "../src/failure.ts";
import {
  outcomes,
  type Receipt,
  surfaces,
  toolErrorCodes,
} from "../src/receipt.ts";
import { test } from "./support/permissions.ts";

Deno.test("the values that mod.ts exports", () => {
  assertEquals(Object.keys(surface).sort(), [
    "HostFailure",
    "budgets",
    "defineTools",
    "open",
    "openTools",
    "reportTurn",
  ]);
});

test("the types that mod.ts exports", async () => {
  const text = await Deno.readTextFile(new URL("../mod.ts", import.meta.url));
  const types = [...text.matchAll(/export type \{([^}]*)\}/g)].flatMap((
    [, names],
  ) =>
    (names ?? "").split(",").map((name) => name.trim()).filter((name) =>
      name !== ""
    )
  );
  assertEquals(types.sort(), [
    "Agent",
    "AgentConfiguration",
    "AgentSnapshot",
    "BackendDetails",
    "BackendName",
    "Budget",
    "BudgetName",
    "BudgetPresets",
    "CallContext",
    "Clock",
    "DefinedTools",
    "Exhausted",
    "FailureSummary",
    "HistoryItem",
    "HostFailureDetails",
    "HostFailureKind",
    "HostTool",
    "HostTools",
    "Json",
    "JsonObject",
    "ModelSettings",
    "Outcome",
    "Problem",
    "PromptOptions",
    "ReasoningEffort",
    "Receipt",
    "ReportOptions",
    "RuntimeOptions",
    "SchemaInput",
    "StandardParameters",
    "StepItem",
    "StopReason",
    "Surface",
    "ToolAccess",
    "ToolCall",
    "ToolCallEnd",
    "ToolCallOptions",
    "ToolContext",
    "ToolDefinition",
    "ToolError",
    "ToolErrorCode",
    "ToolInput",
    "ToolOutput",
    "ToolParameters",
    "Turn",
    "TurnEnd",
    "TurnEvent",
    "TurnResult",
    "Usage",
  ]);
});

Deno.test("the words that a program may depend on", () => {
  assertEquals(backendNames, ["openai", "anthropic"]);
  assertEquals(reasoningEfforts, ["low", "medium", "high", "xhigh", "max"]);
  assertEquals(surfaces, ["direct", "code"]);
  assertEquals(hostFailureKinds, [
    "configuration",
    "backend",
    "conflict",
    "closed",
  ]);
  assertEquals(stopReasons, [
    "completed",
    "truncated",
    "refused",
    "budget",
    "cancelled",
    "failed",
    "other",
  ]);
  assertEquals(outcomes, [
    "succeeded",
    "failed",
    "rejected",
    "timed_out",
    "cancelled",
    "interrupted",
  ]);
  assertEquals(toolErrorCodes, [
    "invalid_json",
    "unknown_tool",
    "invalid_input",
    "truncated",
    "not_run",
    "budget_spent",
    "not_configured",
    "tool_failed",
    "invalid_output",
    "code_invalid",
    "code_failed",
    "timed_out",
    "cancelled",
    "interrupted",
  ]);
  assertEquals(Object.keys(defaultBudget), [
    "turnMs",
    "callMs",
    "steps",
    "calls",
    "concurrentCalls",
    "outputBytes",
    "resultBytes",
    "retries",
    "cellFuel",
    "cellMemoryBytes",
    "cellSourceBytes",
    "cellOutputBytes",
    "cellConsoleBytes",
    "cellStoreBytes",
    "cellCalls",
    "cellMs",
  ]);
});

Deno.test("the fields of a receipt", () => {
  const fields: Record<keyof Receipt, true> = {
    id: true,
    turnId: true,
    step: true,
    callId: true,
    parentId: true,
    tool: true,
    surface: true,
    input: true,
    outcome: true,
    executed: true,
    abandoned: true,
    output: true,
    error: true,
    requestedAt: true,
    startedAt: true,
    endedAt: true,
    inputBytes: true,
    outputBytes: true,
    truncated: true,
  };
  assertEquals(Object.keys(fields).length, 19);
});
