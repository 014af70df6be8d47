/**
 * Loads the engine that this package ships, where the platform can.
 *
 * @module
 */

// Compiled code holds no state: unlike a promise or a stream it may be shared
// by all requests of an isolate.
let compiled: WebAssembly.Module | undefined;

/** The compiled engine; `undefined` where it cannot be read or compiled here. */
export async function loadEngine(): Promise<WebAssembly.Module | undefined> {
  if (compiled !== undefined) return compiled;
  try {
    const response = await fetch(new URL("./engine.wasm", import.meta.url));
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const module = await WebAssembly.compile(await response.arrayBuffer());
    // Of several that were asked for at once, all use the first: what is kept
    // beside a module is kept once.
    return compiled ??= module;
  } catch {
    return undefined;
  }
}
