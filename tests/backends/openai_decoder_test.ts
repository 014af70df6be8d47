import { assertEquals } from "@std/assert";
import type { StepOutput } from "../../src/backends/backend.ts";
import { createOpenaiDecoder } from "../../src/backends/openai_decoder.ts";
import type { JsonObject } from "../../src/json.ts";
import { seededRandom } from "../support/ambient.ts";
import { wireEvents } from "../support/wire.ts";

type Event = { type: string } & JsonObject;

function decode(events: readonly Event[], declared: readonly string[] = []) {
  const decoder = createOpenaiDecoder((name) => declared.includes(name));
  let text = "";
  let error: string | undefined;
  for (const { type, ...data } of events) {
    const decoded = decoder.push(type, { type, ...data });
    if (decoded.tag === "error") {
      error ??= decoded.error.code ?? decoded.error.message;
    } else {text += decoded.deltas.filter((delta) => delta.type === "text").map(
        ({ delta }) => delta,
      ).join("");}
  }
  return { output: decoder.finish(), calls: decoder.calls(), text, error };
}

const completed: Event = {
  type: "response.completed",
  response: { status: "completed", output: [] },
};

function call(fields: JsonObject): JsonObject {
  return {
    type: "function_call",
    id: "fc_1",
    call_id: "c1",
    name: "f",
    ...fields,
  };
}

function argumentsOf(output: StepOutput | undefined): string[] {
  return (output?.calls ?? []).map((one) => one.arguments);
}

// R01
for (
  const [what, fields] of Object.entries({
    empty: { arguments: "" },
    missing: {},
    null: { arguments: null },
    blank: { arguments: "  " },
  })
) {
  Deno.test(`a finished call without arguments is replayed with an empty object: ${what}`, () => {
    const { output } = decode([{
      type: "response.output_item.done",
      output_index: 0,
      item: call(fields),
    }, completed]);
    assertEquals(argumentsOf(output)[0]?.trim(), "");
    assertEquals(output?.items, [call({ ...fields, arguments: "{}" })]);
    assertEquals(output?.stop, "tool_calls");
  });
}

// R02
Deno.test("a call whose arguments are no JSON is replayed well-formed, and told as it came", () => {
  const { output } = decode([{
    type: "response.output_item.done",
    output_index: 0,
    item: call({ arguments: '{"a":"b' }),
  }, completed]);
  assertEquals(argumentsOf(output), ['{"a":"b']);
  assertEquals(output?.items, [call({ arguments: "{}" })]);
});

// R04
const added: Event = {
  type: "response.output_item.added",
  output_index: 0,
  item: call({ arguments: "" }),
};
const delta = (text: string): Event => ({
  type: "response.function_call_arguments.delta",
  item_id: "fc_1",
  output_index: 0,
  delta: text,
});
const argumentsDone = (text: string): Event => ({
  type: "response.function_call_arguments.done",
  item_id: "fc_1",
  output_index: 0,
  arguments: text,
});
const itemDone = (text: string): Event => ({
  type: "response.output_item.done",
  output_index: 0,
  item: call({ arguments: text }),
});
for (
  const [what, events, expected] of [
    ["only the last events hold them", [
      added,
      argumentsDone('{"q":1}'),
      itemDone('{"q":1}'),
    ], '{"q":1}'],
    ["the item differs from all before", [
      added,
      delta('{"q":'),
      delta("1}"),
      argumentsDone('{"q":2}'),
      itemDone('{"q":3}'),
    ], '{"q":3}'],
    ["the deltas and the end hold the same", [
      added,
      delta('{"q":1}'),
      argumentsDone('{"q":1}'),
      itemDone('{"q":1}'),
    ], '{"q":1}'],
    ["done comes without added", [
      argumentsDone('{"q":9}'),
      itemDone('{"q":1}'),
    ], '{"q":1}'],
    ["deltas belong to nothing", [
      { ...delta("x"), output_index: 7, item_id: "none" },
      added,
      itemDone('{"q":1}'),
    ], '{"q":1}'],
    [
      "deltas come after the end",
      [added, itemDone('{"q":1}'), delta("x")],
      '{"q":1}',
    ],
    ["the terminal event alone holds the call", [], '{"q":1}'],
  ] as const
) {
  Deno.test(`arguments are taken from the latest source and never joined: ${what}`, () => {
    const end = events.length > 0 ? completed : {
      ...completed,
      response: {
        status: "completed",
        output: [call({ arguments: '{"q":1}' })],
      },
    };
    assertEquals(argumentsOf(decode([...events, end]).output), [expected]);
  });
}

