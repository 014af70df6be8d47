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

import type { ToolCall } from "../history.ts";
import type { JsonObject } from "../json.ts";
import {
  type Decoded,
  delta,
  noDeltas,
  type StepDecoder,
  type StepOutput,
  unnamedError,
} from "./backend.ts";
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
import { readOpenaiError } from "./openai_error.ts";

/** A decoder for one step's stream. */
export function createOpenaiDecoder(
  declared: (name: string) => boolean,
): StepDecoder {
  return new OpenaiDecoder(declared);
}

class OpenaiDecoder implements StepDecoder {
  readonly #declared: (name: string) => boolean;
  readonly #slots = new Map<string, Slot>();
  #terminal: Terminal | undefined;

  constructor(declared: (name: string) => boolean) {
    this.#declared = declared;
  }

  push(type: string, data: JsonObject): Decoded {
    if (this.#terminal !== undefined) return noDeltas;
    switch (type) {
      case "response.output_item.added":
        return this.#takeItem(data, false);
      case "response.output_item.done":
        return this.#takeItem(data, true);
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return this.#takeDelta(data);
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done":
        return this.#takeArguments(data);
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#takeText(data);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return delta("reasoning", data.delta);
      case "response.completed":
      case "response.incomplete":
        this.#terminal = { type, response: objectField(data, "response") };
        return noDeltas;
      case "response.failed":
        return failed(objectField(data, "response"));
      case "error":
        return failed(data);
      default:
        return noDeltas;
    }
  }

  ended(): boolean {
    return this.#terminal !== undefined;
  }

  calls(): ToolCall[] {
    const done = [...this.#slots.values()].filter((slot) => slot.done);
    return toldApart(done).flatMap((slot) => callsOf(slot, this.#declared));
  }

  finish(): StepOutput | undefined {
    const terminal = this.#terminal;
    return terminal === undefined
      ? undefined
      : finish(terminal, settle(this.#slots, terminal), this.#declared);
  }

  #find(data: JsonObject): Slot | undefined {
    const at = this.#slots.get(placeOf(data));
    if (at !== undefined) return at;
    const id = textField(data, "item_id");
    return id === undefined
      ? undefined
      : [...this.#slots.values()].find((slot) => slot.item.id === id);
  }

  #takeItem(data: JsonObject, done: boolean): Decoded {
    const item = objectField(data, "item");
    const key = placeOf(data);
    const known = this.#slots.get(key);
    const slot: Slot = known ??
      { item, done, deltas: "", finalArguments: undefined, toldText: false };
    if (known === undefined || done) slot.item = item;
    slot.done ||= done;
    this.#slots.set(key, slot);
    if (!done || item.type !== "message" || slot.toldText) return noDeltas;
    slot.toldText = true;
    return delta("text", messageText(item));
  }

  #takeDelta(data: JsonObject): Decoded {
    const slot = this.#find(data);
    const text = textField(data, "delta") ?? "";
    if (slot !== undefined && !slot.done) slot.deltas += text;
    return noDeltas;
  }

  #takeArguments(data: JsonObject): Decoded {
    const slot = this.#find(data);
    if (slot !== undefined) {
      slot.finalArguments = textField(data, "arguments") ??
        textField(data, "input");
    }
    return noDeltas;
  }

  #takeText(data: JsonObject): Decoded {
    const slot = this.#find(data);
    if (slot !== undefined) slot.toldText = true;
    return delta("text", data.delta);
  }
}

function failed(data: JsonObject): Decoded {
  return { tag: "error", error: readOpenaiError(data) ?? unnamedError };
}

function placeOf(data: JsonObject): string {
  const index = countField(data, "output_index");
  if (index !== undefined) return `#${index}`;
  return textField(data, "item_id") ??
    textField(objectField(data, "item"), "id") ?? "";
}
