/**
 * What the model is told of a program: what it returned and wrote, or why it
 * failed, on which line, and what it had already done.
 *
 * Before it on the path: `cell_result.ts`. After it: `call_end.ts`.
 *
 * @module
 */

import type { Json } from "../json.ts";
import type { Outcome, ToolErrorCode } from "../receipt.ts";
import { shorten } from "../text.ts";
import { ToolFailure } from "../tools/function_tool.ts";
import type { CallLog } from "./call_log.ts";
import type { CellError, CellErrorKind, CellResult } from "./cell.ts";
import type { SourceResult } from "./source.ts";

/** What is known of a program at its end. */
export type ProgramEnd = {
  readonly result: CellResult;
  readonly log: CallLog;
  /** What else the model should know. */
  readonly notes: readonly string[];
  /** The program as the model wrote it. */
  readonly code: string;
};

/** What a program gave; throws a {@link ToolFailure} where it failed. */
export function resultOf(end: ProgramEnd): Json {
  const { result, notes } = end;
  if (result.error !== undefined) throw failure(end, result.error);
  const value: Json = result.value === undefined
    ? null
    : JSON.parse(result.value);
  return {
    result: value,
    ...(result.text === ""
      ? {}
      : { text: capped(result.text, result.textTruncated) }),
    ...(result.console === ""
      ? {}
      : { console: capped(result.console, result.consoleTruncated) }),
    ...(notes.length === 0 ? {} : { notes: [...notes] }),
  };
}

function capped(text: string, truncated: boolean): string {
  return truncated ? `${text}\n[truncated]` : text;
}

type Kind = { readonly code: ToolErrorCode; readonly outcome: Outcome };

const kinds: Readonly<Record<CellErrorKind, Kind>> = {
  source: { code: "code_invalid", outcome: "rejected" },
  syntax: { code: "code_invalid", outcome: "rejected" },
  thrown: { code: "code_failed", outcome: "failed" },
  encoding: { code: "code_failed", outcome: "failed" },
  deadlock: { code: "code_failed", outcome: "failed" },
  stack: { code: "code_failed", outcome: "failed" },
  engine: { code: "code_failed", outcome: "failed" },
  calls: { code: "budget_spent", outcome: "failed" },
  output: { code: "budget_spent", outcome: "failed" },
  memory: { code: "budget_spent", outcome: "failed" },
  fuel: { code: "budget_spent", outcome: "failed" },
  wait: { code: "timed_out", outcome: "timed_out" },
  cancelled: { code: "cancelled", outcome: "cancelled" },
};

// Enough for a model to go on with, and small beside what a call may show.
const shownCharacters = 1500;

function failure(
  { result, log, notes, code }: ProgramEnd,
  error: CellError,
): ToolFailure {
  const { code: errorCode, outcome } = kinds[error.kind];
  const parts = [
    error.message === "" ? error.name : error.message,
    error.line === undefined ? "" : at(code, error.line, error.message),
    result.text === "" ? "" : `Text so far:\n${shown(result.text)}`,
    result.console === "" ? "" : `Console so far:\n${shown(result.console)}`,
    log.describe(),
    ...notes,
  ].filter((part) => part !== "");
  return new ToolFailure({
    name: error.name,
    code: errorCode,
    message: parts.join("\n").toWellFormed(),
    retryable: error.kind === "engine" || error.kind === "syntax",
  }, { outcome, executed: outcome !== "rejected" });
}

/** The engine places these at the call before, on a line of its own or earlier. */
const PLACED_EARLY =
  /^Cannot convert undefined or null to object$|'Symbol\.iterator' of (?:undefined|null)$/;

/** The place in the model's own text. */
function at(code: string, line: number, message: string): string {
  const text = code.split(/\r\n?|\n/)[line - 1];
  const shown = text === undefined ? "" : `: ${shorten(text.trim(), 120)}`;
  return PLACED_EARLY.test(message)
    ? `at or after line ${line}${shown} (where undefined or null is taken apart)`
    : `at line ${line}${shown}`;
}

function shown(text: string): string {
  return text.length <= shownCharacters
    ? text
    : `…${text.slice(-shownCharacters)}`;
}

/** The failure of a text that is no program. */
export function sourceFailure(
  { message, line }: Extract<SourceResult, { tag: "refused" }>,
): ToolFailure {
  return new ToolFailure({
    name: "SyntaxError",
    code: "code_invalid",
    message: line === undefined || message.includes(`line ${line}`)
      ? message
      : `${message} (line ${line})`,
    retryable: true,
  }, { outcome: "rejected", executed: false });
}
