/**
 * The main job, as one command: a model looks two keys up at once with the
 * specification's `lookup` tool, on each backend, directly and from code.
 *
 * Without keys it talks to an embedded server that speaks both wires; with
 * `OPENAI_API_KEY` or `ANTHROPIC_API_KEY` to the provider itself. `--json` prints
 * one JSON document a line. Exits with 1 if anything is not as expected.
 *
 * @module
 */

import {
  type AgentConfiguration,
  type BackendName,
  HostFailure,
  type HostTool,
  open,
  type Receipt,
  type RuntimeOptions,
  type Surface,
} from "@nanocode/wasm";
import { startDemoModel } from "./demo_model.ts";
import { createReport, type Report } from "./demo_report.ts";
import type { EmbeddedModel } from "./embedded_model.ts";

const prompt =
  "Look up alpha and beta, both at once, and tell me their values.";

const lookup: HostTool = {
  name: "lookup",
  description: "Look up the value stored under a key.",
  parameters: {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
  },
};

const tools: RuntimeOptions["tools"] = {
  call: async (name, input) => {
    const { key } = input as { key: string };
    // As long as a lookup over the network takes: the overlap of parallel calls
    // shows in the receipts.
    await new Promise((resolve) => setTimeout(resolve, 40));
    return { name, value: key.toUpperCase() };
  },
};

type Provider = {
  readonly backend: BackendName;
  readonly model: string;
  readonly key: string | undefined;
};

function providers(): Provider[] {
  return [
    {
      backend: "openai",
      model: Deno.env.get("OPENAI_MODEL") ?? "gpt-5-mini",
      key: Deno.env.get("OPENAI_API_KEY") || undefined,
    },
    {
      backend: "anthropic",
      model: Deno.env.get("ANTHROPIC_MODEL") ?? "claude-sonnet-4-5",
      key: Deno.env.get("ANTHROPIC_API_KEY") || undefined,
    },
  ];
}

async function runOne(
  { backend, model, key }: Provider,
  surface: Surface,
  embedded: EmbeddedModel,
  report: Report,
): Promise<string[]> {
  const config: AgentConfiguration = {
    backend,
    model,
    instructions: "Use the tools. Answer in one short sentence.",
    tools: [lookup],
    surfaces: [surface],
  };
  const where = key === undefined ? "embedded server" : "provider";
  report.start({ backend, surface, model, where, prompt });
  await using agent = await open(config, {
    tools,
    ...(key === undefined
      ? { apiKey: "embedded", baseUrl: embedded.baseUrl }
      : { apiKey: key }),
  });
  const turn = agent.prompt(prompt);
  await report.turn(turn);
  const result = await turn.result();
  return unexpected(result.stopReason, result.text, result.receipts);
}

/** What is not as it should be. */
function unexpected(
  stopReason: string,
  text: string,
  receipts: readonly Receipt[],
): string[] {
  const lookups = receipts.filter(({ tool }) => tool === "lookup");
  const [first, second] = lookups;
  const checks: [boolean, string][] = [
    [stopReason === "completed", `the turn ended with "${stopReason}"`],
    [lookups.length === 2, `${lookups.length} lookups instead of 2`],
    [
      receipts.every(({ outcome }) => outcome === "succeeded"),
      "a call did not succeed",
    ],
    [
      first?.endedAt !== undefined && second?.startedAt !== undefined &&
      second.startedAt < first.endedAt,
      "the calls did not overlap",
    ],
    [/ALPHA/.test(text) && /BETA/.test(text), `the answer was "${text}"`],
  ];
  return checks.flatMap(([fine, problem]) => fine ? [] : [problem]);
}

async function main(): Promise<number> {
  const report = createReport(Deno.args.includes("--json"));
  await using embedded = await startDemoModel();
  const problems: string[] = [];
  for (const provider of providers()) {
    for (const surface of ["direct", "code"] as const) {
      const name = `${provider.backend}, ${surface}`;
      try {
        const found = await runOne(provider, surface, embedded, report);
        problems.push(...found.map((problem) => `${name}: ${problem}`));
      } catch (error) {
        if (!(error instanceof HostFailure)) throw error;
        problems.push(`${name}: ${error.message}`);
      }
    }
  }
  report.end(problems);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