Deno.test("a call that never finished was cut, whatever the answer's end is called", () => {
  const whole = decode([added, delta('{"q":'), completed]).output;
  assertEquals([whole?.stop, argumentsOf(whole)], ["truncated", ['{"q":']]);
  const cut: Event = {
    type: "response.incomplete",
    response: {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    },
  };
  const { output } = decode([added, delta('{"q":'), cut]);
  assertEquals([output?.stop, argumentsOf(output)], ["truncated", ['{"q":']]);
});

Deno.test("items are known by their place where their ids change from event to event", () => {
  const { output, text } = decode([
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { type: "message", id: "a", content: [] },
    },
    {
      type: "response.output_text.delta",
      output_index: 0,
      item_id: "b",
      delta: "hel",
    },
    {
      type: "response.output_text.delta",
      output_index: 0,
      item_id: "c",
      delta: "lo",
    },
    {
      type: "response.output_item.done",
      output_index: 0,
      item: {
        type: "message",
        id: "d",
        content: [{ type: "output_text", text: "hello" }],
      },
    },
    completed,
  ]);
  assertEquals([text, output?.text, output?.items.length], [
    "hello",
    "hello",
    1,
  ]);
});

Deno.test("text that no delta told is told once, at the end of its item", () => {
  assertEquals(
    decode([{
      type: "response.output_item.done",
      output_index: 0,
      item: {
        type: "message",
        content: [{ type: "output_text", text: "hello" }],
      },
    }, completed]).text,
    "hello",
  );
});

// R17
Deno.test("unknown items and events pass through unharmed, in order", () => {
  const items: JsonObject[] = [
    { type: "reasoning", id: "rs", encrypted_content: "E==", summary: [] },
    { type: "web_search_call", id: "ws", odd: { a: [1] } },
    call({ arguments: "{}" }),
  ];
  const { output } = decode([
    { type: "response.new_thing", anything: 1 },
    ...items.map((item, output_index): Event => ({
      type: "response.output_item.done",
      output_index,
      item,
    })),
    completed,
  ]);
  assertEquals(output?.items, items);
});

Deno.test("reasoning that led to nothing is not replayed", () => {
  const cut: Event = {
    type: "response.incomplete",
    response: { incomplete_details: { reason: "max_output_tokens" } },
  };
  assertEquals(
    decode([{
      type: "response.output_item.done",
      output_index: 0,
      item: { type: "reasoning", id: "rs" },
    }, cut]).output?.items,
    [],
  );
});

// R20
Deno.test("a refusal and a content filter are refusals", () => {
  const refusal: Event = {
    type: "response.output_item.done",
    output_index: 0,
    item: { type: "message", content: [{ type: "refusal", refusal: "no" }] },
  };
  assertEquals(decode([refusal, completed]).output?.stop, "refused");
  assertEquals(
    decode([{
      type: "response.incomplete",
      response: { incomplete_details: { reason: "content_filter" } },
    }]).output?.stop,
    "refused",
  );
});

// R21
Deno.test("an error, a failed response and an end too early are no answers", () => {
  assertEquals(
    decode([{ type: "error", code: "server_error", message: "x", param: null }])
      .error,
    "server_error",
  );
  assertEquals(
    decode([{
      type: "response.failed",
      response: { error: { code: "rate_limit", message: "x" } },
    }]).error,
    "rate_limit",
  );
  assertEquals(
    decode([{ type: "error" }]).error,
    "the provider reported an error without a message",
  );
  assertEquals(decode([added, itemDone("{}")]).output, undefined);
});

