// How a turn goes on or ends, by what the model's answer was. The streams are
// served over HTTP, on both wires.

import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  type BackendName,
  HostFailure,
  type HostTools,
  open,
  type TurnEvent,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { modelName } from "./support/model.ts";
import { test } from "./support/permissions.ts";
import { type Answer, serveAnswers, sse } from "./support/stream_server.ts";
import { type ScriptedStep, wireEvents } from "./support/wire.ts";

type Run = {
  readonly backend: BackendName;
  agentOn(
    answers: readonly Answer[],
    call?: HostTools["call"],
  ): Promise<Served>;
  stream(step: ScriptedStep): Answer;
};

type Served = AsyncDisposable & {
  readonly agent: Awaited<ReturnType<typeof open>>;
  readonly server: ReturnType<typeof serveAnswers>;
  readonly clock: ReturnType<typeof manualAmbient>["clock"];
};

function onBoth(name: string, run: (run: Run) => Promise<void>): void {
  for (const backend of ["openai", "anthropic"] as const) {
    test(`${backend}: ${name}`, () =>
      run({
        backend,
        stream: (step) => ({ stream: sse(wireEvents(backend, step)) }),
        agentOn: async (answers, call = (_name, input) =>
          Promise.resolve(input)) => {
          const server = serveAnswers(answers);
          const ambient = manualAmbient();
          const agent = await open({
            backend,
            model: modelName(backend),
            surfaces: ["direct"],
            tools: [{
              name: "save",
              description: "Saves a file.",
              parameters: {
                type: "object",
                properties: {
                  file: { type: "string" },
                  text: { type: "string" },
                },
                required: ["file"],
              },
            }],
          }, {
            ...ambient,
            apiKey: "test-key",
            baseUrl: `${server.url}/v1`,
            tools: { call },
          });
          return {
            agent,
            server,
            clock: ambient.clock,
            async [Symbol.asyncDispose]() {
              await agent.close();
              await server[Symbol.asyncDispose]();
            },
          };
        },
      }));
  }
}

function save(text: string): ScriptedStep {
  return { calls: [{ id: "c1", name: "save", arguments: text }] };
}

// R03
onBoth(
  "calls of a cut answer do not run, and the model may send them again",
  async ({ agentOn, stream }) => {
    let ran = 0;
    await using run = await agentOn([
      stream({ ...save('{"file":"a"}'), stop: "truncated" }),
      stream(save('{"file":"b"}')),
      stream({ text: "saved" }),
    ], () => Promise.resolve(++ran));
    const result = await run.agent.prompt("Save").result();
    assertEquals([result.text, result.stopReason, ran], [
      "saved",
      "completed",
      1,
    ]);
    assertEquals(
      result.receipts.map((
        { outcome, error, executed },
      ) => [outcome, error?.code, executed]),
      [["rejected", "truncated", false], ["succeeded", undefined, true]],
    );
    assertStringIncludes(
      JSON.stringify(run.server.requests[1]?.body),
      "smaller arguments",
    );
  },
);

// R03
onBoth(
  "a cut answer without calls ends the turn as truncated",
  async ({ agentOn, stream }) => {
    await using run = await agentOn([
      stream({ text: "half a", stop: "truncated" }),
    ]);
    const { stopReason, text } = await run.agent.prompt("Tell").result();
    assertEquals([stopReason, text], ["truncated", "half a"]);
  },
);

// R20
onBoth(
  "a refusal ends the turn, runs nothing, is not tried again and leaves no trace",
  async ({ agentOn, stream }) => {
    let ran = 0;
    await using run = await agentOn([
      stream({ text: "I will not", ...save('{"file":"a"}'), stop: "refused" }),
      stream({ text: "hello" }),
    ], () => Promise.resolve(++ran));
    const { stopReason, receipts } = await run.agent.prompt("Do harm").result();
    assertEquals([stopReason, ran, run.server.requests.length], [
      "refused",
      0,
      1,
    ]);
    assertEquals(receipts.map(({ outcome, error }) => [outcome, error?.code]), [
      ["rejected", "not_run"],
    ]);
    assertEquals(run.agent.snapshot().history, []);
    assertEquals((await run.agent.prompt("Hello").result()).text, "hello");
  },
);

