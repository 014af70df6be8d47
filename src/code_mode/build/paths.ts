/**
 * Where the build reads and writes.
 *
 * @module
 */

/** The engine as its package ships it. */
export function sourcePath(): URL {
  return new URL(import.meta.resolve("quickjs-wasi/quickjs.wasm"));
}

/** The engine as this package ships it. */
export const enginePath: URL = new URL("../engine.wasm", import.meta.url);
