/**
 * What the runtime runs: a tool with its checked schema and its code.
 *
 * Before it on the path: `call.ts`. After it: the host's `tools.call`, or
 * `code_mode/exec.ts`.
 *
 * @module
 */

import type { Json, JsonObject } from "../json.ts";
import type { Outcome, ToolError } from "../receipt.ts";
import type { Stop } from "../stop.ts";
import { toolError } from "../tool_error.ts";
import type { CallContext, HostTool, HostTools } from "./host_tool.ts";
import type { CompiledSchema, InputProblem } from "./schema.ts";

/** A call of another tool, made by a tool's code. */
export type NestedCall = {
  /** Unique within the call that makes it. */
  readonly callId: string;
  /** The other tool's name. */
  readonly tool: string;
  /** JSON text; `undefined` where the arguments are not known. */
  readonly arguments: string | undefined;
  /** Why it must not run, where that is known before. */
  readonly refusal?: ToolError;
};

/** How a nested call ended: the result as JSON text, or the error. */
export type NestedEnd =
  | { readonly tag: "output"; readonly text: string }
  | { readonly tag: "error"; readonly error: ToolError };

/** What a tool's code gets beside its input. */
export type ToolRun = {
  /** Stops when the call does. */
  readonly stop: Stop;
  readonly context: CallContext;
  /** When the turn began, in milliseconds since 1970. */
  readonly turnStartedAt: number;
  /** Calls another tool, with a receipt of its own. Never rejects. */
  call(nested: NestedCall, stop: Stop): Promise<NestedEnd>;
};

/** A tool as the runtime runs it. */
export type FunctionTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /**
   * Whether a call takes a slot, counts against `budget.calls` and is bounded
   * by `budget.callMs`. A tool that only calls other tools is not: it would hold
   * the slot that they wait for.
   */
  readonly metered: boolean;
  /** What is wrong with an input; nothing where it is fine. */
  check(input: unknown): readonly InputProblem[];
  /** Runs the tool. What it throws becomes a tool error. */
  run(input: Json, run: ToolRun): Promise<unknown>;
};

/** Thrown by a tool of the runtime's own that knows how its call ended. */
export class ToolFailure extends Error {
  /** How the call ended. */
  readonly outcome: Outcome;
  /** Whether any of the tool's code ran. */
  readonly executed: boolean;

  /**
   * @param error What the model reads.
   * @param end How the call ended: failed after it ran, where nothing is said.
   */
  constructor(
    readonly error: ToolError,
    end: { readonly outcome?: Outcome; readonly executed?: boolean } = {},
  ) {
    super(error.message);
    this.outcome = end.outcome ?? "failed";
    this.executed = end.executed ?? true;
  }
}

/** What was thrown as a {@link ToolFailure}, where it is one; never throws. */
export function toolFailureOf(thrown: unknown): ToolFailure | undefined {
  try {
    return thrown instanceof ToolFailure ? thrown : undefined;
  } catch {
    // A proxy may refuse to tell its prototype.
    return undefined;
  }
}

/** What each call answers where the host declared tools but gave no `call`. */
export const notConfigured = "host tools are not configured";

/** The host's tool as a {@link FunctionTool}. */
export function toFunctionTool(
  tool: HostTool,
  parameters: JsonObject,
  schema: CompiledSchema,
  tools: HostTools | undefined,
): FunctionTool {
  const { name, description } = tool;
  return {
    name,
    description,
    parameters,
    metered: true,
    // Where nothing runs it, each call says so, whatever its input.
    check: (input) => tools === undefined ? [] : schema.validate(input),
    run: async (input, { stop, context }) => {
      if (tools === undefined) {
        const error = toolError("not_configured", notConfigured);
        throw new ToolFailure(error, { executed: false });
      }
      return await tools.call(name, input, stop.signal, context);
    },
  };
}
