/**
 * What the readers of a turn were told so far, in short: what must be known to end
 * a turn that nobody runs any more.
 *
 * @module
 */

import { addUsage, noUsage, type Usage } from "../../src/events.ts";
import { isRecord } from "../../src/json.ts";
import type { NumberedEvent } from "./batches.ts";

/** What was told of a turn. */
export type Told = {
  /** The number of the last event, or 0. */
  readonly last: number;
  /** How many steps began. */
  readonly steps: number;
  /** Tokens of the steps that ended. */
  readonly usage: Usage;
  /** What the last step said; of the one before, where it had not begun to. */
  readonly text: string;
  /** Ids of the receipts that were told as opened, and as ended. */
  readonly started: ReadonlySet<string>;
  readonly finished: ReadonlySet<string>;
};

/** Sums up events that come in their order. */
export async function toldBy(
  events: AsyncIterable<NumberedEvent>,
): Promise<Told> {
  const started = new Set<string>();
  const finished = new Set<string>();
  let [last, steps] = [0, 0];
  let usage = noUsage;
  let text = "";
  /** The step that said the text. */
  let saidBy: unknown;
  const isNext = (step: unknown) => {
    if (step === saidBy) return;
    saidBy = step;
    text = "";
  };
  for await (const { number, type, event } of events) {
    last = number;
    switch (type) {
      case "step_started":
        steps++;
        break;
      case "text":
        isNext(event.step);
        if (typeof event.delta === "string") text += event.delta;
        break;
      case "step_finished":
        isNext(event.step);
        usage = addUsage(usage, usageOf(event.usage));
        break;
      case "tool_started":
        started.add(receiptId(event.receipt));
        break;
      case "tool_finished":
        finished.add(receiptId(event.receipt));
        break;
    }
  }
  return { last, steps, usage, text, started, finished };
}

function receiptId(receipt: unknown): string {
  return isRecord(receipt) && typeof receipt.id === "string" ? receipt.id : "";
}

function usageOf(value: unknown): Usage {
  if (!isRecord(value)) return noUsage;
  const count = (tokens: unknown) =>
    typeof tokens === "number" && tokens >= 0 ? tokens : 0;
  return {
    inputTokens: count(value.inputTokens),
    cachedInputTokens: count(value.cachedInputTokens),
    outputTokens: count(value.outputTokens),
    reasoningTokens: count(value.reasoningTokens),
  };
}
