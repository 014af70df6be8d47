/**
 * Opens tools for callers that are no model: checks everything, and reports
 * every problem at once, as `open.ts` does for an agent.
 *
 * Before it on the path: a program, a test, another protocol. After it:
 * `tool_access.ts`.
 *
 * @module
 */

import { completeBudget } from "./budget_check.ts";
import { CellStore } from "./code_mode/cell_store.ts";
import {
  type AgentConfiguration,
  givenConfigurationProblems,
} from "./configuration.ts";
import {
  ambientOf,
  type CheckedTools,
  checkTools,
  engineOf,
  openFailure,
  readable,
  redactionOf,
} from "./open_checks.ts";
import { givenOptionProblems, type RuntimeOptions } from "./runtime_options.ts";
import { surfaceTools } from "./surface_tools.ts";
import { ToolAccess } from "./tool_access.ts";

/**
 * Opens the tools of an agent for callers that are no model: a program, a test,
 * another protocol. A whole configuration and whole options will do; what only a
 * model needs is not read.
 *
 * What programs keep with `store` is kept as long as this object; open the tools
 * once for each user.
 *
 * @param config What can be called, and its limits; plain JSON.
 * @param options What only a live host can give.
 * @returns The tools, ready to be called.
 * @throws {HostFailure} Of kind `configuration`, with every problem and its path.
 *
 * @example
 * ```ts
 * import { openTools } from "@nanocode/wasm";
 * import { assertEquals } from "@std/assert";
 *
 * const access = await openTools({
 *   surfaces: ["direct"],
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
 *   tools: { call: (name, input) => Promise.resolve({ name, input }) },
 * });
 * const end = await access.call("lookup", { key: 1 });
 * assertEquals(end.tag === "error" && end.error.code, "invalid_input");
 * ```
 */
export async function openTools(
  config: Partial<AgentConfiguration>,
  options: RuntimeOptions,
): Promise<ToolAccess> {
  const { tools, surfaces } = check(config, options);
  const budget = completeBudget(config.budget);
  const ambient = ambientOf(options);
  const code = surfaces.includes("code")
    ? {
      wasm: await engineOf(options),
      store: new CellStore({}, budget.cellStoreBytes),
      budget,
      ambient,
    }
    : undefined;
  return new ToolAccess({
    tools: surfaceTools(tools, surfaces, code),
    budget,
    ambient,
    redaction: redactionOf(config, options),
  });
}

function check(
  config: Partial<AgentConfiguration>,
  options: RuntimeOptions,
): CheckedTools {
  const problems = [
    ...readable("config", () => givenConfigurationProblems(config)),
    ...readable("options", () => givenOptionProblems(options)),
  ];
  const checked = checkTools(config, options);
  if (checked.tag === "refused") problems.push(...checked.problems);
  else if (problems.length === 0) return checked;
  throw openFailure(problems);
}
