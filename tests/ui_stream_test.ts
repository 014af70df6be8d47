// A turn as `useChat` reads it, from the agent to the final message: the client
// is the AI SDK's own.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AgentConfiguration,
  type HostTools,
  open,
  type TurnEvent,
} from "nanocode-wasm";
import { lastUserText, uiMessageStream, type UiTurn } from "nanocode-wasm/ui";
import { manualAmbient, ManualClock } from "./support/ambient.ts";
import { settled } from "./support/call_bench.ts";
import { chat, read, type Seen } from "./support/chat.ts";
import { engineModule } from "./support/engine.ts";
import { type Model, scriptedModel } from "./support/model.ts";
import { test } from "./support/permissions.ts";
import type { ScriptedStep } from "./support/wire.ts";

const tools = ["lookup", "fail"].map((name) => ({
  name,
  description: `The tool ${name}.`,
  parameters: {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
  },
}));

const call: HostTools["call"] = (name, input) =>
  name === "fail"
    ? Promise.reject(new RangeError("out of stock"))
    : Promise.resolve({ input });

/** A turn of an agent whose model says `steps`, as `useChat` reads it. */
async function turnOf(
  steps: readonly ScriptedStep[],
  config: Partial<AgentConfiguration> = {},
): Promise<Seen> {
  await using model = await scriptedModel(steps);
  await using agent = await agentOf(model, config);
  return await read(
    await chat(async (request) => {
      const text = lastUserText(await request.json());
      assertEquals(text, "Look up alpha");
      return uiMessageStream(agent.prompt(text ?? ""), { messageId: "a1" });
    }),
  );
}

function agentOf(model: Model, config: Partial<AgentConfiguration>) {
  return open({
    backend: "openai",
    model: "m",
    surfaces: ["direct"],
    tools,
    ...config,
  }, {
    ...manualAmbient(),
    apiKey: "key",
    baseUrl: model.baseUrl,
    wasm: engineModule,
    tools: { call },
  });
}

test("text, steps and tool parts, with the calls' outputs and errors", async () => {
  const { message, error } = await turnOf([
    {
      text: "Let me see.",
      calls: [
        { id: "c1", name: "lookup", arguments: '{"key":"alpha"}' },
        { id: "c2", name: "fail", arguments: '{"key":"beta"}' },
        { id: "c3", name: "lookup", arguments: '{"key":1}' },
        { id: "c4", name: "lookup", arguments: '{"key":' },
      ],
    },
    { text: "Done." },
  ]);
  assertEquals(error, undefined);
  assertEquals([message.id, message.role], ["a1", "assistant"]);
  const parts = message.parts.map((part) => {
    if (part.type === "text") return [part.type, part.text, part.state];
    return "toolCallId" in part
      ? [part.type, part.state, part.input, part.output ?? part.errorText]
      : [part.type];
  });
  const told = parts.map((part) =>
    part.map((value) =>
      typeof value === "string" && value.startsWith("the arguments")
        ? value.slice(0, 37)
        : value
    )
  );
  assertEquals(told, [
    ["step-start"],
    ["text", "Let me see.", "done"],
    ["tool-lookup", "output-available", { key: "alpha" }, {
      input: { key: "alpha" },
    }],
    ["tool-fail", "output-error", { key: "beta" }, "out of stock"],
    [
      "tool-lookup",
      "output-error",
      { key: 1 },
      "the arguments do not fit the tool's s",
    ],
    [
      "tool-lookup",
      "output-error",
      null,
      "the arguments are not valid JSON: the",
    ],
    ["step-start"],
    ["text", "Done.", "done"],
  ]);
});

test("the message's metadata tells how the turn ended and what it used", async () => {
  const { message } = await turnOf([{ text: "Hello." }]);
  const metadata = message.metadata as Record<string, unknown>;
  assertEquals(
    [metadata.turnId, metadata.stopReason, metadata.steps],
    ["turn_1", "completed", 1],
  );
  assertEquals(Object.keys(Object(metadata.usage)), [
    "inputTokens",
    "cachedInputTokens",
    "outputTokens",
    "reasoningTokens",
  ]);
});

