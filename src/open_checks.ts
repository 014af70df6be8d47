/**
 * What `open` and `openTools` check and prepare alike.
 *
 * @module
 */

import { type Ambient, systemAmbient } from "./ambient.ts";
import { loadEngine } from "./code_mode/load_engine.ts";
import type { AgentConfiguration } from "./configuration.ts";
import { configurationFailure, type Problem } from "./failure.ts";
import type { Surface } from "./receipt.ts";
import { Redaction } from "./redaction.ts";
import type { RuntimeOptions } from "./runtime_options.ts";
import { codeToolName, maxTools } from "./tools/tool_set.ts";

/** What is said of data that throws when it is read. */
export const unreadable =
  "cannot be read: a getter or a proxy in it threw; give plain data";

/** What the check finds, or that it could not read what it checks. */
export function readable(path: string, check: () => Problem[]): Problem[] {
  try {
    return check();
  } catch {
    return [{ path, reason: unreadable }];
  }
}

/** Where both surfaces are offered, `exec` takes one of the request's places. */
export function countProblems(
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
  'expected the compiled module of src/code_mode/engine.wasm, which the surface "code" needs and which cannot be loaded here; import it and hand it in, or ask for the surfaces ["direct"]';

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
  for (const value of Object.values(headers ?? {})) redaction.add(value);
  redaction.add(instructions);
  return redaction;
}