// R02
onBoth(
  "arguments that are no JSON never run, and the history stays sound",
  async ({ agentOn, stream, backend }) => {
    let ran = 0;
    await using run = await agentOn([
      stream(save('{"file":"a.txt","text":"he')),
      stream({ text: "sorry" }),
    ], () => Promise.resolve(++ran));
    const { receipts, stopReason } = await run.agent.prompt("Save").result();
    assertEquals([ran, stopReason], [0, "completed"]);
    assertEquals([receipts[0]?.outcome, receipts[0]?.error?.code], [
      "rejected",
      "invalid_json",
    ]);
    assertStringIncludes(
      receipts[0]?.error?.message ?? "",
      "file (string, required)",
    );
    const body = run.server.requests[1]?.body;
    if (backend === "openai") assertEquals(body.input[1].arguments, "{}");
    else assertEquals(body.messages[1].content[0].input, {});
  },
);

// R21
onBoth(
  "a stream that breaks off fails the turn, and its calls do not run",
  async ({ agentOn, backend }) => {
    const all = wireEvents(backend, save('{"file":"a"}'));
    const events = all.slice(0, backend === "openai" ? -1 : -2);
    let ran = 0;
    await using run = await agentOn([{ stream: sse(events) }, {
      breaking: sse(events),
    }], () => Promise.resolve(++ran));
    const failures = [
      await assertRejects(() => run.agent.prompt("Save").result(), HostFailure),
      await assertRejects(() => run.agent.prompt("Save").result(), Error),
    ];
    assert(
      failures.every((failure) =>
        failure instanceof HostFailure && failure.kind === "backend"
      ),
    );
    assertEquals(ran, 0);
    assertEquals(
      run.agent.receipts.map(({ outcome, error }) => [outcome, error?.code]),
      [
        ["interrupted", "interrupted"],
        ["interrupted", "interrupted"],
      ],
    );
    assertEquals(run.agent.snapshot().history, []);
  },
);

// R21
onBoth(
  "an error in the middle of a stream keeps what the provider said, and is not tried again",
  async ({ agentOn, stream, backend }) => {
    const code = "overloaded_error";
    const error = backend === "openai"
      ? { type: "error", code, message: "bad day" }
      : { type: "error", error: { type: code, message: "bad day" } };
    const half = wireEvents(backend, { text: "half a" }).slice(0, 4);
    await using run = await agentOn([
      { stream: sse([...half, error]) },
      stream({ text: "hello" }),
    ]);
    const turn = run.agent.prompt("Tell");
    const failure = await assertRejects(() => turn.result(), HostFailure);
    assertEquals([failure.kind, failure.code, failure.retryable], [
      "backend",
      code,
      true,
    ]);
    assertStringIncludes(failure.message, "bad day");
    assertEquals(run.server.requests.length, 1);
    assertEquals((await run.agent.prompt("Hello").result()).text, "hello");
  },
);

// R24 a
onBoth(
  "a turn cancelled while its answer streams lets go of the connection and can be followed by another",
  async ({ agentOn, stream, backend }) => {
    const events = wireEvents(backend, { text: "a long answer" });
    await using run = await agentOn([
      { hanging: sse(events.slice(0, 4)) },
      stream({ text: "hello" }),
    ]);
    const turn = run.agent.prompt("Tell");
    for await (const event of turn) {
      if (event.type === "text") turn.cancel("stop");
    }
    assertEquals((await turn.result()).stopReason, "cancelled");
    assertEquals((await run.agent.prompt("Hello").result()).text, "hello");
    assertEquals(run.server.requests.length, 2);
  },
);

