/**
 * What an engine without a tool layer of its own needs in the guest: JSON over
 * one function `call`, as little as does the job.
 *
 * @module
 */

/** Defines `tools` over a global `call(name, json)` that promises JSON. */
export function toolsPrelude(names: readonly string[]): string {
  return `globalThis.tools = Object.fromEntries(${JSON.stringify(names)}.map(
(name) => [name, async (input) => JSON.parse(await call(name, JSON.stringify(input)))]));`;
}

/** A program as a promise of its result as JSON. */
export function mainOf(source: string): string {
  return `(async () => { ${source}\n})().then((value) => JSON.stringify(value))`;
}
