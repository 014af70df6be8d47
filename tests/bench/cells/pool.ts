/**
 * This package's sandbox, as the tool `exec` uses it.
 *
 * @module
 */

import { type RunCell, serve } from "./contestant.ts";
import { tools } from "./workloads.ts";

async function load(): Promise<RunCell> {
  const [{ createPool }, { loadEngine }, { defaultCellLimits }, ambient] =
    await Promise.all([
      import("../../../src/code_mode/pool.ts"),
      import("../../../src/code_mode/load_engine.ts"),
      import("../../support/cell_limits.ts"),
      import("../../../src/ambient.ts"),
    ]);
  const engine = await loadEngine();
  if (engine === undefined) throw new Error("No engine: run deno task build");
  const pool = createPool(engine);
  const { clock } = ambient.systemAmbient;
  const cellTools = Object.keys(tools).map((name) => ({
    name,
    identifier: name,
    description: `The tool ${name}`,
    declaration: `${name}(input: unknown): Promise<unknown>;`,
  }));
  return async (body) => {
    const { outcome, value, error } = await pool.run({
      body,
      tools: cellTools,
      limits: defaultCellLimits,
      startTime: clock.now(),
      seed: "seed",
      stored: {},
      budget: () => ({}),
      call: async ({ name, input }) => ({
        ok: true,
        json: JSON.stringify(await tools[name]?.(input)),
      }),
      signal: new AbortController().signal,
      timer: (ms, fire) => clock.timer(ms, fire),
    });
    if (outcome !== "returned") throw new Error(error?.message ?? outcome);
    return value === undefined ? undefined : JSON.parse(value);
  };
}

await serve(load);
