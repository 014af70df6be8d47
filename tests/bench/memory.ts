/**
 * What is held while nothing happens: by an agent, by a turn that waits, by an
 * engine instance. Each is made many times over in a process of its own; what
 * that holds then, all garbage collected, is shared out.
 *
 * @module
 */

import { type Agent, type AgentConfiguration, open } from "nanocode-wasm";
import { bootImage, reset } from "../../src/code_mode/base_image.ts";
import { Engine } from "../../src/code_mode/engine.ts";
import { loadEngine } from "../../src/code_mode/load_engine.ts";
import { sse } from "../support/stream_server.ts";
import { wireEvents } from "../support/wire.ts";

/** Something to be held. */
type Load = {
  readonly name: string;
  readonly count: number;
  /** Makes one, and gives what keeps it. */
  make(): unknown;
};

const config: AgentConfiguration = {
  backend: "openai",
  model: "m",
  tools: [{
    name: "lookup",
    description: "Look up the value stored under a key.",
    parameters: {
      type: "object",
      properties: { key: { type: "string" } },
      required: ["key"],
    },
  }],
};

const never = new Promise<never>(() => {});

/** An agent whose model never answers, or whose tool never does. */
async function waiting(
  surface: "direct" | "code",
  call?: { readonly name: string; readonly arguments: string },
): Promise<Agent> {
  const called = Promise.withResolvers<void>();
  const body = call === undefined
    ? undefined
    : sse(wireEvents("openai", { calls: [{ id: "call_1", ...call }] }));
  const agent = await open({ ...config, surfaces: [surface] }, {
    apiKey: "key",
    fetch: () => {
      if (body !== undefined) return Promise.resolve(streamOf(body));
      called.resolve();
      return never;
    },
    tools: {
      call: () => {
        called.resolve();
        return never;
      },
    },
  });
  agent.prompt("Look up");
  await called.promise;
  return agent;
}

function streamOf(body: string): Response {
  return new Response(body, {
    headers: { "content-type": "text/event-stream" },
  });
}

function idle(surfaces: AgentConfiguration["surfaces"]): Promise<Agent> {
  return open({ ...config, surfaces }, { apiKey: "key" });
}

function loads(module: WebAssembly.Module): Load[] {
  const image = bootImage(new Engine(module));
  const argumentsText = '{"key":"alpha"}';
  const code = '{"code":"return await tools.lookup({ key: \\"alpha\\" })"}';
  return [
    {
      name: "idle agent, direct",
      count: 2000,
      make: () => idle(["direct"]),
    },
    {
      name: "idle agent, direct and code",
      count: 2000,
      make: () => idle(["direct", "code"]),
    },
    {
      name: "turn that waits for its model",
      count: 2000,
      make: () => waiting("direct"),
    },
    {
      name: "turn that waits for a tool",
      count: 2000,
      make: () =>
        waiting("direct", { name: "lookup", arguments: argumentsText }),
    },
    {
      name: "turn whose program waits for a tool",
      count: 16,
      make: () => waiting("code", { name: "exec", arguments: code }),
    },
    {
      name: "idle engine instance",
      count: 16,
      make: () => {
        const engine = new Engine(module);
        reset(engine, image);
        return engine;
      },
    },
    {
      name: "image of a booted engine",
      count: 16,
      make: () => bootImage(new Engine(module)),
    },
  ];
}

async function weigh({ name, count, make }: Load): Promise<object> {
  // What all of them share is there before the first is weighed.
  await make();
  const before = await used();
  const held: unknown[] = [];
  while (held.length < count) held.push(await make());
  const after = await used();
  const each = (part: "heapUsed" | "external" | "rss") =>
    Number(((after[part] - before[part]) / 1024 / held.length).toPrecision(3));
  return {
    name,
    count: held.length,
    "heap KiB": each("heapUsed"),
    "outside the heap KiB": each("external"),
    "process KiB": each("rss"),
  };
}

/** What the process holds once all garbage is gone. */
async function used(): Promise<Deno.MemoryUsage> {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") throw new Error("Run with --expose-gc");
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    collect();
  }
  return Deno.memoryUsage();
}

/** Weighs all in a process of its own, and prints. */
export async function benchMemory(): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-all",
      "--v8-flags=--expose-gc",
      import.meta.url,
    ],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("The process that is weighed failed");
}

if (import.meta.main) {
  const module = await loadEngine();
  if (module === undefined) throw new Error("No engine: run deno task build");
  console.log("\nmemory held by one, with nothing going on");
  const rows: object[] = [];
  for (const load of loads(module)) rows.push(await weigh(load));
  console.table(rows);
  // Turns that wait keep the process.
  Deno.exit(0);
}
