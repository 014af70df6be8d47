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
import { unwrapParallel } from "./parallel.ts";
import { ownId, withoutRepeats } from "./repeats.ts";

/** One item of the output, as far as the stream has told. */
export type Slot = {
  item: JsonObject;
  done: boolean;
  deltas: string;
  finalArguments: string | undefined;
  toldText: boolean;
};

/** The event that ends the stream. */
export type Terminal = { readonly type: string; readonly response: JsonObject };

const callTypes: ReadonlySet<unknown> = new Set([
  "function_call",
  "custom_tool_call",
]);

/**
 * The output's items in order. An item that never finished counts only where
 * the answer was cut, or the terminal event holds it.
 */
export function settle(slots: Map<string, Slot>, terminal: Terminal): Slot[] {
  return toldApart(settleAll(slots, terminal));
}

/** Each item once, each call under an id of its own. */
export function toldApart(slots: readonly Slot[]): Slot[] {
  const taken = new Set<string>();
  return withoutRepeats(slots, identityOf).map((slot) => {
    const { item } = slot;
    if (!callTypes.has(item.type)) return slot;
    const call_id = ownId(callIdOf(item), taken);
    return item.call_id === call_id
      ? slot
      : { ...slot, item: { ...item, call_id } };
  });
}

function identityOf(slot: Slot): string | undefined {
  const { item } = slot;
  const isCall = callTypes.has(item.type);
  const id = isCall ? callIdOf(item) : textField(item, "id");
  if (id === undefined || id === "") return undefined;
  return isCall
    ? JSON.stringify([id, item.type, item.name, argumentsOf(slot)])
    : JSON.stringify(item);
}

function settleAll(slots: Map<string, Slot>, terminal: Terminal): Slot[] {
  const final = objectsField(terminal.response, "output");
  const cut = terminal.type === "response.incomplete";
  if (slots.size === 0) return final.map(finished);
  const ordered = [...slots].sort(([one], [other]) =>
    order(one) - order(other)
  );
  return ordered.flatMap(([key, slot]) => {
    if (slot.done) return [slot];
    const item = final[order(key)];
    if (item !== undefined && item.type === slot.item.type) {
      const told = ownArguments(item) || slot.finalArguments;
      return [{ ...slot, item, finalArguments: told }];
    }
    return cut ? [slot] : [];
  });
}

function finished(item: JsonObject): Slot {
  return {
    item,
    done: true,
    deltas: "",
    finalArguments: undefined,
    toldText: true,
  };
}

function order(key: string): number {
  return key.startsWith("#") ? Number(key.slice(1)) : Number.MAX_SAFE_INTEGER;
}

/** The calls that an item holds. */
export function callsOf(
  slot: Slot,
  declared: (name: string) => boolean,
): ToolCall[] {
  const { item } = slot;
  if (!callTypes.has(item.type)) return [];
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

function callIdOf(item: JsonObject): string {
  return textField(item, "call_id") ?? textField(item, "id") ?? "";
}

function ownArguments(item: JsonObject): string | undefined {
  return textField(
    item,
    item.type === "custom_tool_call" ? "input" : "arguments",
  );
}

function argumentsOf(slot: Slot): string {
  const own = ownArguments(slot.item);
  if (slot.done && own !== undefined) return own;
  return slot.finalArguments ?? (slot.deltas || (own ?? ""));
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
  const reason = terminal.type === "response.incomplete"
    ? textField(objectField(response, "incomplete_details"), "reason") ??
      "incomplete"
    : textField(response, "status") ?? "completed";
  return {
    stop: stopOf(terminal.type, reason, slots, calls.length),
    providerStopReason: reason,
    items: dropDanglingReasoning(slots.map(replayed)),
    calls,
    text: textOf(slots.map((slot) => slot.item)),
    usage: usageOf(objectField(response, "usage")),
  };
}

function stopOf(
  type: string,
  reason: string,
  slots: readonly Slot[],
  calls: number,
): StepStop {
  if (type === "response.incomplete") {
    if (reason === "content_filter") return "refused";
    return reason === "max_output_tokens" ? "truncated" : "other";
  }
  const refused = slots.some((slot) =>
    objectsField(slot.item, "content").some((part) => part.type === "refusal")
  );
  if (refused) return "refused";
  return calls > 0 ? "tool_calls" : "completed";
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
