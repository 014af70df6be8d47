/**
 * The errors that a model reads: each says what happened and what to do.
 *
 * @module
 */

import type { Exhausted } from "./budget.ts";
import { isRecord, type JsonObject } from "./json.ts";
import type { Redaction } from "./redaction.ts";
import type { Outcome, ToolError, ToolErrorCode } from "./receipt.ts";
import { describeStop, type StopCause } from "./stop.ts";
import { shorten } from "./text.ts";
import type { InputProblem } from "./tools/schema.ts";

/** An error of the runtime's own. */
export function toolError(
  code: ToolErrorCode,
  message: string,
  retryable = false,
): ToolError {
  return { name: "ToolError", code, message, retryable };
}

/** That the arguments are not JSON, and what they should have been. */
export function invalidJson(reason: string, parameters: JsonObject): ToolError {
  return toolError(
    "invalid_json",
    `the arguments are not valid JSON: ${reason}. The tool did not run. Send ${
      describeParameters(parameters)
    }`,
    true,
  );
}

/** That no tool has the name. */
export function unknownTool(
  name: string,
  near: string | undefined,
  names: readonly string[],
): ToolError {
  const hint = near === undefined ? "." : `; did you mean "${near}"?`;
  const list = names.length === 0
    ? "There are no tools"
    : `The tools are: ${names.join(", ")}`;
  return toolError(
    "unknown_tool",
    shorten(
      `there is no tool "${shorten(name, 64)}"${hint} ${list}`,
      2000,
    ),
  );
}

/** That the arguments do not fit the schema: the first few problems. */
export function invalidInput(problems: readonly InputProblem[]): ToolError {
  return refusedInput(
    problems.map(({ path, expected, actual }) =>
      `${path}: expected ${expected}, got ${actual}`
    ),
  );
}

/** That the arguments are refused, for these reasons. */
export function refusedInput(reasons: readonly string[]): ToolError {
  return toolError(
    "invalid_input",
    `the arguments do not fit the tool's schema. The tool did not run. ${
      reasons.join("; ")
    }`,
    true,
  );
}

/** That a budget ran out. */
export function budgetSpent({ budget, used, limit }: Exhausted): ToolError {
  return toolError(
    "budget_spent",
    `the turn's budget "${budget}" is spent (${used} of ${limit} used). The tool did not run. Answer with what you have`,
  );
}

/** That the tool ran, and what it gave is not JSON. */
export function invalidOutput(reason: string): ToolError {
  return toolError(
    "invalid_output",
    `the tool ran, but its result cannot be sent as JSON: ${reason}. Do not call it again for its effect`,
  );
}

/** The tool ran, but its result is larger than `budget.resultBytes`. */
export function oversized(bytes: number, limit: number): ToolError {
  return toolError(
    "invalid_output",
    `the tool ran, but its result has ${bytes} bytes, more than the ${limit} of budget.resultBytes. Ask it for less`,
  );
}

/** What a stopped call ends with; `ran` where its tool was already at work. */
export function stopped(
  cause: StopCause,
  ran: boolean,
): { readonly outcome: Outcome; readonly error: ToolError } {
  const message = describeStop(cause);
  switch (cause.tag) {
    case "cancelled":
      return { outcome: "cancelled", error: toolError("cancelled", message) };
    case "turn_time":
      return { outcome: "timed_out", error: toolError("timed_out", message) };
    case "call_time":
      return {
        outcome: "timed_out",
        error: toolError("timed_out", `${message} and was stopped`, true),
      };
    case "interrupted":
      return {
        outcome: "interrupted",
        error: toolError("interrupted", `${message}; ${effect(ran)}`),
      };
  }
}

function effect(ran: boolean): string {
  return ran
    ? "whether it had its effect is not known"
    : "the tool did not run";
}

const namePattern = /^[A-Za-z_$][\w$]{0,63}$/;

/**
 * What a tool threw, as the model may read it: the error's name and message, no
 * stack and no secrets. Whatever was thrown, and however its getters behave.
 */
export function thrownError(thrown: unknown, redaction: Redaction): ToolError {
  const name = read(thrown, "name");
  const message = typeof thrown === "string" ? thrown : read(thrown, "message");
  const text = typeof message === "string" ? redaction.clean(message) : "";
  return {
    name: typeof name === "string" && namePattern.test(name) ? name : "Error",
    code: "tool_failed",
    message: text.trim() === "" ? withoutMessage(thrown) : text,
    retryable: read(thrown, "retryable") === true,
  };
}

function withoutMessage(thrown: unknown): string {
  if (thrown === null) return "the tool failed with null instead of an error";
  return typeof thrown === "object" || typeof thrown === "string"
    ? "the tool failed without a message"
    : `the tool failed with ${typeof thrown} instead of an error`;
}

function read(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}

/** The expected arguments in a few words. */
export function describeParameters(parameters: JsonObject): string {
  const { properties } = parameters;
  const required = Array.isArray(parameters.required)
    ? parameters.required
    : [];
  if (!isRecord(properties) || Object.keys(properties).length === 0) {
    return "a JSON object";
  }
  const names = Object.entries(properties).slice(0, 12).map(
    ([name, schema]) => {
      const type = isRecord(schema) && typeof schema.type === "string"
        ? schema.type
        : "any";
      const need = required.includes(name) ? "required" : "optional";
      return `${shorten(name, 64)} (${type}, ${need})`;
    },
  );
  return `a JSON object with ${names.join(", ")}`;
}
