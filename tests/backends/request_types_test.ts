// The requests as literals: the providers' own types check them when this file is
// compiled, and the backends build exactly them.

import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import { assertEquals } from "@std/assert";
import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import { anthropic } from "../../src/backends/anthropic.ts";
import type { StepInput } from "../../src/backends/backend.ts";
import { openai } from "../../src/backends/openai.ts";
import type { HistoryItem, StepItem } from "../../src/history.ts";
import type { JsonObject } from "../../src/json.ts";

const schema = {
  type: "object",
  properties: { key: { type: "string" } },
  required: ["key"],
};

function step(
  items: JsonObject[],
  outputs: StepItem["outputs"] = [],
): HistoryItem {
  return {
    type: "step",
    turnId: "t",
    step: 1,
    items,
    calls: outputs.map(({ callId }) => ({
      callId,
      answers: callId,
      tool: "lookup",
      arguments: "{}",
    })),
    outputs,
  };
}

function input(
  history: readonly HistoryItem[],
  given: Partial<StepInput> = {},
): StepInput {
  return {
    model: "m",
    instructions: "Be brief.",
    tools: [
      { name: "lookup", description: "Look up.", parameters: schema },
      { name: "ping", description: "", parameters: { type: "object" } },
    ],
    settings: {
      maxOutputTokens: 100,
      reasoningEffort: "low",
    },
    history,
    without: new Set(),
    ...given,
  };
}

const serverTool = {
  type: "server_tool_use",
  id: "srv_1",
  name: "web_search",
  input: { query: "x" },
};

const outputs = [
  { callId: "c1", text: '"A"', isError: false },
  { callId: "c2", text: '{"error":{}}', isError: true },
];

// R06, R11, R13, R17
Deno.test("openai: a whole conversation is the request that its SDK types", () => {
  const items = [
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E==" },
    {
      type: "function_call",
      id: "fc_1",
      call_id: "c1",
      name: "lookup",
      arguments: '{"key":"a"}',
      status: "completed",
    },
    {
      type: "function_call",
      id: "fc_2",
      call_id: "c2",
      name: "lookup",
      arguments: "{}",
      status: "completed",
    },
  ];
  const message = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "hi", annotations: [] }],
  };
  const expected = {
    model: "m",
    stream: true,
    store: false,
    include: ["reasoning.encrypted_content"],
    instructions: "Be brief.",
    input: [
      { role: "user", content: "Hello" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E==" },
      {
        type: "function_call",
        id: "fc_1",
        call_id: "c1",
        name: "lookup",
        arguments: '{"key":"a"}',
        status: "completed",
      },
      {
        type: "function_call",
        id: "fc_2",
        call_id: "c2",
        name: "lookup",
        arguments: "{}",
        status: "completed",
      },
      { type: "function_call_output", call_id: "c1", output: '"A"' },
      { type: "function_call_output", call_id: "c2", output: '{"error":{}}' },
      {
        type: "message",
        id: "msg_1",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: "hi", annotations: [] }],
      },
      { role: "user", content: "And?" },
    ],
    tools: [
      {
        type: "function",
        name: "lookup",
        description: "Look up.",
        parameters: schema,
        strict: false,
      },
      {
        type: "function",
        name: "ping",
        description: "",
        parameters: { type: "object", properties: {} },
        strict: false,
      },
    ],
    tool_choice: "auto",
    parallel_tool_calls: true,
    max_output_tokens: 100,
    reasoning: { effort: "low" },
  } satisfies ResponseCreateParamsStreaming;
  const history: HistoryItem[] = [
    { type: "user", text: "Hello" },
    step(items, outputs),
    step([message]),
    { type: "user", text: "And?" },
  ];
  const { body, path } = openai.request(input(history));
  assertEquals(body, JSON.parse(JSON.stringify(expected)));
  assertEquals(path, "/responses");
});

Deno.test("openai: a freeform call is answered in its own form", () => {
  const expected = {
    model: "m",
    stream: true,
    store: false,
    input: [
      {
        type: "custom_tool_call",
        id: "ct_1",
        call_id: "c1",
        name: "sql",
        input: "SELECT 1",
      },
      { type: "custom_tool_call_output", call_id: "c1", output: '"A"' },
    ],
  } satisfies ResponseCreateParamsStreaming;
  const history = [
    step([{
      type: "custom_tool_call",
      id: "ct_1",
      call_id: "c1",
      name: "sql",
      input: "SELECT 1",
    }], outputs.slice(0, 1)),
  ];
  const given = {
    instructions: undefined,
    tools: [],
    settings: {},
    without: new Set(["include"]),
  };
  assertEquals(
    openai.request(input(history, given)).body,
    JSON.parse(JSON.stringify(expected)),
  );
});

