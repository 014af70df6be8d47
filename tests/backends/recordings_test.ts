// Streams that providers really sent, served at random chunk borders: the turn
// is the same whatever the borders are, and what came is sent back unharmed.

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type BackendName,
  HostFailure,
  open,
  type TurnResult,
} from "nanocode-wasm";
import { manualAmbient } from "../support/ambient.ts";
import {
  asSent,
  recordedEvents,
  recordingsAreThere,
  responsesOf,
} from "../support/recordings.ts";
import {
  type Answer,
  type SeenRequest,
  serveAnswers,
  sse,
} from "../support/stream_server.ts";
import { wireEvents } from "../support/wire.ts";

const seeds = [1, 2, 3, 4, 5];
const ignore = !recordingsAreThere();

type Run = {
  readonly result: TurnResult;
  readonly requests: readonly SeenRequest[];
};

/** Replays a recording, then the model says "done" for what is left. */
async function replay(
  backend: BackendName,
  path: string,
  tools: readonly string[],
  seed: number,
): Promise<Run> {
  const events = recordedEvents(path);
  const answers: Answer[] = responsesOf(events).map((response) => ({
    stream: asSent(response),
  }));
  answers.push({ stream: sse(wireEvents(backend, { text: "done" })) });
  await using server = serveAnswers(answers, seed);
  await using agent = await open({
    backend,
    model: "m",
    surfaces: ["direct"],
    tools: tools.map((name) => ({
      name,
      description: "",
      parameters: { type: "object" },
    })),
  }, {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: `${server.url}/v1`,
    tools: { call: (name) => Promise.resolve(`result of ${name}`) },
  });
  const result = await agent.prompt("Go").result();
  return { result, requests: server.requests };
}

type Expected = {
  readonly backend: BackendName;
  readonly tools?: readonly string[];
  /** The start of the final text. */
  readonly text: string;
  readonly calls?:
    readonly (readonly [tool: string, input: unknown, outcome: string])[];
  readonly stopReason?: string;
};

const recordings: Readonly<Record<string, Expected>> = {
  "openai/openai-reasoning-encrypted-content.1": {
    backend: "openai",
    tools: ["calculator"],
    text: "The final result is **570**.",
    calls: [
      ["calculator", { a: 12, b: 7, op: "add" }, "succeeded"],
      ["calculator", { a: 19, b: 3, op: "multiply" }, "succeeded"],
      ["calculator", { a: 57, b: 10, op: "multiply" }, "succeeded"],
    ],
  },
  "openai/lmstudio-tool-call.1": {
    backend: "openai",
    tools: ["weather"],
    text: "done",
    calls: [["weather", { location: "San Francisco" }, "succeeded"]],
  },
  "openai/openai-custom-tool.1": {
    backend: "openai",
    text: "done",
    calls: [[
      "write_sql",
      { input: "SELECT * FROM users WHERE age > 25" },
      "rejected",
    ]],
  },
  "openai/openai-phase.1": {
    backend: "openai",
    text: "Here are a few **AI headlines",
  },
  "openai/github-copilot-id-rotation.1": {
    backend: "openai",
    text: "There are **3** letter",
  },
  "openai/parallel-tool-call-wrapper.1": {
    backend: "openai",
    tools: ["weather", "cityAttractions"],
    text: "done",
    calls: [
      ["weather", { location: "San Francisco" }, "succeeded"],
      ["cityAttractions", { city: "Rome" }, "succeeded"],
    ],
  },
  "anthropic/anthropic-text": { backend: "anthropic", text: "" },
  "anthropic/anthropic-tool-no-args": {
    backend: "anthropic",
    tools: ["updateIssueList"],
    text: "done",
    calls: [["updateIssueList", {}, "succeeded"]],
  },
  "anthropic/anthropic-json-other-tool.1": {
    backend: "anthropic",
    tools: ["weather"],
    text: "done",
    calls: [["weather", { location: "San Francisco" }, "succeeded"]],
  },
  "anthropic/anthropic-clear-thinking.1": { backend: "anthropic", text: "" },
  "anthropic/anthropic-refusal": {
    backend: "anthropic",
    text: "",
    stopReason: "refused",
  },
  "anthropic/anthropic-message-delta-input-tokens": {
    backend: "anthropic",
    text: "",
  },
  "anthropic/duplicate-message-start": {
    backend: "anthropic",
    text: "Hello, World!",
  },
};

