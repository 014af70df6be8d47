/**
 * The names that a cell finds without asking: what an import, a parameter or a
 * `require` of them would have given.
 *
 * @module
 */

/** The globals of a cell beyond those of the language. */
export const GUEST_NAMES: ReadonlySet<string> = new Set([
  "ALL_TOOLS",
  "budget",
  "console",
  "describe",
  "load",
  "search",
  "store",
  "text",
  "tools",
]);
