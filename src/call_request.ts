/**
 * A call as it was asked for, and whether it may run.
 *
 * Before it on the path: `call.ts`, with the model's words or a cell's. After it:
 * `call.ts` again, which runs what may run.
 *
 * @module
 */

import type { Ambient } from "./ambient.ts";
import type { BudgetMeter } from "./budget.ts";
import type { TurnEvent } from "./events.ts";
import { type Json, parseBounded, type Parsed } from "./json.ts";
import { nearest } from "./nearest.ts";
import type { Receipt, ReceiptBook, Surface, ToolError } from "./receipt.ts";
import type { Redaction } from "./redaction.ts";
import type { Slots } from "./slots.ts";
import type { Stop } from "./stop.ts";
import {
  budgetSpent,
  invalidInput,
  invalidJson,
  unknownTool,
} from "./tool_error.ts";
import type { FunctionTool } from "./tools/function_tool.ts";
import type { SurfaceTools } from "./tools/tool_set.ts";

/** What a call needs of the turn that it belongs to. */
export type CallScope = {
  readonly turnId: string;
  readonly tools: SurfaceTools;
  readonly meter: BudgetMeter;
  readonly slots: Slots;
  readonly receipts: ReceiptBook;
  readonly ambient: Ambient;
  readonly redaction: Redaction;
  emit(event: TurnEvent): void;
};

/** A call as it was asked for. */
export type CallRequest = {
  readonly callId: string;
  readonly step: number;
  readonly tool: string;
  readonly surface: Surface;
  /** JSON text, empty for `{}`; `undefined` where it is not known. */
  readonly arguments: string | undefined;
  /** The call that this one is nested in. */
  readonly parent?: Pick<Receipt, "id" | "callId">;
  /** Why the call must not run, where that is known before. */
  readonly refusal?: ToolError;
};

/** A call that may run, or why it must not. */
export type Prepared =
  | { readonly tag: "ready"; readonly tool: FunctionTool; readonly input: Json }
  | {
    readonly tag: "refused";
    readonly error: ToolError;
    readonly input?: Json;
  };

/** Parses, looks up, validates and charges a call. */
export function prepare(
  { tools, meter }: CallScope,
  request: CallRequest,
  stop: Stop,
): Prepared {
  const parsed = parseArguments(request.arguments);
  const known = parsed.tag === "parsed" && request.arguments !== undefined;
  const input = known ? { input: parsed.value } : {};
  if (request.refusal !== undefined) {
    return { tag: "refused", error: request.refusal, ...input };
  }
  const callable = tools[request.surface];
  const tool = callable.get(request.tool);
  if (tool === undefined) {
    const names = [...callable.keys()];
    const near = nearest(request.tool, names);
    const error = unknownTool(request.tool, near, names);
    return { tag: "refused", error, ...input };
  }
  if (parsed.tag === "malformed") {
    const error = invalidJson(parsed.reason, tool.parameters);
    return { tag: "refused", error };
  }
  const problems = tool.check(parsed.value);
  if (problems.length > 0) {
    return { tag: "refused", error: invalidInput(problems), ...input };
  }
  const spent = tool.metered && stop.cause === undefined
    ? meter.chargeCall()
    : undefined;
  if (spent !== undefined) {
    return { tag: "refused", error: budgetSpent(spent), ...input };
  }
  return { tag: "ready", tool, input: parsed.value };
}

function parseArguments(text: string | undefined): Parsed {
  return parseBounded(text === undefined || text.trim() === "" ? "{}" : text);
}