for (const [path, expected] of Object.entries(recordings)) {
  Deno.test({
    name: `a recorded stream gives the same turn at any chunk borders: ${path}`,
    // Without the recordings there is nothing to replay; CI has them.
    ignore,
    async fn() {
      const runs: Run[] = [];
      for (const seed of seeds) {
        runs.push(
          await replay(expected.backend, path, expected.tools ?? [], seed),
        );
      }
      const [first] = runs;
      for (const run of runs) {
        assertEquals(run.result, first?.result);
        assertEquals(
          run.requests.map(({ body }) => body),
          first?.requests.map(({ body }) => body),
        );
      }
      assertStringIncludes(first?.result.text ?? "", expected.text);
      assertEquals(
        first?.result.stopReason,
        expected.stopReason ?? "completed",
      );
      assertEquals(
        first?.result.receipts.map((
          { tool, input, outcome },
        ) => [tool, input, outcome]),
        (expected.calls ?? []).map((call) => [...call]),
      );
    },
  });
}

// R17
Deno.test({
  name:
    "every finished item of a recorded answer is sent back as it came, in order",
  ignore,
  async fn() {
    for (const [path, { backend, tools = [] }] of Object.entries(recordings)) {
      if (backend !== "openai" || tools.length === 0) continue;
      const events = recordedEvents(path);
      const { requests } = await replay(backend, path, tools, 9);
      const answers = responsesOf(events).map((response) =>
        response.filter(({ type }) => type === "response.output_item.done").map(
          ({ item }) => item,
        )
      );
      const sent: unknown[] = requests.at(-1)?.body.input;
      const received = answers.flat().slice(
        0,
        sent.filter((item) => !isOurs(item)).length,
      );
      assertEquals(sent.filter((item) => !isOurs(item)), received, path);
    }
  },
});

function isOurs(item: unknown): boolean {
  const { type, role } = Object(item);
  return type === "function_call_output" ||
    type === "custom_tool_call_output" || role === "user";
}

// R18
Deno.test({
  name: "recorded thinking is sent back with its signature, byte for byte",
  ignore,
  async fn() {
    const events = recordedEvents("anthropic/anthropic-clear-thinking.1");
    const deltas = events.filter(({ type }) => type === "content_block_delta")
      .map(({ delta }) => Object(delta));
    const joined = (kind: string, field: string) =>
      deltas.filter(({ type }) => type === kind).map((delta) => delta[field])
        .join("");
    await using server = serveAnswers([
      { stream: asSent(events) },
      { stream: sse(wireEvents("anthropic", { text: "done" })) },
    ], 3);
    await using agent = await open({ backend: "anthropic", model: "m" }, {
      ...manualAmbient(),
      apiKey: "test-key",
      baseUrl: server.url,
    });
    await agent.prompt("Think").result();
    await agent.prompt("And?").result();
    const [thinking, text] = server.requests[1]?.body.messages[1].content ?? [];
    assertEquals(thinking, {
      type: "thinking",
      thinking: joined("thinking_delta", "thinking"),
      signature: joined("signature_delta", "signature"),
    });
    assertEquals(text, { type: "text", text: joined("text_delta", "text") });
  },
});

// R21
Deno.test({
  name:
    "a recorded error keeps the provider's code, is not tried again, and fails the turn",
  ignore,
  async fn() {
    for (const seed of seeds) {
      const failure = await assertRejects(
        () => replay("openai", "openai/openai-error.1", [], seed),
        HostFailure,
      );
      assertEquals([failure.kind, failure.code, failure.retryable], [
        "backend",
        "insufficient_quota",
        false,
      ]);
      assertStringIncludes(failure.message, "You exceeded your current quota");
    }
  },
});

Deno.test({
  name: "usage that only comes with the last delta is counted",
  ignore,
  async fn() {
    const { result } = await replay(
      "anthropic",
      "anthropic/anthropic-message-delta-input-tokens",
      [],
      1,
    );
    assertEquals([result.usage.inputTokens, result.usage.outputTokens], [
      61,
      2,
    ]);
  },
});

// A parallel wrapper is one call of the provider's: it gets one output.
Deno.test({
  name:
    "a recorded wrapper call is answered once, with the results of all it held",
  ignore,
  async fn() {
    const { requests } = await replay(
      "openai",
      "openai/parallel-tool-call-wrapper.1",
      ["weather", "cityAttractions"],
      1,
    );
    const outputs: unknown[] = requests[1]?.body.input.filter((item: unknown) =>
      Object(item).type === "function_call_output"
    );
    assertEquals(outputs, [{
      type: "function_call_output",
      call_id: "call_parallel",
      output: JSON.stringify([
        { tool: "weather", output: '"result of weather"' },
        { tool: "cityAttractions", output: '"result of cityAttractions"' },
      ]),
    }]);
  },
});
