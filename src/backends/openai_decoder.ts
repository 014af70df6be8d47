/**
 * Reads the event stream of the OpenAI Responses wire.
 *
 * Servers differ in what they send: item ids that change between events,
 * arguments only in the last event, items only in the terminal one. So an item
 * is known by its place in the output, and later events outrank earlier ones:
 * the finished item, then `…arguments.done`, then the deltas.
 *
 * @module
 */

import type { JsonObject } from "../json.ts";
import { type Decoded, delta, noDeltas, type StepDecoder } from "./backend.ts";
import { countField, objectField, textField } from "./fields.ts";
import {
  callsOf,
  finish,
  messageText,
  settle,
  type Slot,
  type Terminal,
  toldApart,
} from "./openai_answer.ts";
import { readOpenaiError, unnamedError } from "./openai_error.ts";

/** A decoder for one step's stream. */
export function createOpenaiDecoder(
  declared: (name: string) => boolean,
): StepDecoder {
  const slots = new Map<string, Slot>();
  let terminal: Terminal | undefined;

  const find = (data: JsonObject): Slot | undefined => {
    const at = slots.get(placeOf(data));
    if (at !== undefined) return at;
    const id = textField(data, "item_id");
    return id === undefined
      ? undefined
      : [...slots.values()].find((slot) => slot.item.id === id);
  };

  const takeItem = (data: JsonObject, done: boolean): Decoded => {
    const item = objectField(data, "item");
    const key = placeOf(data);
    const known = slots.get(key);
    const slot: Slot = known ??
      { item, done, deltas: "", finalArguments: undefined, toldText: false };
    if (known === undefined || done) slot.item = item;
    slot.done ||= done;
    slots.set(key, slot);
    if (!done || item.type !== "message" || slot.toldText) return noDeltas;
    slot.toldText = true;
    return delta("text", messageText(item));
  };

  const takeDelta = (data: JsonObject): Decoded => {
    const slot = find(data);
    const text = textField(data, "delta") ?? "";
    if (slot !== undefined && !slot.done) slot.deltas += text;
    return noDeltas;
  };

  const takeText = (data: JsonObject): Decoded => {
    const slot = find(data);
    if (slot !== undefined) slot.toldText = true;
    return delta("text", data.delta);
  };

  const push = (type: string, data: JsonObject): Decoded => {
    if (terminal !== undefined) return noDeltas;
    switch (type) {
      case "response.output_item.added":
        return takeItem(data, false);
      case "response.output_item.done":
        return takeItem(data, true);
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return takeDelta(data);
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done": {
        const slot = find(data);
        if (slot !== undefined) {
          slot.finalArguments = textField(data, "arguments") ??
            textField(data, "input");
        }
        return noDeltas;
      }
      case "response.output_text.delta":
      case "response.refusal.delta":
        return takeText(data);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return delta("reasoning", data.delta);
      case "response.completed":
      case "response.incomplete":
        terminal = { type, response: objectField(data, "response") };
        return noDeltas;
      case "response.failed":
        return {
          tag: "error",
          error: readOpenaiError(objectField(data, "response")) ?? unnamedError,
        };
      case "error":
        return {
          tag: "error",
          error: readOpenaiError(data) ?? unnamedError,
        };
      default:
        return noDeltas;
    }
  };

  return {
    push,
    ended: () => terminal !== undefined,
    calls: () =>
      toldApart([...slots.values()].filter((slot) => slot.done))
        .flatMap((slot) => callsOf(slot, declared)),
    finish: () =>
      terminal === undefined
        ? undefined
        : finish(terminal, settle(slots, terminal), declared),
  };
}

function placeOf(data: JsonObject): string {
  const index = countField(data, "output_index");
  if (index !== undefined) return `#${index}`;
  return textField(data, "item_id") ??
    textField(objectField(data, "item"), "id") ?? "";
}
