/**
 * Reads the event stream of the Anthropic Messages wire
 * (https://platform.claude.com/docs/en/build-with-claude/streaming).
 *
 * Blocks are kept as they come, of whatever type, and replayed in order:
 * thinking with its signature, server tools with their results.
 *
 * @module
 */

import { noUsage, type Usage } from "../events.ts";
import type { ToolCall } from "../history.ts";
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseBounded,
} from "../json.ts";
import { readAnthropicError } from "./anthropic_error.ts";
import {
  type Decoded,
  delta,
  noDeltas,
  type StepDecoder,
  type StepOutput,
  type StepStop,
  unnamedError,
} from "./backend.ts";
import { countField, objectField, textField } from "./fields.ts";
import { OwnIds, withoutRepeats } from "./repeats.ts";

type Block = {
  readonly index: number;
  value: JsonObject;
  input: string;
  closed: boolean;
};

const stops: ReadonlyMap<string | undefined, StepStop> = new Map([
  ["end_turn", "completed"],
  ["stop_sequence", "completed"],
  ["tool_use", "tool_calls"],
  ["max_tokens", "truncated"],
  ["model_context_window_exceeded", "truncated"],
  ["refusal", "refused"],
  ["pause_turn", "paused"],
]);

/** A decoder for one step's stream. */
export function createAnthropicDecoder(): StepDecoder {
  return new AnthropicDecoder();
}

class AnthropicDecoder implements StepDecoder {
  readonly #blocks = new Blocks();
  #stopReason: string | undefined;
  #usage = noUsage;
  #stopped = false;

