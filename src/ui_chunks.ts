/**
 * A turn's events in the words of the AI SDK's UI message stream.
 *
 * Before it on the path: `turn.ts`. After it: `ui_stream.ts`.
 *
 * @module
 */

import type { StopReason, TurnEnd, TurnEvent } from "./events.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Receipt } from "./receipt.ts";

/** A chunk of the stream: plain JSON with a `type`. */
export type UiChunk = JsonObject & { readonly type: string };

/**
 * The chunks of a turn.
 *
 * @param events The turn's events.
 * @param messageId The id of the assistant's message.
 */
export async function* uiChunks(
  events: AsyncIterable<TurnEvent>,
  messageId: string | undefined,
): AsyncGenerator<UiChunk, void, undefined> {
  yield messageId === undefined
    ? { type: "start" }
    : { type: "start", messageId };
  const writer = new ChunkWriter();
  for await (const event of events) {
    yield* writer.write(event);
    // After it, a turn that failed would throw: that is told by then.
    if (event.type === "end") return;
  }
}

/** The words that need to be known of earlier events. */
class ChunkWriter {
  #block:
    | { readonly type: "text" | "reasoning"; readonly id: string }
    | undefined;
  #blocks = 0;
  #inStep = false;

  *write(event: TurnEvent): Generator<UiChunk, void, undefined> {
    switch (event.type) {
      case "step_started":
        yield* this.#endStep();
        this.#inStep = true;
        yield { type: "start-step" };
        return;
      case "text":
      case "reasoning":
        yield* this.#delta(event.type, event.delta);
        return;
      case "retry": {
        const { attempt, delayMs } = event;
        yield {
          type: "data-retry",
          data: { attempt, delayMs },
          transient: true,
        };
        return;
      }
      case "tool_started":
        yield* this.#endBlock();
        yield* startedCall(event.receipt);
        return;
      case "tool_finished":
        yield finishedCall(event.receipt);
        return;
      case "step_finished":
        // Its calls come after it, and belong to the step in this protocol.
        yield* this.#endBlock();
        return;
      case "end":
        yield* this.#endStep();
        yield* endOfTurn(event.turnId, event);
        return;
    }
  }

  *#delta(type: "text" | "reasoning", delta: string) {
    if (this.#block?.type !== type) {
      yield* this.#endBlock();
      this.#block = { type, id: `${type}_${++this.#blocks}` };
      yield { type: `${type}-start`, id: this.#block.id };
    }
    yield { type: `${type}-delta`, id: this.#block.id, delta };
  }

  *#endBlock() {
    if (this.#block === undefined) return;
    const { type, id } = this.#block;
    this.#block = undefined;
    yield { type: `${type}-end`, id };
  }

  *#endStep() {
    yield* this.#endBlock();
    if (this.#inStep) yield { type: "finish-step" };
    this.#inStep = false;
  }
}

/** Arguments that are no JSON cannot be shown; the call's end tells of them. */
function* startedCall(receipt: Receipt): Generator<UiChunk, void, undefined> {
  const { id, tool, input, surface } = receipt;
  if (surface === "code") yield nestedCall(receipt);
  else if (input !== undefined) {
    yield {
      type: "tool-input-available",
      toolCallId: id,
      toolName: tool,
      input,
    };
  }
}

function finishedCall(receipt: Receipt): UiChunk {
  const { id, tool, input, surface, outcome, output, error } = receipt;
  if (surface === "code") return nestedCall(receipt);
  const common = {
    toolCallId: id,
    providerMetadata: {
      nanocode: {
        outcome: outcome ?? null,
        ...(error === undefined ? {} : { code: error.code }),
      },
    },
  };
  if (outcome === "succeeded") {
    return { type: "tool-output-available", ...common, output: output ?? null };
  }
  const errorText = error?.message ?? "the call did not succeed";
  return input === undefined
    ? {
      type: "tool-input-error",
      ...common,
      toolName: tool,
      input: null,
      errorText,
    }
    : { type: "tool-output-error", ...common, errorText };
}

/** A call that a program made; written again under its id when it has ended. */
function nestedCall(receipt: Receipt): UiChunk {
  const { id, parentId, tool, input, outcome, output, error } = receipt;
  return {
    type: "data-nested-call",
    id,
    data: {
      tool,
      ...given({ parentId, input, outcome, output, error }),
    },
  };
}

function given(values: Record<string, Json | undefined>): JsonObject {
  const known: JsonObject = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) known[name] = value;
  }
  return known;
}

const finishReasons = {
  completed: "stop",
  truncated: "length",
  refused: "content-filter",
  budget: "other",
  other: "other",
} as const satisfies Partial<Record<StopReason, string>>;

function* endOfTurn(
  turnId: string,
  end: TurnEnd,
): Generator<UiChunk, void, undefined> {
  const { stopReason, usage, steps, exhausted, cancelReason, failure } = end;
  yield {
    type: "message-metadata",
    messageMetadata: {
      turnId,
      stopReason,
      steps,
      usage: { ...usage },
      ...given({ exhausted: exhausted && { ...exhausted } }),
    },
  };
  switch (stopReason) {
    case "cancelled":
      yield { type: "abort", ...given({ reason: cancelReason }) };
      return;
    case "failed":
      yield { type: "error", errorText: failure?.message ?? "The turn failed" };
      return;
    default:
      yield { type: "finish", finishReason: finishReasons[stopReason] };
  }
}
