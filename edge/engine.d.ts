/**
 * The compiled engine, on Workers.
 *
 * @module
 */

/** The compiled module. */
declare const engine: WebAssembly.Module;

export default engine;
