/**
 * This package as a whole: an agent, a turn of two steps, and in it a call of
 * `exec`. The model's answers come from memory.
 *
 * @module
 */

import type { AgentConfiguration } from "nanocode-wasm";
import { sse } from "../../support/stream_server.ts";
import { wireEvents } from "../../support/wire.ts";
import { type RunCell, serve } from "./contestant.ts";
import { tools } from "./workloads.ts";

const config: AgentConfiguration = {
  backend: "openai",
  model: "m",
  surfaces: ["code"],
  tools: Object.keys(tools).map((name) => ({
    name,
    description: `The tool ${name}`,
    parameters: { type: "object" },
  })),
};

async function load(): Promise<RunCell> {
  const [{ open }, { loadEngine }] = await Promise.all([
    import("nanocode-wasm"),
    import("../../../src/code_mode/load_engine.ts"),
  ]);
  const wasm = await loadEngine();
  if (wasm === undefined) throw new Error("No engine: run deno task build");
  return async (code) => {
    const agent = await open(config, {
      apiKey: "key",
      wasm,
      tools: { call: async (name, input) => await tools[name]?.(input) },
      fetch: answering(code),
    });
    const { receipts } = await agent.prompt("Go").result();
    const receipt = receipts.find(({ tool }) => tool === "exec");
    const output = receipt?.output;
    if (typeof output === "object" && output !== null && "result" in output) {
      return output.result;
    }
    throw new Error(receipt?.error?.message ?? "exec left no result");
  };
}

/** A model that calls `exec` with this program, and then is done. */
function answering(code: string): typeof fetch {
  const argumentsText = JSON.stringify({ code });
  const call = { id: "call_1", name: "exec", arguments: argumentsText };
  const steps = [{ calls: [call] }, { text: "done" }];
  return () => {
    const body = sse(wireEvents("openai", steps.shift() ?? {}));
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
}

await serve(load);
