/**
 * A process whose first programs are timed: says so in one line.
 *
 * @module
 */

import { loadEngine } from "../../../src/code_mode/load_engine.ts";
import { runFirstCells } from "./first_cells.ts";

const started = performance.now();
const engine = await loadEngine();
if (engine === undefined) throw new Error("No engine: run deno task build");
const compiled = performance.now() - started;
console.log(JSON.stringify({ compiled, ...await runFirstCells(engine) }));
