import { assertEquals } from "@std/assert";
import { createAnthropicDecoder } from "../../src/backends/anthropic_decoder.ts";
import type { JsonObject } from "../../src/json.ts";
import { seededRandom } from "../support/ambient.ts";
import { wireEvents } from "../support/wire.ts";

type Event = { type: string } & JsonObject;

function decode(events: readonly Event[]) {
  const decoder = createAnthropicDecoder();
  let error: string | undefined;
  for (const event of events) {
    const decoded = decoder.push(event.type, event);
    if (decoded.tag === "error") {
      error ??= decoded.error.code ?? decoded.error.message;
    }
  }
  return { output: decoder.finish(), calls: decoder.calls(), error };
}

function block(
  index: number,
  content_block: JsonObject,
  ...deltas: JsonObject[]
): Event[] {
  return [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta): Event => ({
      type: "content_block_delta",
      index,
      delta,
    })),
    { type: "content_block_stop", index },
  ];
}

function ending(stop_reason: string): Event[] {
  return [{
    type: "message_delta",
    delta: { stop_reason },
    usage: { output_tokens: 3 },
  }, { type: "message_stop" }];
}

const use = { type: "tool_use", id: "toolu_1", name: "f", input: {} };
const json = (partial_json: string) => ({
  type: "input_json_delta",
  partial_json,
});

// R01
for (
  const [what, deltas] of [["no delta", []], ["an empty delta", [json("")]], [
    "a blank delta",
    [json("  ")],
  ]] as const
) {
  Deno.test(`a call without arguments is replayed with an empty object: ${what}`, () => {
    const { output } = decode([
      ...block(0, use, ...deltas),
      ...ending("tool_use"),
    ]);
    assertEquals([
      output?.calls[0]?.arguments.trim(),
      output?.items,
      output?.stop,
    ], ["", [use], "tool_calls"]);
  });
}

Deno.test("a call that is told in two blocks is one call; others get ids of their own, in the replay too", () => {
  const { output, calls } = decode([
    ...block(0, use, json('{"a":1}')),
    ...block(1, use, json('{"a":1}')),
    ...block(2, use, json('{"a":2}')),
    ...block(3, { ...use, id: "" }),
    ...block(4, { ...use, id: null }),
    ...ending("tool_use"),
  ]);
  const ids = ["toolu_1", "toolu_1_2", "call", "call_2"];
  assertEquals(output?.calls.map(({ callId }) => callId), ids);
  assertEquals(output?.items.map(({ id }) => id), ids);
  assertEquals(calls, output?.calls);
});

Deno.test("arguments that come whole with the block's start are taken", () => {
  const { output } = decode([
    ...block(0, { ...use, input: { a: 1 } }),
    ...ending("tool_use"),
  ]);
  assertEquals([output?.calls[0]?.arguments, output?.items], ['{"a":1}', [{
    ...use,
    input: { a: 1 },
  }]]);
});

// R02
Deno.test("arguments that are no JSON are told as they came, and replayed as an object", () => {
  for (const text of ['{"a":"b', "[1]", '"x"', "null"]) {
    const { output } = decode([
      ...block(0, use, json(text)),
      ...ending("tool_use"),
    ]);
    assertEquals([output?.calls[0]?.arguments, output?.items], [text, [use]]);
  }
});

// R18
Deno.test("thinking, redacted thinking and unknown blocks are replayed as they came, in order", () => {
  const redacted = { type: "redacted_thinking", data: "EmwKAhgB==" };
  const unknown = { type: "new_block", odd: [1, { a: null }] };
  const { output } = decode([
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "I " },
      { type: "thinking_delta", thinking: "see" },
      { type: "signature_delta", signature: "SIG==" },
    ),
    ...block(1, redacted),
    ...block(2, unknown, { type: "new_delta", x: 1 }),
    ...block(3, {
      type: "server_tool_use",
      id: "srv_1",
      name: "web_search",
      input: {},
    }, json('{"query":"x"}')),
    ...block(
      4,
      { type: "text", text: "" },
      { type: "text_delta", text: "hi" },
      { type: "citations_delta", citation: { url: "u" } },
    ),
    ...block(5, use, json('{"a":1}')),
    ...ending("tool_use"),
  ]);
  assertEquals(output?.items, [
    { type: "thinking", thinking: "I see", signature: "SIG==" },
    redacted,
    unknown,
    {
      type: "server_tool_use",
      id: "srv_1",
      name: "web_search",
      input: { query: "x" },
    },
    { type: "text", text: "hi", citations: [{ url: "u" }] },
    { ...use, input: { a: 1 } },
  ]);
  assertEquals(output?.calls.length, 1);
});

Deno.test("what the wire refuses is not replayed: empty text, thinking without signature", () => {
  const { output } = decode([
    ...block(0, { type: "thinking", thinking: "cut" }),
    ...block(1, { type: "text", text: "" }),
    ...ending("max_tokens"),
  ]);
  assertEquals([output?.items, output?.stop], [[], "truncated"]);
});