test("a program is a tool part; the calls that it made are data parts, each once", async () => {
  const { message } = await turnOf([
    {
      calls: [{
        id: "c1",
        name: "exec",
        arguments: JSON.stringify({
          code: `const { input } = await tools.lookup({ key: "alpha" });
            await tools.fail({ key: "beta" }).catch(() => {});
            return input.key;`,
        }),
      }],
    },
    { text: "Done." },
  ], { surfaces: ["code"] });
  const program = message.parts.find(({ type }) => type === "tool-exec");
  assert(program !== undefined && "output" in program);
  assertEquals(program.output, { result: "alpha" });
  const parentId = program.toolCallId;
  assertEquals(
    message.parts.flatMap((part) =>
      part.type === "data-nested-call" && "data" in part ? [part.data] : []
    ),
    [
      {
        tool: "lookup",
        parentId,
        input: { key: "alpha" },
        outcome: "succeeded",
        output: { input: { key: "alpha" } },
      },
      {
        tool: "fail",
        parentId,
        input: { key: "beta" },
        outcome: "failed",
        error: {
          name: "RangeError",
          code: "tool_failed",
          message: "out of stock",
          retryable: false,
        },
      },
    ],
  );
});

/** A turn that gives these events, then what `more` gives. */
function scripted(
  events: readonly TurnEvent[],
  more = Promise.resolve(),
): UiTurn {
  return {
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      for (const event of events) {
        if (event.type === "end") await more;
        yield event;
      }
    },
  };
}

const turnId = "turn_1";
const started: TurnEvent = { type: "step_started", turnId, step: 1, at: 0 };
const ended: TurnEvent = {
  type: "end",
  turnId,
  at: 0,
  stopReason: "completed",
  text: "",
  usage: {
    inputTokens: 1,
    cachedInputTokens: 0,
    outputTokens: 1,
    reasoningTokens: 0,
  },
  steps: 1,
};

test("a provider that fails in the middle of a real turn is told, and nothing is left over", async () => {
  await using agent = await open({ backend: "openai", model: "m" }, {
    ...manualAmbient(),
    apiKey: "key",
    fetch: () => Promise.resolve(new Response("no", { status: 401 })),
  });
  const stream = await chat(() =>
    Promise.resolve(uiMessageStream(agent.prompt("Look up alpha")))
  );
  const { error } = await read(stream);
  assertStringIncludes(error ?? "", "401");
});

Deno.test("the response says which protocol it speaks, and ends with its word", async () => {
  const response = uiMessageStream(scripted([ended]), {
    headers: { "x-own": "1", "content-type": "text/plain" },
  });
  assertEquals(response.headers.get("x-vercel-ai-ui-message-stream"), "v1");
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  assertEquals(response.headers.get("x-own"), "1");
  const text = await response.text();
  assert(text.startsWith('data: {"type":"start"}\n\n'));
  assert(text.endsWith("\n\ndata: [DONE]\n\n"));
});

Deno.test("a client that stops cancels the turn, unless it is to go on", async () => {
  const cancelled: string[] = [];
  const turn = {
    ...scripted([ended], new Promise(() => {})),
    cancel: (reason: string) => void cancelled.push(reason),
  };
  for (const options of [{}, { cancelOnLeave: false }]) {
    const { body } = uiMessageStream(turn, {
      ...options,
      clock: new ManualClock(),
    });
    const reader = body?.getReader();
    await reader?.read();
    await reader?.cancel();
  }
  assertEquals(cancelled, ["the client left"]);
});

