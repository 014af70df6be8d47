/**
 * The engine, for tests: made first where no task has made it.
 *
 * @module
 */

import { enginePath } from "../../src/code_mode/build/paths.ts";
import { writeEngine } from "../../src/code_mode/build/write_engine.ts";

await writeEngine();

/** The compiled engine that the package ships. */
export const engineModule: WebAssembly.Module = await WebAssembly.compile(
  await Deno.readFile(enginePath),
);