Deno.test("a wrapper call is unwrapped only where nobody declared it and it holds calls", () => {
  const wrapper = call({
    name: "parallel",
    arguments: JSON.stringify({
      tool_uses: [{ recipient_name: "functions.a", parameters: { x: 1 } }, {
        recipient_name: "b",
      }],
    }),
  });
  const events: Event[] = [{
    type: "response.output_item.done",
    output_index: 0,
    item: wrapper,
  }, completed];
  assertEquals(decode(events).output?.calls, [
    { callId: "c1.1", answers: "c1", tool: "a", arguments: '{"x":1}' },
    { callId: "c1.2", answers: "c1", tool: "b", arguments: "{}" },
  ]);
  assertEquals(decode(events, ["parallel"]).output?.calls.length, 1);
  assertEquals(decode([itemDone("{}"), completed]).output?.calls[0]?.tool, "f");
  assertEquals(
    decode([{
      type: "response.output_item.done",
      output_index: 0,
      item: call({ name: "parallel", arguments: '{"tool_uses":[]}' }),
    }, completed]).output?.calls[0]?.tool,
    "parallel",
  );
});

function itemsDone(items: readonly JsonObject[]): Event[] {
  return items.map((item, output_index): Event => ({
    type: "response.output_item.done",
    output_index,
    item,
  })).concat(completed);
}

Deno.test("different calls with one id, or none, get ids of their own, in the replay too", () => {
  const { output } = decode(itemsDone([
    call({ arguments: "{}" }),
    call({ arguments: '{"a":1}' }),
    call({ arguments: "{}", name: "g" }),
    call({ arguments: "{}", call_id: "" }),
    call({ arguments: "{}", call_id: "" }),
    call({ arguments: "{}", call_id: null, id: "fc_9" }),
  ]));
  const ids = ["c1", "c1_2", "c1_3", "call", "call_2", "fc_9"];
  assertEquals(output?.calls.map(({ callId }) => callId), ids);
  assertEquals(output?.calls.map(({ answers }) => answers), ids);
  assertEquals(output?.items.map(({ call_id }) => call_id), ids);
});

Deno.test("a call that is told at two places of the output is one call", () => {
  // Under another item id, as some servers change those.
  const again = call({ arguments: "{}", id: "fc_other" });
  const reasoning = { type: "reasoning", id: "rs_1", summary: [] };
  const told = [reasoning, reasoning, call({ arguments: "{}" }), again];
  const { output } = decode(itemsDone(told));
  assertEquals(output?.calls.map(({ callId }) => callId), ["c1"]);
  assertEquals(output?.items, [reasoning, call({ arguments: "{}" })]);
});

Deno.test("a call whose last event lost its place is one call", () => {
  const item = call({ arguments: "{}", id: "fc_1" });
  const { output } = decode([
    {
      type: "response.output_item.added",
      output_index: 0,
      item: call({ arguments: "", id: "fc_1" }),
    },
    {
      type: "response.function_call_arguments.done",
      output_index: 0,
      arguments: "{}",
    },
    { type: "response.output_item.done", item },
    {
      type: "response.completed",
      response: { status: "completed", output: [item] },
    },
  ]);
  assertEquals(output?.calls.map(({ callId }) => callId), ["c1"]);
  assertEquals(output?.items, [item]);
});

Deno.test("the arguments of the terminal event outrank those that were streamed", () => {
  const { output } = decode([
    {
      type: "response.output_item.added",
      output_index: 0,
      item: call({ arguments: "" }),
    },
    {
      type: "response.function_call_arguments.delta",
      output_index: 0,
      delta: '{"cut',
    },
    {
      type: "response.completed",
      response: { status: "completed", output: [call({ arguments: "{}" })] },
    },
  ]);
  assertEquals(argumentsOf(output), ["{}"]);
});

