/**
 * The end of a turn as text: why it ended, and what it used.
 *
 * @module
 */

import type { Budget } from "../budget.ts";
import type { TurnEnd } from "../events.ts";
import { shorten } from "../text.ts";

/** What a turn used, beside what its end says. */
export type Used = {
  /** From the first step to the end, in milliseconds. */
  readonly wallMs: number;
  /** Calls of the host's tools that ran. */
  readonly calls: number;
  /** The limits, as far as they are to be told. */
  readonly budget: Partial<Budget>;
};

/** Why the turn ended and what it used, in one line. */
export function endText(end: TurnEnd, { wallMs, calls, budget }: Used): string {
  const time = budget.turnMs === undefined
    ? duration(wallMs)
    : `${duration(wallMs)} of ${duration(budget.turnMs)}`;
  const { inputTokens, cachedInputTokens, outputTokens } = end.usage;
  const cached = cachedInputTokens > 0 ? ` (${cachedInputTokens} cached)` : "";
  const used = [
    counted(end.steps, budget.steps, "step"),
    counted(calls, budget.calls, "call"),
    `${inputTokens} tokens in${cached}`,
    `${outputTokens} out`,
  ];
  return `${why(end)} after ${time}: ${used.join(", ")}`;
}

function counted(count: number, limit: number | undefined, noun: string) {
  const of = limit === undefined ? "" : ` of ${limit}`;
  return `${count}${of} ${noun}${(limit ?? count) === 1 ? "" : "s"}`;
}

function why(end: TurnEnd): string {
  switch (end.stopReason) {
    case "completed":
      return "Completed";
    case "truncated":
      return `Truncated${inBrackets(end.providerStopReason)}`;
    case "refused":
      return `Refused${inBrackets(end.providerStopReason)}`;
    case "budget":
      return `Stopped${inBrackets(spent(end))}`;
    case "cancelled":
      return `Cancelled${inBrackets(end.cancelReason)}`;
    case "failed":
      return `Failed${inBrackets(failure(end))}`;
    case "other":
      return `Ended${inBrackets(end.providerStopReason)}`;
  }
}

function spent({ exhausted }: TurnEnd): string | undefined {
  if (exhausted === undefined) return undefined;
  const { budget, used, limit } = exhausted;
  return `budget ${budget}: ${used} of ${limit} used`;
}

function failure({ failure }: TurnEnd): string | undefined {
  if (failure === undefined) return undefined;
  const { kind, status, code, message } = failure;
  const which = [kind, status, code].filter((part) => part !== undefined);
  return `${which.join(" ")}: ${message}`;
}

function inBrackets(text: string | undefined): string {
  return text === undefined ? "" : ` (${shorten(text, 300)})`;
}

/** A time as people say it: `41 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const tenths = Math.floor(ms / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.floor(ms / 1_000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}