  push(type: string, data: JsonObject): Decoded {
    if (this.#stopped) return noDeltas;
    switch (type) {
      case "message_start":
        this.#addUsage(objectField(data, "message"));
        return noDeltas;
      case "content_block_start":
        return this.#blocks.start(data);
      case "content_block_delta":
        return addToBlock(this.#blocks.at(data), data);
      case "content_block_stop":
        return endBlock(this.#blocks.at(data));
      case "message_delta":
        this.#stopReason =
          textField(objectField(data, "delta"), "stop_reason") ??
            this.#stopReason;
        this.#addUsage(data);
        return noDeltas;
      case "message_stop":
        this.#stopped = true;
        return noDeltas;
      case "error":
        return {
          tag: "error",
          error: readAnthropicError(data) ?? unnamedError,
        };
      default:
        return noDeltas;
    }
  }

  ended(): boolean {
    return this.#stopped;
  }

  calls(): ToolCall[] {
    return this.#blocks.ordered().filter(({ closed }) => closed).flatMap(
      callOf,
    );
  }

  finish(): StepOutput | undefined {
    if (!this.#stopped) return undefined;
    const all = this.#blocks.ordered();
    return {
      stop: stopOf(this.#stopReason, all),
      providerStopReason: this.#stopReason,
      items: all.flatMap(replayed),
      calls: all.flatMap(callOf),
      text: all.map(textOf).join(""),
      usage: this.#usage,
    };
  }

  #addUsage(data: JsonObject): void {
    this.#usage = readUsage(objectField(data, "usage"), this.#usage);
  }
}

/** The blocks of an answer. */
class Blocks {
  readonly #all: Block[] = [];
  /** The newest of each index: some servers give every block the same. */
  readonly #newest = new Map<number, Block>();

  /** The block that an event is about. */
  at(data: JsonObject): Block | undefined {
    return this.#newest.get(countField(data, "index") ?? -1);
  }

  start(data: JsonObject): Decoded {
    const index = countField(data, "index");
    if (index === undefined || this.at(data)?.closed === false) return noDeltas;
    const value = { ...objectField(data, "content_block") };
    const block = { index, value, input: "", closed: false };
    this.#all.push(block);
    this.#newest.set(index, block);
    if (value.type === "text") return delta("text", value.text);
    return value.type === "thinking"
      ? delta("reasoning", value.thinking)
      : noDeltas;
  }

  /** The blocks in order, each once, each call under an id of its own. */
  ordered(): Block[] {
    const all = this.#all.toSorted((one, other) => one.index - other.index);
    const ids = new OwnIds();
    return withoutRepeats(all, identityOf).map((block) => {
      const { value } = block;
      if (value.type !== "tool_use") return block;
      const id = ids.of(textField(value, "id") ?? "");
      return id === value.id ? block : { ...block, value: { ...value, id } };
    });
  }
}

function endBlock(block: Block | undefined): Decoded {
  if (block !== undefined) block.closed = true;
  return noDeltas;
}

function addToBlock(block: Block | undefined, data: JsonObject): Decoded {
  if (block === undefined || block.closed) return noDeltas;
  const change = objectField(data, "delta");
  const { value } = block;
  switch (change.type) {
    case "text_delta":
      value.text = joined(value.text, change.text);
      return delta("text", change.text);
    case "thinking_delta":
      value.thinking = joined(value.thinking, change.thinking);
      return delta("reasoning", change.thinking);
    case "signature_delta":
      value.signature = joined(value.signature, change.signature);
      return noDeltas;
    case "input_json_delta":
      block.input += textField(change, "partial_json") ?? "";
      return noDeltas;
    case "citations_delta": {
      if (!Array.isArray(value.citations)) value.citations = [];
      value.citations.push(change.citation ?? null);
      return noDeltas;
    }
    default:
      return noDeltas;
  }
}

function joined(text: Json | undefined, more: Json | undefined): string {
  return (typeof text === "string" ? text : "") +
    (typeof more === "string" ? more : "");
}

/** What a block with an id is known by. */
function identityOf(block: Block): string | undefined {
  const { id, type, name } = block.value;
  return typeof id === "string" && id !== ""
    ? JSON.stringify([id, type, name, inputText(block)])
    : undefined;
}

/** The arguments as text: streamed in parts, or whole in the block's start. */
function inputText({ value, input }: Block): string {
  if (input !== "") return input;
  const whole = objectField(value, "input");
  return Object.keys(whole).length > 0 ? JSON.stringify(whole) : "";
}

function callOf(block: Block): ToolCall[] {
  if (block.value.type !== "tool_use") return [];
  const callId = textField(block.value, "id") ?? "";
  return [{
    callId,
    answers: callId,
    tool: textField(block.value, "name") ?? "",
    arguments: inputText(block),
  }];
}

/**
 * The block for replay. The wire refuses blank text, thinking that was cut
 * before its signature, and an input that is no object.
 */
function replayed(block: Block): JsonObject[] {
  const { value } = block;
  switch (value.type) {
    case "text":
      return joined(value.text, "").trim() === "" ? [] : [value];
    case "thinking":
      return typeof value.signature === "string" && value.signature !== ""
        ? [value]
        : [];
    case "tool_use":
    case "server_tool_use":
      return [{ ...value, input: inputObject(block) }];
    default:
      return [value];
  }
}

function inputObject(block: Block): JsonObject {
  const parsed = parseBounded(inputText(block) || "{}");
  return parsed.tag === "parsed" && isJsonObject(parsed.value)
    ? parsed.value
    : {};
}

function textOf({ value }: Block): string {
  return value.type === "text" ? joined(value.text, "") : "";
}

/** What the stop reason means for an answer with these blocks. */
function stopOf(
  reason: string | undefined,
  blocks: readonly Block[],
): StepStop {
  const stop = stops.get(reason) ?? "other";
  const calls = blocks.filter(({ value }) => value.type === "tool_use");
  if (stop !== "tool_calls" && stop !== "completed") return stop;
  // Servers that speak this wire were seen to name an answer that they cut a
  // finished one, one with calls an end of the turn, and one without a stop for
  // calls, after which there is nothing to answer.
  if (calls.length === 0) return "completed";
  return calls.every(({ closed }) => closed) ? "tool_calls" : "truncated";
}

function readUsage(usage: JsonObject, known: Usage): Usage {
  const fresh = countField(usage, "input_tokens");
  const cached = countField(usage, "cache_read_input_tokens") ?? 0;
  const written = countField(usage, "cache_creation_input_tokens") ?? 0;
  return {
    inputTokens: fresh === undefined
      ? known.inputTokens
      : fresh + cached + written,
    cachedInputTokens: fresh === undefined ? known.cachedInputTokens : cached,
    outputTokens: countField(usage, "output_tokens") ?? known.outputTokens,
    reasoningTokens: countField(
      objectField(usage, "output_tokens_details"),
      "thinking_tokens",
    ) ?? known.reasoningTokens,
  };
}
