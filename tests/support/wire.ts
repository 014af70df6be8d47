/**
 * One model step, written once, as either provider streams it.
 *
 * @module
 */

import type { BackendName } from "../../src/backends/backend.ts";

/** A call of a scripted step. `arguments` is sent as it stands. */
export type ScriptedCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
};

/** What the model says in one step. */
export type ScriptedStep = {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** How the step ends; by its content without one. */
  readonly stop?: "truncated" | "refused";
};

type Event = { type: string } & Record<string, unknown>;

/** The events of a step on a provider's wire. */
export function wireEvents(backend: BackendName, step: ScriptedStep): Event[] {
  return backend === "openai" ? openaiEvents(step) : anthropicEvents(step);
}

function halves(text: string): string[] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) =>
    part !== ""
  );
}

function openaiEvents({ text, calls = [], stop }: ScriptedStep): Event[] {
  const events: Event[] = [
    {
      type: "response.created",
      response: { id: "resp_1", status: "in_progress" },
    },
  ];
  const output: unknown[] = [];
  if (text !== undefined) {
    const part = stop === "refused"
      ? { type: "refusal", refusal: text }
      : { type: "output_text", text, annotations: [] };
    const item = {
      type: "message",
      id: "msg_1",
      role: "assistant",
      status: "completed",
      content: [part],
    };
    events.push({
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, status: "in_progress", content: [] },
    });
    const type = stop === "refused"
      ? "response.refusal.delta"
      : "response.output_text.delta";
    for (const delta of halves(text)) {
      events.push({ type, item_id: "msg_1", output_index: 0, delta });
    }
    events.push({ type: "response.output_item.done", output_index: 0, item });
    output.push(item);
  }
  for (const call of calls) {
    const output_index = output.length;
    const item = {
      type: "function_call",
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: call.arguments,
      status: stop === "truncated" ? "incomplete" : "completed",
    };
    events.push({
      type: "response.output_item.added",
      output_index,
      item: { ...item, arguments: "", status: "in_progress" },
    });
    for (const delta of halves(call.arguments)) {
      events.push({
        type: "response.function_call_arguments.delta",
        item_id: item.id,
        output_index,
        delta,
      });
    }
    events.push({
      type: "response.function_call_arguments.done",
      item_id: item.id,
      output_index,
      arguments: call.arguments,
    });
    events.push({ type: "response.output_item.done", output_index, item });
    output.push(item);
  }
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 15,
  };
  events.push(
    stop === "truncated"
      ? {
        type: "response.incomplete",
        response: {
          id: "resp_1",
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
          output,
          usage,
        },
      }
      : {
        type: "response.completed",
        response: { id: "resp_1", status: "completed", output, usage },
      },
  );
  return events;
}

function anthropicEvents({ text, calls = [], stop }: ScriptedStep): Event[] {
  const events: Event[] = [{
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      content: [],
      usage: { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 1 },
    },
  }];
  let index = 0;
  if (text !== undefined) {
    events.push({
      type: "content_block_start",
      index,
      content_block: { type: "text", text: "" },
    });
    for (const part of halves(text)) {
      events.push({
        type: "content_block_delta",
        index,
        delta: { type: "text_delta", text: part },
      });
    }
    events.push({ type: "content_block_stop", index });
    index++;
  }
  for (const call of calls) {
    events.push({
      type: "content_block_start",
      index,
      content_block: {
        type: "tool_use",
        id: call.id,
        name: call.name,
        input: {},
      },
    });
    for (const partial_json of halves(call.arguments)) {
      events.push({
        type: "content_block_delta",
        index,
        delta: { type: "input_json_delta", partial_json },
      });
    }
    events.push({ type: "content_block_stop", index });
    index++;
  }
  const stop_reason = stop === "truncated"
    ? "max_tokens"
    : stop === "refused"
    ? "refusal"
    : calls.length > 0
    ? "tool_use"
    : "end_turn";
  events.push({
    type: "message_delta",
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  events.push({ type: "message_stop" });
  return events;
}
