/**
 * The conversation of one agent, as it grows.
 *
 * @module
 */

import {
  type HistoryItem,
  isAnswered,
  openCalls,
  type StepItem,
  type ToolCall,
  type ToolOutput,
  withOutputs,
} from "./history.ts";

/** A history that can be added to, and taken back to an earlier length. */
export class Conversation {
  #items: HistoryItem[];

  /** @param items What was said before. */
  constructor(items: readonly HistoryItem[] = []) {
    this.#items = [...items];
  }

  /** What was said, in order. */
  get items(): readonly HistoryItem[] {
    return this.#items;
  }

  /** Adds an item. */
  push(item: HistoryItem): void {
    this.#items.push(item);
  }

  /** Takes back everything after the first `length` items. */
  truncate(length: number): void {
    this.#items.length = Math.min(this.#items.length, length);
  }

  /** The last step, where its calls are not all answered. */
  unanswered(): StepItem | undefined {
    const last = this.#items.at(-1);
    return last?.type === "step" && !isAnswered(last) ? last : undefined;
  }

  /** The calls that still need an output. */
  openCalls(): ToolCall[] {
    const step = this.unanswered();
    return step === undefined ? [] : openCalls(step);
  }

  /** Answers calls of the last step. Outputs stand in the order of the calls. */
  answer(outputs: readonly ToolOutput[]): void {
    const step = this.unanswered();
    if (step === undefined) return;
    this.#items[this.#items.length - 1] = withOutputs(step, outputs);
  }
}
