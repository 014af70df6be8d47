/**
 * The engine, for tests: the file that the package ships, made first where no
 * task has made it; without permissions the same bytes, made in memory.
 *
 * @module
 */

import source from "quickjs-wasi/quickjs.wasm" with { type: "bytes" };
import { buildEngine } from "../../src/code_mode/build/engine.ts";
import { enginePath } from "../../src/code_mode/build/paths.ts";
import { writeEngine } from "../../src/code_mode/build/write_engine.ts";
import { permitted } from "./permissions.ts";

/** The engine as `quickjs-wasi` ships it. */
export const sourceBytes: Uint8Array<ArrayBuffer> = source;

/** The engine that the package ships. */
export const engineBytes: Uint8Array<ArrayBuffer> = permitted
  ? await shippedEngine()
  : await buildEngine(source);

/** The compiled engine that the package ships. */
export const engineModule: WebAssembly.Module = await WebAssembly.compile(
  engineBytes,
);

async function shippedEngine(): Promise<Uint8Array<ArrayBuffer>> {
  await writeEngine();
  return await Deno.readFile(enginePath);
}
