/**
 * Makes a step's answer of what an OpenAI Responses stream held.
 *
 * @module
 */

import { noUsage, type Usage } from "../events.ts";
import { distinctCalls, type ToolCall } from "../history.ts";
import { isJsonObject, type JsonObject, parseBounded } from "../json.ts";
import type { StepOutput, StepStop } from "./backend.ts";
import { countField, objectField, objectsField, textField } from "./fields.ts";
import {
  argumentsOf,
  callIdOf,
  isCall,
  type OutputItems,
  type Slot,
} from "./openai_items.ts";
import { unwrapParallel } from "./parallel.ts";
import { OwnIds, withoutRepeats } from "./repeats.ts";

/** The event that ends the stream. */
export type Terminal = { readonly type: string; readonly response: JsonObject };

/** The output's items in order, each once. */
export function settle(items: OutputItems, terminal: Terminal): Slot[] {
  const final = objectsField(terminal.response, "output");
  const cut = terminal.type === "response.incomplete";
  return toldApart(items.settle(final, cut));
}

/** Each item once, each call under an id of its own. */
export function toldApart(slots: readonly Slot[]): Slot[] {
  const ids = new OwnIds();
  return withoutRepeats(slots, identityOf).map((slot) => {
    const { item } = slot;
    if (!isCall(item)) return slot;
    const call_id = ids.of(callIdOf(item));
    return item.call_id === call_id
      ? slot
      : { ...slot, item: { ...item, call_id } };
  });
}

function identityOf(slot: Slot): string | undefined {
  const { item } = slot;
  const id = isCall(item) ? callIdOf(item) : textField(item, "id");
  if (id === undefined || id === "") return undefined;
  return isCall(item)
    ? JSON.stringify([id, item.type, item.name, argumentsOf(slot)])
    : JSON.stringify(item);
}

/** The calls that an item holds. */
export function callsOf(
  slot: Slot,
  declared: (name: string) => boolean,
): ToolCall[] {
  const { item } = slot;
  if (!isCall(item)) return [];
  const callId = callIdOf(item);
  const text = argumentsOf(slot);
  return unwrapParallel({
    callId,
    answers: callId,
    tool: textField(item, "name") ?? "",
    // A freeform call holds text, not JSON.
    arguments: item.type === "custom_tool_call"
      ? JSON.stringify({ input: text })
      : text,
  }, declared);
}

/** The item for replay: as it came, but with arguments that are JSON. */
function replayed(slot: Slot): JsonObject {
  const { item } = slot;
  if (item.type !== "function_call") return item;
  const text = argumentsOf(slot);
  const parsed = parseBounded(text);
  const sound = parsed.tag === "parsed" && isJsonObject(parsed.value);
  return { ...item, arguments: sound ? text : "{}" };
}

/** The step's answer. */
export function finish(
  terminal: Terminal,
  slots: readonly Slot[],
  declared: (name: string) => boolean,
): StepOutput {
  const calls = distinctCalls(
    slots.flatMap((slot) => callsOf(slot, declared)),
  );
  const { response } = terminal;
  const reason = reasonOf(terminal);
  return {
    stop: stopOf(terminal.type, reason, slots, calls.length),
    providerStopReason: reason,
    items: dropDanglingReasoning(slots.map(replayed)),
    calls,
    text: textOf(slots.map((slot) => slot.item)),
    usage: usageOf(objectField(response, "usage")),
  };
}

function reasonOf({ type, response }: Terminal): string {
  const status = textField(response, "status") ?? "completed";
  if (type !== "response.incomplete" && status !== "incomplete") return status;
  const details = objectField(response, "incomplete_details");
  return textField(details, "reason") ?? "incomplete";
}

function stopOf(
  type: string,
  reason: string,
  slots: readonly Slot[],
  calls: number,
): StepStop {
  // Servers were seen to call an answer that they cut a completed one.
  if (type === "response.incomplete" || reason !== "completed") {
    if (reason === "content_filter") return "refused";
    return reason === "max_output_tokens" ? "truncated" : "other";
  }
  const refused = slots.some((slot) =>
    objectsField(slot.item, "content").some((part) => part.type === "refusal")
  );
  if (refused) return "refused";
  if (calls === 0) return "completed";
  return slots.some(isCutCall) ? "truncated" : "tool_calls";
}

/** A call whose arguments may not be all there. */
function isCutCall({ done, finalArguments, item }: Slot): boolean {
  return isCall(item) &&
    (item.status === "incomplete" || !done && finalArguments === undefined);
}

// The provider refuses a reasoning item that is not followed by what it led to,
// which happens where the answer was cut while the model still thought.
function dropDanglingReasoning(items: JsonObject[]): JsonObject[] {
  const last = items.findLastIndex((item) => item.type !== "reasoning");
  return items.slice(0, last + 1);
}

function textOf(items: readonly JsonObject[]): string {
  const messages = items.filter((item) => item.type === "message");
  const final = messages.filter((item) => item.phase === "final_answer");
  return (final.length > 0 ? final : messages).map(messageText)
    .filter((text) => text !== "").join("\n\n");
}

/** The text of a message item. */
export function messageText(item: JsonObject): string {
  return objectsField(item, "content").map((part) =>
    textField(part, "text") ?? textField(part, "refusal") ?? ""
  ).join("");
}

function usageOf(usage: JsonObject): Usage {
  return {
    ...noUsage,
    inputTokens: countField(usage, "input_tokens") ?? 0,
    outputTokens: countField(usage, "output_tokens") ?? 0,
    cachedInputTokens:
      countField(objectField(usage, "input_tokens_details"), "cached_tokens") ??
        0,
    reasoningTokens: countField(
      objectField(usage, "output_tokens_details"),
      "reasoning_tokens",
    ) ?? 0,
  };
}