Deno.test("whatever happens to a stream, nothing throws and no call is told twice", () => {
  const events = wireEvents("openai", {
    text: "hi",
    calls: [{ id: "c1", name: "f", arguments: '{"a":1}' }, {
      id: "c2",
      name: "g",
      arguments: "{}",
    }],
  }) as Event[];
  assertEquals(decode(events).output?.calls.length, 2);
  const random = seededRandom(11);
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

const message: JsonObject = {
  type: "message",
  id: "msg_1",
  role: "assistant",
  content: [{ type: "output_text", text: "Let me look." }],
};
const whole = call({ arguments: '{"q":1}', status: "completed" });
const noItem = { output_index: 0, item: { ...message, content: [] } };

function ended(...output: JsonObject[]): Event {
  return {
    type: "response.completed",
    response: { status: "completed", output },
  };
}

const pieces: Readonly<Record<string, readonly Event[]>> = {
  "only in the terminal event": [ended(whole)],
  "only in the terminal event, beside an item that was told": [
    { type: "response.output_item.added", ...noItem },
    { type: "response.output_item.done", output_index: 0, item: message },
    ended(message, whole),
  ],
  "without a place, and finished in the terminal event": [
    { type: "response.output_item.added", item: call({ arguments: "" }) },
    {
      type: "response.function_call_arguments.done",
      item_id: "fc_1",
      arguments: '{"q":1}',
    },
    ended(whole),
  ],
  "at another place than before": [
    { type: "response.output_item.done", output_index: 1, item: whole },
    ended(whole),
  ],
  "with its arguments done, and never again": [
    {
      type: "response.output_item.added",
      output_index: 0,
      item: call({ arguments: "" }),
    },
    {
      type: "response.function_call_arguments.done",
      output_index: 0,
      arguments: '{"q":1}',
    },
    ended(),
  ],
};
for (const [where, events] of Object.entries(pieces)) {
  Deno.test(`a call runs once where it is told ${where}`, () => {
    const { output } = decode(events);
    assertEquals([output?.stop, argumentsOf(output)], [
      "tool_calls",
      ['{"q":1}'],
    ]);
  });
}

Deno.test("calls without place and id of their own are told apart by their call ids", () => {
  const one = (call_id: string): JsonObject => ({
    type: "function_call",
    call_id,
    name: "f",
    arguments: `{"id":"${call_id}"}`,
  });
  const done = (item: JsonObject): Event => ({
    type: "response.output_item.done",
    item,
  });
  for (const place of [{}, { output_index: 0 }]) {
    const events = [one("c1"), one("c2")].map((item) => ({
      ...done(item),
      ...place,
    }));
    const { output } = decode([...events, ended(one("c1"), one("c2"))]);
    assertEquals(output?.calls.map(({ callId }) => callId), ["c1", "c2"]);
  }
});

Deno.test("an answer that says in its status that it was cut is not called whole", () => {
  const status = "incomplete";
  const { output } = decode([{
    type: "response.completed",
    response: {
      status,
      incomplete_details: { reason: "max_output_tokens" },
      output: [message],
    },
  }]);
  assertEquals(output?.stop, "truncated");
  const cut = decode([ended(call({ arguments: '{"q":1}', status }))]).output;
  assertEquals([cut?.stop, cut?.calls.length], ["truncated", 1]);
});

const told: Readonly<Record<string, readonly Event[]>> = {
  "in deltas for no item": [
    { type: "response.output_text.delta", delta: "Let me look." },
    { type: "response.output_item.done", output_index: 0, item: message },
    ended(message),
  ],
  "only in the terminal event": [ended(message)],
  "in the terminal event of an item that was begun": [
    { type: "response.output_item.added", ...noItem },
    ended(message),
  ],
  "under an id that changes": [
    { type: "response.output_item.done", output_index: 0, item: message },
    ended({ type: "reasoning", id: "rs_1", summary: [] }, {
      ...message,
      id: "msg_2",
    }),
  ],
};
for (const [where, events] of Object.entries(told)) {
  Deno.test(`text is told once where it comes ${where}`, () => {
    const { output, text } = decode(events);
    assertEquals([text, output?.text], ["Let me look.", "Let me look."]);
  });
}
