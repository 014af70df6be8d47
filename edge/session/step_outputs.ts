/**
 * The outputs of a step as documents of their own, where they are large. A step
 * is written again with each of its calls that ends, and would take along what
 * the others gave.
 *
 * @module
 */

import {
  type HistoryItem,
  type ToolOutput,
  withOutputs,
} from "../../src/history.ts";
import { isRecord, type Json } from "../../src/json.ts";
import { StoredStateInvalid } from "./stored_state.ts";

// Smaller ones are cheaper to write again than to read one by one.
const largeLength = 4096;

/** An item without its large outputs, and those by their calls' places. */
export type SplitItem = {
  readonly item: HistoryItem;
  readonly outputs: ReadonlyMap<number, ToolOutput>;
};

/** Takes the large outputs out of an item. */
export function splitOutputs(item: HistoryItem): SplitItem {
  const outputs = new Map<number, ToolOutput>();
  if (item.type !== "step") return { item, outputs };
  const small: ToolOutput[] = [];
  for (const output of item.outputs) {
    if (output.text.length < largeLength) small.push(output);
    else {
      const { callId } = output;
      outputs.set(item.calls.findIndex((it) => it.callId === callId), output);
    }
  }
  return outputs.size === 0
    ? { item, outputs }
    : { item: { ...item, outputs: small }, outputs };
}

/**
 * Gives an output back to the item that it was taken out of.
 *
 * @throws {StoredStateInvalid} The item takes no outputs.
 */
export function withOutput(item: Json | undefined, output: Json): Json {
  if (!isRecord(item) || !Array.isArray(item.outputs)) {
    throw new StoredStateInvalid("history");
  }
  return { ...item, outputs: [...item.outputs, output] };
}

/** An item with its outputs in the order of its calls. */
export function inOrder(item: HistoryItem): HistoryItem {
  return item.type === "step" ? withOutputs(item, []) : item;
}
