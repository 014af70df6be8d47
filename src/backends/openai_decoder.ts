/**
 * Reads the event stream of the OpenAI Responses wire.
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
import { objectField, textField } from "./fields.ts";
import {
  callsOf,
  finish,
  messageText,
  settle,
  type Terminal,
  toldApart,
} from "./openai_answer.ts";
import { OutputItems, type Slot } from "./openai_items.ts";
import { readOpenaiError } from "./openai_error.ts";

/** A decoder for one step's stream. */
export function createOpenaiDecoder(
  declared: (name: string) => boolean,
): StepDecoder {
  return new OpenaiDecoder(declared);
}

class OpenaiDecoder implements StepDecoder {
  readonly #declared: (name: string) => boolean;
  readonly #items = new OutputItems();
  #terminal: Terminal | undefined;
  /** The items, once the terminal event is there. */
  #settled: Slot[] = [];
  /** Text that came for no known item. */
  #looseText = "";

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
        return this.#takeTerminal({
          type,
          response: objectField(data, "response"),
        });
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
    const done = this.#items.all.filter((slot) => slot.done);
    return toldApart(done).flatMap((slot) => callsOf(slot, this.#declared));
  }

  finish(): StepOutput | undefined {
    const terminal = this.#terminal;
    return terminal === undefined
      ? undefined
      : finish(terminal, this.#settled, this.#declared);
  }

  #takeItem(data: JsonObject, done: boolean): Decoded {
    const slot = this.#items.take(data, done);
    return done ? this.#tellText(slot) : noDeltas;
  }

  #takeDelta(data: JsonObject): Decoded {
    const slot = this.#items.find(data);
    const text = textField(data, "delta") ?? "";
    if (slot !== undefined && !slot.done) slot.deltas += text;
    return noDeltas;
  }

  #takeArguments(data: JsonObject): Decoded {
    const slot = this.#items.find(data);
    if (slot !== undefined) {
      slot.finalArguments = textField(data, "arguments") ??
        textField(data, "input");
    }
    return noDeltas;
  }

  #takeText(data: JsonObject): Decoded {
    const slot = this.#items.find(data);
    if (slot !== undefined) slot.toldText = true;
    else this.#looseText += textField(data, "delta") ?? "";
    return delta("text", data.delta);
  }

  #takeTerminal(terminal: Terminal): Decoded {
    this.#terminal = terminal;
    this.#settled = settle(this.#items, terminal);
    const deltas = this.#settled.flatMap((slot) => {
      const told = this.#tellText(slot);
      return told.tag === "deltas" ? told.deltas : [];
    });
    return { tag: "deltas", deltas };
  }

  /** The text of a message that no event has told yet. */
  #tellText(slot: Slot): Decoded {
    if (slot.item.type !== "message" || slot.toldText) return noDeltas;
    slot.toldText = true;
    const text = messageText(slot.item);
    if (!this.#looseText.startsWith(text)) return delta("text", text);
    this.#looseText = this.#looseText.slice(text.length);
    return noDeltas;
  }
}

function failed(data: JsonObject): Decoded {
  return { tag: "error", error: readOpenaiError(data) ?? unnamedError };
}
