// The reporter on turns as they run.

import { assertEquals, assertRejects } from "@std/assert";
import {
  defineTools,
  HostFailure,
  open,
  reportTurn,
  type TurnEvent,
} from "nanocode-wasm";
import { EventLog } from "../../src/events.ts";
import { manualAmbient, ManualClock } from "../support/ambient.ts";
import { scriptedModel } from "../support/model.ts";
import { test } from "../support/permissions.ts";
import { stepOfCalls } from "../support/surface.ts";
import "../support/engine.ts";

const { tools, call } = defineTools({
  lookup: {
    description: "Look up a key.",
    parameters: {
      type: "object",
      properties: { key: { type: "string" } },
      required: ["key"],
    },
    run: ({ key }) => key.toUpperCase(),
  },
});

test("reportTurn() writes a turn with a direct call and a program's calls", async () => {
  const lookup = (key: string) => ({ name: "lookup", input: { key } });
  await using model = await scriptedModel([
    stepOfCalls("direct", [lookup("alpha")]),
    stepOfCalls("code", [lookup("beta"), { name: "lookup", input: {} }]),
    { text: "ALPHA and BETA." },
  ]);
  const ambient = manualAmbient();
  await using agent = await open({
    backend: "openai",
    model: "gpt-5",
    tools,
    budget: { steps: 5, calls: 10 },
  }, { ...ambient, apiKey: "key", baseUrl: model.baseUrl, tools: { call } });
  let text = "";
  await reportTurn(agent.prompt("Look up"), {
    write: (part) => text += part,
    clock: ambient.clock,
    budget: { steps: 5, calls: 10 },
  });
  assertEquals(
    text.replace(/\d+ tokens in, \d+ out/, "tokens")
      .replace(/(#2 exec succeeded in 0 ms: ).+/, "$1…").split("\n"),
    [
      "Step 1",
      '  #1 lookup {"key":"alpha"}',
      '  #1 lookup succeeded in 0 ms: "ALPHA"',
      "Step 2",
      "  #2 exec",
      '     | return await Promise.allSettled([tools["lookup"]({"key":"beta"}), tools["lookup"]({})]);',
      '    #2.1 lookup {"key":"beta"}',
      "    #2.2 lookup {}",
      '    #2.2 lookup rejected: ToolError: the arguments do not fit the tool\'s schema. The tool did not run. input.key: expected required property "key", got missing',
      '    #2.1 lookup succeeded in 0 ms: "BETA"',
      "  #2 exec succeeded in 0 ms: …",
      "Step 3",
      "ALPHA and BETA.",
      "Completed after 0 ms: 3 of 5 steps, 2 of 10 calls, tokens",
      "",
    ],
  );
  assertEquals(ambient.clock.pending, 0);
});

Deno.test("reportTurn() writes whole lines to the console where nothing takes the text", async () => {
  const log = console.log;
  const lines: unknown[] = [];
  console.log = (...line: unknown[]) => lines.push(line);
  try {
    await reportTurn(
      read([
        { type: "text", turnId: "t", step: 1, delta: "one\ntw" },
        { type: "text", turnId: "t", step: 1, delta: "o" },
      ]),
      { clock: new ManualClock() },
    );
  } finally {
    console.log = log;
  }
  assertEquals(lines, [["one"], ["two"]]);
});

Deno.test("reportTurn() tells the end of a turn that failed, then throws its failure", async () => {
  await using agent = await open(
    { backend: "openai", model: "gpt-5", budget: { retries: 0 } },
    {
      ...manualAmbient(),
      apiKey: "key",
      fetch: () => Promise.resolve(new Response("{}", { status: 400 })),
    },
  );
  let text = "";
  const clock = new ManualClock();
  await assertRejects(
    () =>
      reportTurn(agent.prompt("Go"), { write: (part) => text += part, clock }),
    HostFailure,
  );
  assertEquals(text.split("\n")[0], "Step 1");
  assertEquals(text.split("\n")[1]?.startsWith("Failed (backend 400"), true);
  assertEquals(clock.pending, 0);
});

Deno.test("reportTurn() says what the turn is at after each quiet while", async () => {
  const clock = new ManualClock(0);
  const events = new EventLog();
  let text = "";
  const ended = reportTurn(events.read(), {
    write: (part) => text += part,
    clock,
    progressMs: 5_000,
  });
  clock.advance(4_999);
  assertEquals(text, "");
  clock.advance(1);
  assertEquals(text, "… 5 s: waiting for the model\n");
  events.push({ type: "text", turnId: "t", step: 1, delta: "Hm" });
  await settled();
  // The event began a new while.
  clock.advance(4_999);
  assertEquals(text, "… 5 s: waiting for the model\nHm");
  clock.advance(5_001);
  assertEquals(
    text,
    "… 5 s: waiting for the model\nHm\n… 10 s: waiting for the model\n… 15 s: waiting for the model\n",
  );
  events.push(end);
  await ended;
  assertEquals(clock.pending, 0);
});

Deno.test("reportTurn() sets no timer where progress is switched off", async () => {
  for (const progressMs of [0, -1, NaN, Infinity, 2 ** 31]) {
    const clock = new ManualClock();
    const events = new EventLog();
    const ended = reportTurn(events.read(), {
      write: () => {},
      clock,
      progressMs,
    });
    assertEquals(clock.pending, 0);
    events.push(end);
    await ended;
  }
});

Deno.test("what write throws comes out of reportTurn(), also where no event made it write", async () => {
  const write = () => {
    throw new Error("the pipe is closed");
  };
  await assertRejects(
    () => reportTurn(read([end]), { write, clock: new ManualClock() }),
    Error,
    "the pipe is closed",
  );
  const clock = new ManualClock();
  const events = new EventLog();
  const ended = reportTurn(events.read(), { write, clock });
  clock.advance(60_000);
  assertEquals(clock.pending, 0);
  events.push(end);
  await assertRejects(() => ended, Error, "the pipe is closed");
});

const end: TurnEvent = {
  type: "end",
  turnId: "t",
  at: 0,
  stopReason: "completed",
  text: "",
  usage: {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
  },
  steps: 1,
};

async function* read(
  events: readonly TurnEvent[],
): AsyncGenerator<TurnEvent, void, undefined> {
  for (const event of events) yield await Promise.resolve(event);
}

/** Lets what is ready run: a reader takes a few microtasks for an event. */
async function settled(): Promise<void> {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve();
}
