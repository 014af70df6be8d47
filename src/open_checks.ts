/**
 * What `open` and `openTools` check and prepare alike.
 *
 * @module
 */

import { type Ambient, systemAmbient } from "./ambient.ts";
import { loadEngine } from "./code_mode/load_engine.ts";
import type { AgentConfiguration } from "./configuration.ts";
import {
  configurationFailure,
  type HostFailure,
  type Problem,
} from "./failure.ts";
import type { Surface } from "./receipt.ts";
import { Redaction } from "./redaction.ts";
import type { RuntimeOptions } from "./runtime_options.ts";
import { surfacesOf } from "./surface_tools.ts";
import {
  codeToolName,
  createToolSet,
  maxTools,
  type ToolSet,
} from "./tools/tool_set.ts";

/** The checked tools, and the surfaces that they are offered on. */
export type CheckedTools = {
  readonly tools: ToolSet;
  readonly surfaces: readonly Surface[];
};

/** Everything that is wrong with what was checked. */
export type Refused = {
  readonly tag: "refused";
  readonly problems: readonly Problem[];
};

/** Checked tools, or everything that is wrong with them. */
export type ToolsCheck =
  | ({ readonly tag: "accepted" } & CheckedTools)
  | Refused;

const unreadable =
  "cannot be read: a getter or a proxy in it threw; give plain data";

/** What `check` gives, or that it could not read what it checks. */
export function readable(path: string, check: () => Problem[]): Problem[] {
  try {
    return check();
  } catch {
    return [{ path, reason: unreadable }];
  }
}

/** As {@link readable}, of a check that also gives what it accepts. */
export function attempt<Check>(
  path: string,
  check: () => Check,
): Check | Refused {
  try {
    return check();
  } catch {
    return { tag: "refused", problems: [{ path, reason: unreadable }] };
  }
}

/** Checks the tools of a configuration, and that they fit its surfaces. */
export function checkTools(
  config: Partial<AgentConfiguration>,
  options: RuntimeOptions,
): ToolsCheck {
  return attempt("config", (): ToolsCheck => {
    const set = createToolSet(config?.tools, options?.tools);
    if (set.tag === "refused") return set;
    const { tools } = set;
    const surfaces = surfacesOf(config?.surfaces, tools.size);
    const problems = countProblems(tools.size, surfaces);
    return problems.length > 0
      ? { tag: "refused", problems }
      : { tag: "accepted", tools, surfaces };
  });
}

/** One failure for all problems; what cannot be read is told once. */
export function openFailure(problems: readonly Problem[]): HostFailure {
  const first = problems.findIndex(({ reason }) => reason === unreadable);
  return configurationFailure(
    problems.filter(({ reason }, index) =>
      reason !== unreadable || index === first
    ),
  );
}

/** Where both surfaces are offered, `exec` takes one of the request's places. */
function countProblems(
  count: number,
  surfaces: readonly Surface[],
): Problem[] {
  if (count < maxTools || surfaces.length < 2) return [];
  return [{
    path: "tools",
    reason: `expected at most ${
      maxTools - 1
    } tools beside "${codeToolName}"; drop one, or ask for one of the surfaces only`,
  }];
}

/** The engine that was handed in, or the one that can be loaded here. */
export async function engineOf(
  { wasm }: RuntimeOptions,
): Promise<WebAssembly.Module> {
  const engine = wasm ?? await loadEngine();
  if (engine !== undefined) return engine;
  throw configurationFailure([{ path: "options.wasm", reason: engineMissing }]);
}

const engineMissing =
  'expected the compiled module of src/code_mode/engine.wasm, which the surface "code" needs and which cannot be loaded here; import engine from "@nanocode/wasm/engine" (on Node from "@nanocode/wasm/engine-node") and hand it in, or ask for the surfaces ["direct"]';

/** Time, ids and chance: those of the options, else the platform's. */
export function ambientOf(
  { clock, newId, random }: RuntimeOptions,
): Ambient {
  return {
    clock: clock ?? systemAmbient.clock,
    newId: newId ?? systemAmbient.newId,
    random: random ?? systemAmbient.random,
  };
}

/** What keeps the secrets of a configuration and its options out of messages. */
export function redactionOf(
  { instructions }: Partial<AgentConfiguration>,
  { apiKey, headers }: RuntimeOptions,
): Redaction {
  const redaction = new Redaction();
  if (typeof apiKey === "string") redaction.add(apiKey);
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (plainHeaders.has(name.toLowerCase())) continue;
    redaction.add(value);
    for (const part of credentialsIn(value)) redaction.add(part);
  }
  redaction.add(instructions);
  return redaction;
}

/** Headers that hold no secret: an error that names their value helps. */
const plainHeaders: ReadonlySet<string> = new Set([
  "accept",
  "anthropic-beta",
  "anthropic-version",
  "content-type",
  "openai-beta",
  "user-agent",
]);

/** What an error may repeat of a header's value: the part behind a scheme. */
function credentialsIn(value: string): string[] {
  const [, scheme = "", credential = ""] =
    /^\s*(\S+)\s+(\S+)\s*$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== "basic") return [credential];
  try {
    const pair = atob(credential);
    return [credential, pair, pair.slice(pair.indexOf(":") + 1)];
  } catch {
    return [credential];
  }
}
