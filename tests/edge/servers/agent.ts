/**
 * The agents of the test servers: three kinds for each backend and surface, and
 * one whose sessions do not last. Runs on every platform.
 *
 * @module
 */

import type { BackendName } from "../../../src/backends/backend.ts";
import type { AgentConfiguration } from "../../../src/configuration.ts";
import type { Surface } from "../../../src/receipt.ts";
import type { RuntimeOptions } from "../../../src/runtime_options.ts";
import type { Auth } from "../../../edge/auth.ts";
import { ProblemError } from "../../../edge/problem.ts";
import { runTool, tools } from "./tools.ts";

/** What a test server is told. */
export type ServerEnvironment = {
  readonly NANOCODE_TOKEN?: string | undefined;
  readonly NANOCODE_PROVIDER_URL?: string | undefined;
};

/** What an agent is for. */
export type AgentKind =
  /** The usual budget. */
  | "main"
  /** A budget that is soon spent. */
  | "tight"
  /** Tools are declared, and nothing runs them. */
  | "bare";

/** One agent of a test server, at `/<name>`. */
export type ServedAgent = {
  readonly name: string;
  readonly config: AgentConfiguration;
  /** Whether its calls are run. */
  readonly configured: boolean;
  /** How long its sessions are kept, in milliseconds; the usual time without it. */
  readonly keepMs?: number;
};

/** All backends. */
export const backends: readonly BackendName[] = ["openai", "anthropic"];

/** All surfaces. */
export const surfaces: readonly Surface[] = ["direct", "code"];

/** The budgets of agents. */
export const budgets = {
  main: { callMs: 60_000, outputBytes: 4096 },
  tight: { callMs: 1200, turnMs: 3000, steps: 4, calls: 4 },
  bare: {},
} as const satisfies Record<AgentKind, AgentConfiguration["budget"]>;

/** The name of an agent. */
export function agentName(
  kind: AgentKind,
  backend: BackendName,
  surface: Surface,
): string {
  return `${kind}-${backend}-${surface}`;
}

function agent(
  kind: AgentKind,
  backend: BackendName,
  surface: Surface,
): ServedAgent {
  const model = backend === "openai" ? "gpt-5" : "claude-sonnet-4-5";
  const budget = budgets[kind];
  return {
    name: agentName(kind, backend, surface),
    config: { backend, model, surfaces: [surface], tools, budget },
    configured: kind !== "bare",
  };
}

/** The agents. Workers name one class for each, so their number is fixed. */
export const agents: readonly ServedAgent[] = [
  ...(["main", "tight", "bare"] as const).flatMap((kind) =>
    backends.flatMap((backend) =>
      surfaces.map((surface) => agent(kind, backend, surface))
    )
  ),
  { ...agent("main", "openai", "direct"), name: "brief", keepMs: 1000 },
];

/** What an agent lives on. */
export function options(
  { configured }: ServedAgent,
  env: ServerEnvironment,
  wasm?: WebAssembly.Module,
): RuntimeOptions {
  return {
    wasm,
    apiKey: "test-key-0123456789",
    baseUrl: env.NANOCODE_PROVIDER_URL,
    ...(configured ? { tools: { call: runTool } } : {}),
  };
}

/** Who may use them. */
export function auth({ NANOCODE_TOKEN }: ServerEnvironment): Auth {
  return { tokens: [NANOCODE_TOKEN] };
}

/** Logs what failed, but for the provider, which tests let fail on purpose. */
export function onError(error: unknown): void {
  const meant = error instanceof ProblemError &&
    error.code === "provider_failed";
  if (!meant) console.error(error);
}
