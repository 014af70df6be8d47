/**
 * The ends that a turn can have, as values.
 *
 * @module
 */

import type { StepOutput } from "./backends/backend.ts";
import type { BudgetMeter, Exhausted } from "./budget.ts";
import type { FailureSummary, StopReason, TurnEnd, Usage } from "./events.ts";
import { HostFailure } from "./failure.ts";
import type { StopCause } from "./stop.ts";

/** What a turn has so far. */
export type Progress = { step: number; text: string; usage: Usage };

/** The model ended the turn. */
export function modelEnd(
  { step, text, usage }: Progress,
  { providerStopReason }: StepOutput,
  stopReason: StopReason,
): TurnEnd {
  return {
    stopReason,
    ...(providerStopReason === undefined ? {} : { providerStopReason }),
    text,
    usage,
    steps: step,
  };
}

/** A budget ended the turn. */
export function budgetEnd(
  { step, text, usage }: Progress,
  exhausted: Exhausted,
): TurnEnd {
  return { stopReason: "budget", exhausted, text, usage, steps: step };
}

/** The turn was stopped. */
export function stoppedEnd(
  meter: BudgetMeter,
  progress: Progress,
  cause: StopCause,
): TurnEnd {
  if (cause.tag === "turn_time") {
    return budgetEnd(progress, meter.turnTimeSpent());
  }
  const cancelReason = cause.tag === "cancelled" || cause.tag === "interrupted"
    ? cause.reason
    : "stopped";
  const { step, text, usage } = progress;
  return { stopReason: "cancelled", cancelReason, text, usage, steps: step };
}

/** The provider failed. */
export function failedEnd(
  { step, text, usage }: Progress,
  error: unknown,
): TurnEnd {
  return {
    stopReason: "failed",
    text,
    usage,
    steps: step,
    failure: summarize(error),
  };
}

function summarize(error: unknown): FailureSummary {
  if (!(error instanceof HostFailure)) {
    return {
      kind: "backend",
      message: "The turn failed for a reason that it does not know",
      retryable: false,
    };
  }
  const { kind, message, code, status, requestId, retryable, retryAfterMs } =
    error;
  return {
    kind,
    message,
    retryable,
    ...(code === undefined ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