for (
  const [reason, stop] of [
    ["end_turn", "completed"],
    ["stop_sequence", "completed"],
    ["max_tokens", "truncated"],
    ["model_context_window_exceeded", "truncated"],
    ["refusal", "refused"],
    ["pause_turn", "paused"],
    ["constructor", "other"],
    ["something_new", "other"],
  ] as const
) {
  Deno.test(`the stop reason ${reason} means ${stop}`, () => {
    const { output } = decode(ending(reason));
    assertEquals([output?.stop, output?.providerStopReason], [stop, reason]);
  });
}

Deno.test("a step that ends as a turn but holds calls runs them", () => {
  assertEquals(
    decode([...block(0, use), ...ending("end_turn")]).output?.stop,
    "tool_calls",
  );
});

// R03
for (const reason of ["max_tokens", "tool_use", "end_turn"]) {
  Deno.test(`a call whose block never ended was cut, whatever the stop reason says: ${reason}`, () => {
    const events = [
      ...block(0, { ...use, id: "toolu_0" }, json('{"a":0}')),
      ...block(1, use, json('{"a":1}')).slice(0, -1),
      ...ending(reason),
    ];
    const { output, calls } = decode(events);
    assertEquals(output?.stop, "truncated");
    assertEquals(output?.calls.map(({ callId }) => callId), [
      "toolu_0",
      "toolu_1",
    ]);
    // Of a stream that broke off there, only the first was finished.
    assertEquals(calls.map(({ callId }) => callId), ["toolu_0"]);
  });
}

// R21
Deno.test("an error event and an end too early are no answers", () => {
  assertEquals(
    decode([{
      type: "error",
      error: { type: "overloaded_error", message: "x" },
    }]).error,
    "overloaded_error",
  );
  assertEquals(decode(block(0, use)).output, undefined);
  assertEquals(decode(block(0, use)).calls.length, 1);
});

Deno.test("usage counts cached tokens, and what only the last delta tells", () => {
  const { output } = decode([
    {
      type: "message_start",
      message: {
        usage: {
          input_tokens: 5,
          cache_read_input_tokens: 7,
          cache_creation_input_tokens: 11,
          output_tokens: 1,
        },
      },
    },
    {
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: {
        output_tokens: 9,
        output_tokens_details: { thinking_tokens: 4 },
      },
    },
    { type: "message_stop" },
  ]);
  assertEquals(output?.usage, {
    inputTokens: 23,
    cachedInputTokens: 7,
    outputTokens: 9,
    reasoningTokens: 4,
  });
});

Deno.test("whatever happens to a stream, nothing throws and no call is told twice", () => {
  const events = wireEvents("anthropic", {
    text: "hi",
    calls: [{ id: "c1", name: "f", arguments: '{"a":1}' }, {
      id: "c2",
      name: "g",
      arguments: "{}",
    }],
  }) as Event[];
  assertEquals(decode(events).output?.calls.length, 2);
  const random = seededRandom(13);
  for (let round = 0; round < 2000; round++) {
    const mutated = [...events];
    for (let change = 0; change < 3; change++) {
      const at = Math.floor(random() * mutated.length);
      const event = mutated[at];
      if (event === undefined) continue;
      const kind = random();
      if (kind < 0.3) mutated.splice(at, 1);
      else if (kind < 0.5) mutated.splice(at, 0, event);
      else if (kind < 0.7) mutated.push(...mutated.splice(at, 1));
      else {mutated[at] = {
          type: event.type,
          [
            Object.keys(
              event,
            )[Math.floor(random() * Object.keys(event).length)] ?? "x"
          ]: random() < 0.5 ? null : [7],
        };}
    }
    const ids = (decode(mutated).output?.calls ?? []).map(({ callId }) =>
      callId
    );
    assertEquals(new Set(ids).size, ids.length);
  }
});

Deno.test("a stop for calls in an answer without any is its end", () => {
  const text = block(0, { type: "text", text: "Hello" });
  assertEquals(
    decode([...text, ...ending("tool_use")]).output?.stop,
    "completed",
  );
});

Deno.test("a block at the place of one that is closed is one of its own", () => {
  const { output } = decode([
    ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "Hi" }),
    ...block(0, use, json('{"q":1}')),
    ...block(0, { ...use, id: "toolu_2" }, json('{"q":2}')),
    ...ending("tool_use"),
  ]);
  assertEquals(output?.text, "Hi");
  assertEquals(output?.calls.map((one) => [one.callId, one.arguments]), [
    ["toolu_1", '{"q":1}'],
    ["toolu_2", '{"q":2}'],
  ]);
});

Deno.test("blank text is not replayed, as the wire refuses it", () => {
  for (const text of ["", "\n\n", " \u00a0\t"]) {
    const { output } = decode([
      ...block(0, { type: "text", text }),
      ...block(1, use, json("{}")),
      ...ending("tool_use"),
    ]);
    assertEquals(output?.items.map(({ type }) => type), ["tool_use"]);
  }
});