// R06, R11, R18, R19
Deno.test("anthropic: a whole conversation is the request that its SDK types", () => {
  const items = [
    { type: "thinking", thinking: "Hm", signature: "SIG==" },
    { type: "redacted_thinking", data: "D==" },
    { type: "tool_use", id: "c1", name: "lookup", input: { key: "a" } },
    { type: "tool_use", id: "c2", name: "lookup", input: {} },
  ];
  const expected = {
    model: "m",
    max_tokens: 100,
    stream: true,
    cache_control: { type: "ephemeral" },
    system: "Be brief.",
    messages: [
      { role: "user", content: [{ type: "text", text: "Hello" }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm", signature: "SIG==" },
          { type: "redacted_thinking", data: "D==" },
          { type: "tool_use", id: "c1", name: "lookup", input: { key: "a" } },
          { type: "tool_use", id: "c2", name: "lookup", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: '"A"' },
          {
            type: "tool_result",
            tool_use_id: "c2",
            content: '{"error":{}}',
            is_error: true,
          },
          { type: "text", text: "And?" },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "text", text: "one" }, { type: "text", text: "two" }],
      },
      { role: "user", content: [{ type: "text", text: "So?" }] },
    ],
    tools: [
      {
        name: "lookup",
        description: "Look up.",
        input_schema: { ...schema, type: "object" },
      },
      {
        name: "ping",
        description: "",
        input_schema: { type: "object", properties: {} },
      },
    ],
    tool_choice: { type: "auto", disable_parallel_tool_use: false },
    thinking: { type: "adaptive" },
    output_config: { effort: "low" },
  } satisfies MessageCreateParamsStreaming;
  const history: HistoryItem[] = [
    { type: "user", text: "Hello" },
    step(items, outputs),
    { type: "user", text: "And?" },
    step([{ type: "text", text: "one" }]),
    step([]),
    step([{ type: "text", text: "two" }]),
    { type: "user", text: "So?" },
  ];
  const { body, path } = anthropic.request(input(history));
  assertEquals(body, JSON.parse(JSON.stringify(expected)));
  assertEquals(path, "/messages");
});

// R11
Deno.test("a request changes nothing of the host's schema", () => {
  const parameters = Object.freeze({ type: "object" });
  const tools = [{ name: "ping", description: "", parameters }];
  openai.request(input([], { tools }));
  anthropic.request(input([], { tools }));
  assertEquals(parameters, { type: "object" });
});

// R12
for (const backend of [openai, anthropic]) {
  Deno.test(`${backend.name}: a schema of an older draft is sent in the form of draft 2020-12`, () => {
    const parameters = {
      $schema: "http://json-schema.org/draft-04/schema#",
      type: "object",
      properties: {
        n: { type: "integer", minimum: 0, exclusiveMinimum: true },
        pair: { type: "array", items: [{ type: "string" }] },
      },
    };
    const before = JSON.stringify(parameters);
    const { body } = backend.request(
      input([], { tools: [{ name: "f", description: "", parameters }] }),
    );
    const [tool] = Object(body).tools;
    assertEquals(tool.parameters ?? tool.input_schema, {
      type: "object",
      properties: {
        n: { type: "integer", exclusiveMinimum: 0 },
        pair: { type: "array", prefixItems: [{ type: "string" }] },
      },
    });
    assertEquals(JSON.stringify(parameters), before);
  });
}

// R19
for (
  const [what, left, kept] of [
    [
      "a server tool without a result",
      [{ type: "text", text: "I search." }, serverTool],
      [{ type: "text", text: "I search." }],
    ],
    ["nothing but such a tool", [serverTool], []],
    [
      "a server tool with its result",
      [serverTool, { type: "web_search_tool_result", tool_use_id: "srv_1" }],
      [serverTool, { type: "web_search_tool_result", tool_use_id: "srv_1" }],
    ],
    [
      "thinking at the end",
      [
        { type: "text", text: "So" },
        { type: "thinking", thinking: "Hm", signature: "S==" },
        { type: "redacted_thinking", data: "D==" },
      ],
      [{ type: "text", text: "So" }],
    ],
  ] as const
) {
  Deno.test(`anthropic: a user's text follows an answer that left ${what}`, () => {
    const items: JsonObject[] = left.map((block) => ({ ...block }));
    const ended = [{ type: "user", text: "Hello" }, step(items)] as const;
    const messages = (history: readonly HistoryItem[]) =>
      anthropic.request(input(history)).body.messages;
    const asked = { type: "text", text: "Hello" };
    const next = { type: "text", text: "And?" };
    // While the answer may go on, it is sent back as it came.
    assertEquals(messages(ended), [
      { role: "user", content: [asked] },
      { role: "assistant", content: items },
    ]);
    assertEquals(
      messages([...ended, { type: "user", text: "And?" }]),
      kept.length === 0 ? [{ role: "user", content: [asked, next] }] : [
        { role: "user", content: [asked] },
        { role: "assistant", content: kept.map((block) => ({ ...block })) },
        { role: "user", content: [next] },
      ],
    );
  });
}