onBoth(
  "a turn's time also bounds the wait for the provider",
  async ({ agentOn }) => {
    await using run = await agentOn([{ hanging: ": waiting\n\n" }]);
    const turn = run.agent.prompt("Tell");
    const events: TurnEvent[] = [];
    for await (const event of turn) {
      events.push(event);
      if (event.type !== "step_started") continue;
      while (run.server.requests.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      run.clock.advance(300_000);
    }
    assertEquals((await turn.result()).exhausted, {
      budget: "turnMs",
      used: 300_000,
      limit: 300_000,
    });
  },
);

// R19
test("anthropic: a paused answer is sent back as it is, and goes on within the steps", async () => {
  const paused = [
    {
      type: "message_start",
      message: { usage: { input_tokens: 1, output_tokens: 1 } },
    },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "text", text: "I search." },
    },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: {
        type: "server_tool_use",
        id: "srv_1",
        name: "web_search",
        input: {},
      },
    },
    {
      type: "content_block_delta",
      index: 1,
      delta: { type: "input_json_delta", partial_json: '{"query":"x"}' },
    },
    { type: "content_block_stop", index: 1 },
    {
      type: "message_delta",
      delta: { stop_reason: "pause_turn" },
      usage: { output_tokens: 3 },
    },
    { type: "message_stop" },
  ];
  await using server = serveAnswers([
    { stream: sse(paused) },
    { stream: sse(wireEvents("anthropic", { text: "Found it." })) },
    { stream: sse(paused) },
    { stream: sse(paused) },
    { stream: sse(wireEvents("anthropic", { text: "Sure." })) },
  ]);
  await using agent = await open(
    { backend: "anthropic", model: "m", budget: { steps: 2 } },
    { ...manualAmbient(), apiKey: "test-key", baseUrl: server.url },
  );
  const result = await agent.prompt("Search").result();
  assertEquals([result.text, result.stopReason, result.steps], [
    "Found it.",
    "completed",
    2,
  ]);
  assertEquals(server.requests[1]?.body.messages, [
    { role: "user", content: [{ type: "text", text: "Search" }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: "I search." },
        {
          type: "server_tool_use",
          id: "srv_1",
          name: "web_search",
          input: { query: "x" },
        },
      ],
    },
  ]);
  assertEquals(
    (await agent.prompt("Again").result()).exhausted?.budget,
    "steps",
  );
  // What paused is over: the tool that the provider still ran is left out.
  assertEquals((await agent.prompt("And?").result()).text, "Sure.");
  assertEquals(server.requests[4]?.body.messages.slice(-2), [
    {
      role: "assistant",
      content: [
        { type: "text", text: "I search." },
        { type: "text", text: "I search." },
      ],
    },
    { role: "user", content: [{ type: "text", text: "And?" }] },
  ]);
});

// R19
for (
  const [backend, last] of [
    ["anthropic", {
      type: "message_delta",
      delta: { stop_reason: "new_reason" },
      usage: {},
    }],
    ["openai", {
      type: "response.incomplete",
      response: { incomplete_details: { reason: "new_reason" } },
    }],
  ] as const
) {
  test(`${backend}: a stop reason that is not known is told, runs nothing, and is no success`, async () => {
    const events = wireEvents(backend, save('{"file":"a"}'));
    const rest = backend === "anthropic"
      ? [last, { type: "message_stop" }]
      : [last];
    await using server = serveAnswers([{
      stream: sse([...events.slice(0, -rest.length), ...rest]),
    }]);
    let ran = 0;
    await using agent = await open({
      backend,
      model: "m",
      surfaces: ["direct"],
      tools: [{
        name: "save",
        description: "",
        parameters: { type: "object" },
      }],
    }, {
      ...manualAmbient(),
      apiKey: "test-key",
      baseUrl: `${server.url}/v1`,
      tools: { call: () => Promise.resolve(++ran) },
    });
    const result = await agent.prompt("Save").result();
    assertEquals([result.stopReason, result.providerStopReason, ran], [
      "other",
      "new_reason",
      0,
    ]);
    assertEquals(result.receipts.map(({ error }) => error?.code), ["not_run"]);
  });
}
