/**
 * What the runtime itself costs: of a direct call, of a step, and how a turn's
 * cost grows with tools, history and arguments. No network: `fetch` is answered
 * in the process.
 *
 * @module
 */

import { type AgentConfiguration, open } from "nanocode-wasm";
import { readEvents } from "../../src/backends/sse.ts";
import { anthropic } from "../../src/backends/anthropic.ts";
import { openai } from "../../src/backends/openai.ts";
import type { BackendName } from "../../src/backends/backend.ts";
import { sse } from "../support/stream_server.ts";
import { type ScriptedStep, wireEvents } from "../support/wire.ts";
import { measure, printTimings } from "./measure.ts";

const parameters = {
  type: "object",
  properties: { key: { type: "string" } },
  required: ["key"],
};

function tools(count: number): AgentConfiguration["tools"] {
  return Array.from({ length: count }, (_, index) => ({
    name: index === 0 ? "lookup" : `tool_${index}`,
    description: "Look up the value stored under a key.",
    parameters,
  }));
}

const call = (_name: string, input: unknown) => Promise.resolve(input);

/** A `fetch` that gives these streams in turn, over and over. */
function answering(streams: readonly string[]): typeof fetch {
  const bodies = streams.map((text) => new TextEncoder().encode(text));
  let next = 0;
  return () =>
    Promise.resolve(
      new Response(bodies[next++ % bodies.length], {
        headers: { "content-type": "text/event-stream" },
      }),
    );
}

function stream(backend: BackendName, step: ScriptedStep): string {
  return sse(wireEvents(backend, step));
}

function lookups(count: number, key = "alpha"): ScriptedStep {
  return {
    calls: Array.from({ length: count }, (_, index) => ({
      id: `call_${index}`,
      name: "lookup",
      arguments: JSON.stringify({ key }),
    })),
  };
}

/** Runs a turn of an agent of its own. */
async function turn(
  backend: BackendName,
  streams: readonly string[],
  toolCount = 1,
): Promise<void> {
  const agent = await open(
    { backend, model: "m", surfaces: ["direct"], tools: tools(toolCount) },
    { apiKey: "key", tools: { call }, fetch: answering(streams) },
  );
  await agent.prompt("Look up").result();
}

async function overhead(backend: BackendName): Promise<void> {
  const done = stream(backend, { text: "done" });
  const ten = stream(backend, lookups(10));
  const none = stream(backend, { text: "done, and nothing to call" });
  const decoderOf = { openai, anthropic }[backend];
  const parse = async (text: string) => {
    const body = new Response(text).body;
    if (body === null) return;
    const decoder = decoderOf.decoder(() => true);
    for await (
      const { type, data } of readEvents(body, new AbortController().signal)
    ) {
      decoder.push(type, data ?? {});
    }
    decoder.finish();
  };
  printTimings(
    `${backend}: a direct call and a step`,
    await measure([
      {
        name: "calling the function 10 times",
        run: () =>
          Promise.all(
            Array.from({ length: 10 }, () => call("lookup", { key: "alpha" })),
          ),
      },
      {
        name: "parsing the streams alone",
        run: async () => {
          await parse(ten);
          await parse(done);
        },
      },
      { name: "a turn of one step", run: () => turn(backend, [none]) },
      {
        name: "a turn of two steps, 10 calls",
        run: () => turn(backend, [ten, done]),
      },
    ]),
  );
}

async function growth(): Promise<void> {
  const done = stream("openai", { text: "done" });
  const one = stream("openai", lookups(1));
  printTimings(
    "a turn with one call, by tools",
    await measure([1, 2, 16, 128].map((count) => ({
      name: `${count} tools`,
      run: () => turn("openai", [one, done], count),
    }))),
  );
  printTimings(
    "opening, by tools",
    await measure([1, 2, 16, 128].map((count) => ({
      name: `${count} tools`,
      run: () =>
        open({
          backend: "openai",
          model: "m",
          surfaces: ["direct"],
          tools: tools(count),
        }, { apiKey: "key" }),
    }))),
  );
  const agents = await Promise.all([1, 10, 100, 1000].map(async (items) => {
    const agent = await open(
      { backend: "openai", model: "m", surfaces: ["direct"] },
      { apiKey: "key", fetch: answering([done]) },
    );
    const history = Array.from({ length: items }, (_, index) => ({
      type: "user" as const,
      text: `What is number ${index}?`,
    }));
    const snapshot = { ...agent.snapshot(), history };
    return { items, snapshot };
  }));
  printTimings(
    "a turn of one step, by history",
    await measure(agents.map(({ items, snapshot }) => ({
      name: `${items} items`,
      run: async () => {
        const agent = await open(
          { backend: "openai", model: "m", surfaces: ["direct"] },
          { apiKey: "key", fetch: answering([done]), snapshot },
        );
        await agent.prompt("And now?").result();
      },
    }))),
  );
  printTimings(
    "a turn with one call, by the size of its arguments",
    await measure(
      [1, 10, 100, 1000].map((kilobytes) => {
        const large = stream(
          "openai",
          lookups(1, "x".repeat(kilobytes * 1000)),
        );
        return {
          name: `${kilobytes} kB`,
          run: () => turn("openai", [large, done]),
        };
      }),
      { rounds: 15 },
    ),
  );
}

/** Measures and prints. */
export async function benchDirect(): Promise<void> {
  await overhead("openai");
  await overhead("anthropic");
  await growth();
}
