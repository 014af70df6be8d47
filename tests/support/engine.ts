/**
 * The engine, for tests: the file that the package ships, made first where no
 * task has made it; without permissions the same bytes, made in memory.
 *
 * @module
 */

import { buildEngine } from "../../src/code_mode/build/engine.ts";
import { enginePath } from "../../src/code_mode/build/paths.ts";
import { writeEngine } from "../../src/code_mode/build/write_engine.ts";
import { permitted } from "./permissions.ts";

/** The compiled engine that the package ships. */
export const engineModule: WebAssembly.Module = await WebAssembly.compile(
  permitted ? await shippedEngine() : await engineInMemory(),
);

async function shippedEngine(): Promise<Uint8Array<ArrayBuffer>> {
  await writeEngine();
  return await Deno.readFile(enginePath);
}

async function engineInMemory(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: source } = await import("quickjs-wasi/quickjs.wasm", {
    with: { type: "bytes" },
  });
  return await buildEngine(source);
}
