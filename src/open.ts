/**
 * Opens an agent: checks everything, and reports every problem at once.
 *
 * Before it on the path: the host's configuration and options. After it:
 * `agent.ts`.
 *
 * @module
 */

import { Agent, type AgentParts } from "./agent.ts";
import { anthropic } from "./backends/anthropic.ts";
import type {
  Backend,
  BackendName,
  ModelSettings,
} from "./backends/backend.ts";
import { openai } from "./backends/openai.ts";
import { completeBudget } from "./budget_check.ts";
import {
  type AgentConfiguration,
  configurationProblems,
} from "./configuration.ts";
import { CellStore } from "./code_mode/cell_store.ts";
import { ModelRequest } from "./model_request.ts";
import { optionProblems, type RuntimeOptions } from "./runtime_options.ts";
import {
  ambientOf,
  attempt,
  type CheckedTools,
  checkTools,
  engineOf,
  openFailure,
  readable,
  redactionOf,
} from "./open_checks.ts";
import { type AgentSnapshot, checkSnapshot } from "./snapshot.ts";
import { surfaceTools } from "./surface_tools.ts";

const backends: Readonly<Record<BackendName, Backend>> = { openai, anthropic };

/**
 * Opens an agent.
 *
 * @param config What the agent is; plain JSON.
 * @param options What only a live host can give.
 * @returns The agent; close it when done, or use `await using`.
 * @throws {HostFailure} Of kind `configuration`, with every problem of the
 * configuration, the tool set, the options and the snapshot, each with its path.
 *
 * @example
 * ```ts
 * import { open } from "@nanocode/wasm";
 * import { assertEquals } from "@std/assert";
 *
 * await using agent = await open({
 *   backend: "openai",
 *   model: "gpt-5",
 *   tools: [{
 *     name: "lookup",
 *     description: "Look up the value stored under a key.",
 *     parameters: {
 *       type: "object",
 *       properties: { key: { type: "string" } },
 *       required: ["key"],
 *     },
 *   }],
 * }, {
 *   apiKey: "key",
 *   tools: { call: (name, input) => Promise.resolve({ name, input }) },
 * });
 * assertEquals(agent.receipts, []);
 * ```
 */
export async function open(
  config: AgentConfiguration,
  options: RuntimeOptions,
): Promise<Agent> {
  const checked = checkAll(config, options);
  const parts = assemble(config, options, checked);
  if (!checked.surfaces.includes("code")) return new Agent(parts);
  return new Agent(withCode(parts, checked, await engineOf(options)));
}

type Checked = CheckedTools & {
  readonly snapshot: AgentSnapshot | undefined;
};

function checkAll(
  config: AgentConfiguration,
  options: RuntimeOptions,
): Checked {
  const problems = [
    ...readable("config", () => configurationProblems(config)),
    ...readable("options", () => optionProblems(options)),
  ];
  const checked = checkTools(config, options);
  if (checked.tag === "refused") problems.push(...checked.problems);
  const stored = attempt(
    "options.snapshot",
    () =>
      options?.snapshot === undefined
        ? undefined
        : checkSnapshot(options.snapshot, config?.backend),
  );
  if (stored?.tag === "refused") problems.push(...stored.problems);
  else if (checked.tag === "accepted" && problems.length === 0) {
    return { ...checked, snapshot: stored?.snapshot };
  }
  throw openFailure(problems);
}

function withCode(
  parts: AgentParts,
  { tools, surfaces }: Checked,
  wasm: WebAssembly.Module,
): AgentParts {
  const { store, budget, ambient, request } = parts;
  const code = { wasm, store, budget, ambient };
  const bySurface = surfaceTools(tools, surfaces, code);
  const offered = [...bySurface.direct.values()];
  return { ...parts, tools: bySurface, request: request.offering(offered) };
}

function assemble(
  config: AgentConfiguration,
  options: RuntimeOptions,
  { tools, surfaces, snapshot }: Checked,
): AgentParts {
  const backend = backends[config.backend];
  const redaction = redactionOf(config, options);
  const ambient = ambientOf(options);
  const budget = completeBudget(config.budget);
  const { apiKey } = options;
  return {
    backend,
    ambient,
    redaction,
    tools: surfaceTools(tools, surfaces, undefined),
    snapshot,
    budget,
    store: new CellStore(snapshot?.stored ?? {}, budget.cellStoreBytes),
    transport: {
      backend,
      baseUrl: (options.baseUrl ?? backend.defaultBaseUrl).replace(/\/+$/, ""),
      apiKey: typeof apiKey === "function" ? apiKey : () => apiKey,
      headers: options.headers ?? {},
      // Read at each call: a platform may only set it up in a request.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      ambient,
      redaction,
    },
    request: new ModelRequest(backend, {
      model: config.model,
      instructions: config.instructions,
      settings: settingsOf(config),
      tools: [...tools.values()],
    }),
  };
}

function settingsOf(config: AgentConfiguration): ModelSettings {
  const { maxOutputTokens, reasoningEffort } = config;
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
}
