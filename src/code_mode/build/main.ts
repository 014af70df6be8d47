/**
 * `deno task build`: makes the engine's file.
 *
 * @module
 */

import { writeEngine } from "./write_engine.ts";

if (import.meta.main && await writeEngine()) {
  console.log("Made src/code_mode/engine.wasm");
}
