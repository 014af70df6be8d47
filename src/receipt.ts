/**
 * Receipts: what became of every tool call that the model made. Each call
 * opens exactly one and ends it exactly once, whatever happens.
 *
 * Before it on the path: `call.ts`. After it: the turn's events and its result.
 *
 * @module
 */

import type { Json } from "./json.ts";

/** How a call came: as a tool call of its own, or from model-written code. */
export type Surface = "direct" | "code";

/** Every {@link Surface}. */
export const surfaces: readonly Surface[] = ["direct", "code"];

/**
 * How a call ended.
 *
 * - `succeeded`: the tool gave a result.
 * - `failed`: the tool threw, gave something JSON cannot carry, or is not there
 *   to be called.
 * - `rejected`: refused before it ran (arguments, name, budget, truncation).
 * - `timed_out`: its time, or the turn's, ran out.
 * - `cancelled`: the turn was cancelled.
 * - `interrupted`: what it belonged to ended first (a cell, a process).
 */
export type Outcome =
  | "succeeded"
  | "failed"
  | "rejected"
  | "timed_out"
  | "cancelled"
  | "interrupted";

/** Every {@link Outcome}. */
export const outcomes: readonly Outcome[] = [
  "succeeded",
  "failed",
  "rejected",
  "timed_out",
  "cancelled",
  "interrupted",
];

/**
 * Why a call did not succeed.
 *
 * - `invalid_json`: the arguments are not JSON.
 * - `unknown_tool`: no tool has that name.
 * - `invalid_input`: the arguments do not fit the tool's schema.
 * - `truncated`: the model's answer was cut before it ended; the call did not run.
 * - `not_run`: the model's answer ended in a way that forbids to run its calls.
 * - `budget_spent`: a budget ran out.
 * - `not_configured`: the host gave no `tools.call`.
 * - `tool_failed`: the tool threw or rejected.
 * - `invalid_output`: the tool ran, and gave what JSON cannot carry.
 * - `code_invalid`: the program is none, or is too long; nothing of it ran.
 * - `code_failed`: the program threw, or cannot go on.
 * - `timed_out`: time ran out.
 * - `cancelled`: the turn was cancelled.
 * - `interrupted`: what the call belonged to ended first.
 */
export type ToolErrorCode =
  | "invalid_json"
  | "unknown_tool"
  | "invalid_input"
  | "truncated"
  | "not_run"
  | "budget_spent"
  | "not_configured"
  | "tool_failed"
  | "invalid_output"
  | "code_invalid"
  | "code_failed"
  | "timed_out"
  | "cancelled"
  | "interrupted";

/** Every {@link ToolErrorCode}. */
export const toolErrorCodes: readonly ToolErrorCode[] = [
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
];

/** A failed call, as the model reads it: the same on every backend and surface. */
export type ToolError = {
  /** The error's name: `ToolError`, or the name of what the tool threw. */
  readonly name: string;
  /** Why, for a program. */
  readonly code: ToolErrorCode;
  /** Why, for the model: what happened and what to do. Free of secrets. */
  readonly message: string;
  /**
   * Whether another call is worth making: the same where the trouble may pass,
   * else one that does what the message asks for.
   */
  readonly retryable: boolean;
};

/** The record of one tool call. */
export type Receipt = {
  /** The receipt's id. */
  readonly id: string;
  /** The turn. */
  readonly turnId: string;
  /** The step of the turn, from 1. */
  readonly step: number;
  /** The provider's id of the call; of a nested call, its number in the cell. */
  readonly callId: string;
  /** The receipt of the `exec` call that a nested call belongs to. */
  readonly parentId?: string;
  /** The tool's name, as the model wrote it. */
  readonly tool: string;
  /** How the call came. */
  readonly surface: Surface;
  /** The arguments; absent where they were no JSON. */
  readonly input?: Json;
  /** How it ended; absent while it runs. */
  readonly outcome?: Outcome;
  /** Whether the tool's code was started. */
  readonly executed: boolean;
  /** Whether the tool still ran when its time was over; its result is lost. */
  readonly abandoned?: boolean;
  /** The whole result, where it succeeded. */
  readonly output?: Json;
  /** Why it did not succeed. */
  readonly error?: ToolError;
  /** When the model asked, in milliseconds since 1970. */
  readonly requestedAt: number;
  /** When the tool's code was started. */
  readonly startedAt?: number;
  /**
   * When it ended. A Worker's clock moves only with I/O: there, what a call spent
   * computing does not show in its times.
   */
  readonly endedAt?: number;
  /** The arguments' size as JSON, in bytes. */
  readonly inputBytes: number;
  /** The whole result's size as JSON, in bytes. */
  readonly outputBytes: number;
  /** Whether the model was shown less than the whole result. */
  readonly truncated: boolean;
};

/** What ends a receipt. */
export type ReceiptEnd =
  & Pick<Receipt, "executed" | "outputBytes" | "truncated">
  & { readonly outcome: Outcome }
  & Partial<Pick<Receipt, "abandoned" | "output" | "error" | "startedAt">>;

/** Keeps the receipts of one turn, in the order in which calls were made. */
export class ReceiptBook {
  readonly #receipts = new Map<string, Receipt>();

  /** Opens a receipt. */
  open(receipt: Receipt): Receipt {
    const opened = Object.freeze(receipt);
    this.#receipts.set(opened.id, opened);
    return opened;
  }

  /** Ends a receipt. A second end changes nothing and gives the first. */
  end(id: string, end: ReceiptEnd, now: number): Receipt | undefined {
    const receipt = this.#receipts.get(id);
    if (receipt === undefined || receipt.outcome !== undefined) return receipt;
    const ended = Object.freeze({ ...receipt, ...end, endedAt: now });
    this.#receipts.set(id, ended);
    return ended;
  }

  /** Every receipt, in the order in which the calls were made. */
  list(): Receipt[] {
    return [...this.#receipts.values()];
  }
}
