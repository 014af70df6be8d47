/**
 * The first programs of a process, timed. Runs on every platform.
 *
 * @module
 */

import { openTools } from "../../../mod.ts";

/** Milliseconds. */
export type FirstCells = {
  readonly opened: number;
  /** The first cell boots the engine, and all code is cold. */
  readonly first: number;
  readonly second: number;
};

/**
 * Opens tools, and runs a program twice.
 *
 * @param wasm The compiled engine.
 */
export async function runFirstCells(
  wasm: WebAssembly.Module,
): Promise<FirstCells> {
  const start = performance.now();
  const access = await openTools({
    surfaces: ["code"],
    tools: [{
      name: "lookup",
      description: "Look up the value stored under a key.",
      parameters: { type: "object" },
    }],
  }, { wasm, tools: { call: (_name, input) => Promise.resolve(input) } });
  const opened = performance.now();
  const run = async () => {
    const end = await access.call("exec", { code: "return 1 + 1" });
    if (end.tag === "error") throw new Error(end.error.message);
    return performance.now();
  };
  const first = await run();
  const second = await run();
  return {
    opened: opened - start,
    first: first - opened,
    second: second - first,
  };
}