test("a quiet stream is kept alive with comments, which the AI SDK passes over", async () => {
  const clock = new ManualClock();
  const more = Promise.withResolvers<void>();
  const frames: string[] = [];
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const frame = new TextDecoder().decode(bytes);
      frames.push(frame);
      controller.enqueue(bytes);
      if (frame.includes("start-step")) {
        void settled().then(() => clock.advance(1000));
      }
      if (frame.startsWith(":")) more.resolve();
    },
  });
  const turn = scripted([started, ended], more.promise);
  const { body } = uiMessageStream(turn, { clock, keepAliveMs: 1000 });
  const stream = await chat(() =>
    Promise.resolve(new Response(body?.pipeThrough(watch) ?? null))
  );
  const { message } = await read(stream);
  assertEquals(message.parts, [{ type: "step-start" }]);
  assertEquals(frames.filter((frame) => frame.startsWith(":")), [
    ": keep-alive\n\n",
  ]);
  assertEquals(clock.pending, 0);
});

for (const keepAliveMs of [0, -1, NaN, Infinity, 2 ** 31]) {
  Deno.test(`no comment is sent where keepAliveMs is ${keepAliveMs}`, async () => {
    const clock = new ManualClock();
    const turn = scripted([started, ended], Promise.resolve());
    const { body } = uiMessageStream(turn, { clock, keepAliveMs });
    const text = await new Response(body).text();
    assertEquals([/^:/m.test(text), clock.pending], [false, 0]);
  });
}

test("over real HTTP: the client's stop ends the turn, and the agent can go on", async () => {
  await using model = await scriptedModel([
    { calls: [{ id: "c1", name: "lookup", arguments: '{"key":"alpha"}' }] },
    { text: "Done." },
  ]);
  const waiting = Promise.withResolvers<void>();
  await using agent = await open({
    backend: "openai",
    model: "m",
    surfaces: ["direct"],
    tools,
  }, {
    apiKey: "key",
    baseUrl: model.baseUrl,
    tools: {
      call: () => {
        waiting.resolve();
        return new Promise(() => {});
      },
    },
  });
  const turns: ReturnType<typeof agent.prompt>[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const turn = agent.prompt(lastUserText(await request.json()) ?? "");
      turns.push(turn);
      return uiMessageStream(turn);
    },
  );
  const { DefaultChatTransport } = await import("ai");
  const transport = new DefaultChatTransport({
    api: `http://127.0.0.1:${server.addr.port}/`,
  });
  const abort = new AbortController();
  const stream = await transport.sendMessages({
    trigger: "submit-message",
    chatId: "chat_1",
    messageId: undefined,
    messages: [{
      id: "m1",
      role: "user",
      parts: [{ type: "text", text: "Look up alpha" }],
    }],
    abortSignal: abort.signal,
  });
  await waiting.promise;
  abort.abort();
  await stream.cancel();
  const result = await turns[0]?.result();
  assertEquals(result?.stopReason, "cancelled");
  assertEquals(result?.receipts.map(({ outcome }) => outcome), ["cancelled"]);
  assertEquals((await agent.prompt("Again").result()).text, "Done.");
});

for (
  const [title, body, text] of [
    ["the last text", { messages: [user("One"), user("Two")] }, "Two"],
    ["all its text parts", {
      messages: [{
        role: "user",
        parts: [...user("a").parts, { type: "file" }, ...user("b").parts],
      }],
    }, "a\nb"],
    ["nothing where an assistant spoke last", {
      messages: [user("One"), { ...user("Two"), role: "assistant" }],
    }, undefined],
    ["nothing in blanks", { messages: [user(" \n")] }, undefined],
    ["nothing without messages", { messages: [] }, undefined],
    [
      "nothing in what is no such body",
      { messages: [{ role: "user" }] },
      undefined,
    ],
    ["nothing in what is no object", null, undefined],
  ] as const
) {
  Deno.test(`lastUserText() finds ${title}`, () => {
    assertEquals(lastUserText(body), text);
  });
}

function user(text: string) {
  return { role: "user", parts: [{ type: "text", text }] } as const;
}
