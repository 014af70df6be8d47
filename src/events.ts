/**
 * The events of a turn, and the log that hands them to any number of readers.
 *
 * @module
 */

import type { Exhausted } from "./budget.ts";
import type { HostFailureKind } from "./failure.ts";
import type { Receipt } from "./receipt.ts";

/**
 * Why a turn ended.
 *
 * - `completed`: the model gave its answer.
 * - `truncated`: the answer reached the model's output or context limit.
 * - `refused`: the model or its provider refused to answer.
 * - `budget`: a budget of the turn ran out.
 * - `cancelled`: `turn.cancel()`, the prompt's signal, or `agent.close()`.
 * - `failed`: the provider failed; `turn.result()` rejects with the failure.
 * - `other`: the provider gave a reason that this version does not know.
 */
export type StopReason =
  | "completed"
  | "truncated"
  | "refused"
  | "budget"
  | "cancelled"
  | "failed"
  | "other";

/** Every {@link StopReason}. */
export const stopReasons: readonly StopReason[] = [
  "completed",
  "truncated",
  "refused",
  "budget",
  "cancelled",
  "failed",
  "other",
];

/** Tokens, as the provider counted them. */
export type Usage = {
  /** Tokens read, cached ones included. */
  readonly inputTokens: number;
  /** Tokens read from the provider's cache. */
  readonly cachedInputTokens: number;
  /** Tokens written, reasoning included. */
  readonly outputTokens: number;
  /** Tokens written as reasoning, where the provider says. */
  readonly reasoningTokens: number;
};

/** No tokens. */
export const noUsage: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

/** The sum of two usages. */
export function addUsage(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  };
}

/** A failure as an event carries it: what `HostFailure` tells, as JSON. */
export type FailureSummary = {
  /** Which sort of failure it is. */
  readonly kind: HostFailureKind;
  /** What happened, and what to do. */
  readonly message: string;
  /** The provider's own error code or type. */
  readonly code?: string;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** The provider's id of the request. */
  readonly requestId?: string;
  /** Whether the same prompt may succeed later. */
  readonly retryable: boolean;
  /** How long the provider advised to wait, in milliseconds. */
  readonly retryAfterMs?: number;
};

/** How a turn ended. */
export type TurnEnd = {
  /** Why the turn ended. */
  readonly stopReason: StopReason;
  /** The provider's own word for it, where there was one. */
  readonly providerStopReason?: string;
  /** The text of the last step. */
  readonly text: string;
  /** Tokens of all steps. */
  readonly usage: Usage;
  /** Steps taken. */
  readonly steps: number;
  /** What ran out, for `budget`. */
  readonly exhausted?: Exhausted;
  /** Why, for `cancelled`. */
  readonly cancelReason?: string;
  /** What failed, for `failed`. */
  readonly failure?: FailureSummary;
};

/**
 * What happens in a turn. All plain JSON; exactly one `end`, as the last. Steps
 * count from 1, `at` is in milliseconds since 1970.
 *
 * - `step_started`, `step_finished`: around one model round trip; the calls that
 *   it asked for start after it has finished.
 * - `text`, `reasoning`: the next piece of what the model writes, as it streams.
 * - `retry`: try number `attempt` of a step's request failed before its first
 *   event; the next one comes after `delayMs` milliseconds.
 * - `tool_started`, `tool_finished`: a call's receipt, opened and ended.
 * - `end`: how the turn ended.
 */
export type TurnEvent =
  | {
    readonly type: "step_started";
    readonly turnId: string;
    readonly step: number;
    readonly at: number;
  }
  | {
    readonly type: "text";
    readonly turnId: string;
    readonly step: number;
    readonly delta: string;
  }
  | {
    readonly type: "reasoning";
    readonly turnId: string;
    readonly step: number;
    readonly delta: string;
  }
  | {
    readonly type: "retry";
    readonly turnId: string;
    readonly step: number;
    readonly attempt: number;
    readonly delayMs: number;
    readonly message: string;
  }
  | {
    readonly type: "tool_started";
    readonly turnId: string;
    readonly receipt: Receipt;
  }
  | {
    readonly type: "tool_finished";
    readonly turnId: string;
    readonly receipt: Receipt;
  }
  | {
    readonly type: "step_finished";
    readonly turnId: string;
    readonly step: number;
    readonly at: number;
    readonly stopReason: string;
    readonly usage: Usage;
    readonly calls: number;
  }
  | (
    & { readonly type: "end"; readonly turnId: string; readonly at: number }
    & TurnEnd
  );

/**
 * Every event of one turn, kept, so that a reader who comes late or comes back
 * reads them all from the first.
 */
export class EventLog {
  readonly #events: TurnEvent[] = [];
  #wake: (() => void)[] = [];
  #closed = false;

  /** Adds an event. After the end, nothing is added. */
  push(event: TurnEvent): void {
    if (this.#closed) return;
    this.#events.push(event);
    if (event.type === "end") this.#closed = true;
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }

  /** Reads every event from the first to the end. */
  async *read(): AsyncGenerator<TurnEvent, void, undefined> {
    for (let index = 0;; index++) {
      while (index >= this.#events.length) {
        if (this.#closed) return;
        await new Promise<void>((resolve) => this.#wake.push(resolve));
      }
      const event = this.#events[index];
      if (event !== undefined) yield event;
    }
  }
}
