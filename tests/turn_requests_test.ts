// What a turn sends to the provider: whatever became of its calls, the next
// request is one that both providers take, and tells the model what happened.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { open } from "nanocode-wasm";
import { assertSound } from "./fuzz/sound_history.ts";
import { manualAmbient } from "./support/ambient.ts";
import { settled } from "./support/call_bench.ts";
import { waiting } from "./support/scripted_fetch.ts";
import { sse } from "./support/stream_server.ts";
import { call, codes, onBoth, told, tools } from "./support/turn_bench.ts";
import { type ScriptedStep, wireEvents } from "./support/wire.ts";

// R01
for (const text of ["", " \n", "{}"]) {
  onBoth(
    `a call with the arguments ${
      JSON.stringify(text)
    } gets {}, and is sent back with {}`,
    async ({ backend, opened }) => {
      const inputs: unknown[] = [];
      const { agent, sent } = await opened([
        { calls: [call("ping", text), call("lookup", text)] },
        { text: "done" },
      ], (_name, input) => Promise.resolve(inputs.push(input)));
      const { receipts } = await agent.prompt("Go").result();
      assertEquals(inputs, [{}]);
      // Empty arguments are judged like any others.
      assertEquals(receipts.map(({ error }) => error?.code), [
        undefined,
        "invalid_input",
      ]);
      const { input, messages } = sent[1]?.body ?? {};
      assertEquals(
        backend === "openai"
          ? input[1].arguments
          : messages[1].content[0].input,
        backend === "openai" ? (text.trim() || "{}") : {},
      );
      assertSound(backend, sent[1]?.body, text);
    },
  );
}

// R05, R06
onBoth(
  "calls that end in every way are answered once each, in the order in which they were made",
  async ({ backend, opened }) => {
    const last = Promise.withResolvers<void>();
    const { agent, sent } = await opened([
      {
        text: "Let me see.",
        calls: [
          call("lookup", '{"key":"slow"}', "c1"),
          call("lookup", '{"key":"broken"}', "c2"),
          call("nothing", "{}", "c3"),
          call("lookup", '{"key":7}', "c4"),
          call("lookup", '{"key":"cut', "c5"),
          call("lookup", '{"key":"quick"}', "c6"),
          call("ping", "{}", "c7"),
        ],
      },
      { text: "Well." },
      { text: "Bye." },
    ], async (_name, input) => {
      const { key } = Object(input);
      if (key === "broken") throw new Error("no");
      if (key === "quick") last.resolve();
      if (key === "slow") await last.promise;
      return key;
    }, { budget: { calls: 3 } });
    await agent.prompt("Go").result();
    await agent.prompt("And?").result();
    const expected = [
      '"slow"',
      "tool_failed",
      "unknown_tool",
      "invalid_input",
      "invalid_json",
      '"quick"',
      "budget_spent",
    ];
    for (const request of sent.slice(1)) {
      assertEquals(codes(told(request)), expected);
      assertSound(backend, request.body, "every end");
    }
    if (backend === "openai") return;
    assertEquals(told(sent[1]).map(({ isError }) => isError), [
      false,
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
  },
);

// R13
onBoth(
  "null is no absent property: it is refused where the schema has none, and kept where it has",
  async ({ opened }) => {
    const inputs: unknown[] = [];
    const { agent, sent } = await opened([
      {
        calls: [
          call("lookup", '{"key":"a","limit":null}', "c1"),
          call("lookup", '{"key":"b","note":null}', "c2"),
        ],
      },
      { text: "done" },
    ], (_name, input) => Promise.resolve(inputs.push(input)));
    await agent.prompt("Go").result();
    assertEquals(inputs, [{ key: "b", note: null }]);
    assertStringIncludes(
      told(sent[1])[0]?.text ?? "",
      "input.limit: expected an integer, got null",
    );
  },
);

// R24 a
onBoth(
  "a turn that is cancelled while arguments stream leaves no call behind",
  async ({ backend, reply, opened }) => {
    const step = { calls: [call("lookup", '{"key":"alpha"}')] };
    const events = wireEvents(backend, step);
    const half = events.findIndex(({ type }) => /delta$/.test(type)) + 1;
    let cancel = () => {};
    let ran = 0;
    const { agent, sent } = await opened([
      waiting(events.slice(0, half), () => cancel()),
      reply({ text: "done" }),
    ], () => Promise.resolve(++ran));
    const turn = agent.prompt("Go");
    cancel = () => turn.cancel("enough");
    const { stopReason, receipts } = await turn.result();
    assertEquals([stopReason, receipts, ran], ["cancelled", [], 0]);
    assertEquals((await agent.prompt("Again").result()).text, "done");
    assertEquals(told(sent[1]), []);
    assertSound(backend, sent[1]?.body, "cancelled while streaming");
  },
);

// R24 b, c
onBoth(
  "a turn that is cancelled among its calls keeps what ended, and answers the rest",
  async ({ backend, opened }) => {
    const waits = Promise.withResolvers<void>();
    const { agent, sent } = await opened([
      {
        calls: [
          call("lookup", '{"key":"alpha"}', "c1"),
          call("lookup", '{"key":"beta"}', "c2"),
        ],
      },
      { text: "done" },
    ], (_name, input) => {
      if (Object(input).key === "alpha") return Promise.resolve("A");
      waits.resolve();
      return new Promise(() => {});
    });
    const turn = agent.prompt("Go");
    await waits.promise;
    await settled();
    turn.cancel("enough");
    turn.cancel("again");
    assertEquals((await turn.result()).stopReason, "cancelled");
    await agent.prompt("Go on").result();
    assertEquals(codes(told(sent[1])), ['"A"', "cancelled"]);
    assertSound(backend, sent[1]?.body, "cancelled among calls");
  },
);

// R52
onBoth(
  "a turn holds no more than one stream of the provider's open",
  async ({ backend }) => {
    let openStreams = 0;
    const atStart: number[] = [];
    const step = { calls: [call("ping", "{}")] };
    const answers: ScriptedStep[] = [step, step, step, { text: "done" }];
    await using agent = await open(
      { backend, model: "m", surfaces: ["direct"], tools },
      {
        ...manualAmbient(),
        apiKey: "test-key",
        tools: { call: () => Promise.resolve() },
        fetch: () => {
          atStart.push(openStreams);
          const answer = answers.shift() ?? { text: "done" };
          const bytes = new TextEncoder().encode(
            sse(wireEvents(backend, answer)),
          );
          openStreams++;
          let given = false;
          const body = new ReadableStream<Uint8Array>({
            pull(controller) {
              if (!given) controller.enqueue(bytes);
              else {
                openStreams--;
                controller.close();
              }
              given = true;
            },
            cancel: () => void openStreams--,
          }, { highWaterMark: 0 });
          return Promise.resolve(
            new Response(body, {
              headers: { "content-type": "text/event-stream" },
            }),
          );
        },
      },
    );
    assertEquals((await agent.prompt("Go").result()).text, "done");
    assertEquals([atStart, openStreams], [[0, 0, 0, 0], 0]);
  },
);
