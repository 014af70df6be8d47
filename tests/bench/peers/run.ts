/** The npm package `run`: a QuickJS in a worker thread, a fresh context a run. */

import { type RunCell, serve } from "../cells/contestant.ts";
import { tools } from "../cells/workloads.ts";

async function load(): Promise<RunCell> {
  const { createRunner } = await import("run");
  const runner = createRunner({
    // A megabyte of JSON is a little more in its own format.
    limits: { maxHostFunctionArgumentsBytes: 8 * 1024 * 1024 },
  });
  return async (source) => {
    const result = await runner.run({ source, hostFunctions: { tools } });
    if (result.status !== "completed") throw new Error(result.status);
    return result.value;
  };
}

await serve(load);
