/**
 * The engine for Node, whose `fetch` reads no files: to be handed in as
 * `options.wasm`, as the engine of `@nanocode/wasm/engine` is on Workers.
 *
 * @example
 * ```ts no-assert
 * import engine from "@nanocode/wasm/engine-node";
 * import { open } from "@nanocode/wasm";
 *
 * export const agent = await open(
 *   { backend: "openai", model: "gpt-5" },
 *   { apiKey: "key", wasm: engine },
 * );
 * ```
 *
 * @module
 */

import { readFile } from "node:fs/promises";

/** The compiled, metered engine. */
const engine: WebAssembly.Module = await WebAssembly.compile(
  Uint8Array.from(
    await readFile(new URL("../src/code_mode/engine.wasm", import.meta.url)),
  ),
);

export default engine;
