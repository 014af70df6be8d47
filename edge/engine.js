// @ts-self-types="./engine.d.ts"

// Wrangler gives a compiled module; Deno, which would run it, reads only the
// types.
export { default } from "../src/code_mode/engine.wasm";
