/**
 * Tools from several places as one set.
 *
 * @module
 */

import type { DefinedTools } from "./define_tools.ts";

/**
 * Joins sets of tools: each call goes to the set that declares its tool. That all
 * names differ is checked by `open`.
 *
 * @param sets What `defineTools` gives, or anything with `tools` and `call`.
 * @returns All tools, and what runs their calls.
 *
 * @example
 * ```ts
 * import { defineTools } from "@nanocode/wasm";
 * import { joinTools } from "@nanocode/wasm/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const tool = { description: "", parameters: {}, run: () => 1 };
 * const { tools } = joinTools(defineTools({ a: tool }), defineTools({ b: tool }));
 * assertEquals(tools.map(({ name }) => name), ["a", "b"]);
 * ```
 */
export function joinTools(...sets: readonly DefinedTools[]): DefinedTools {
  const owners = new Map(
    sets.flatMap((set) => set.tools.map(({ name }) => [name, set] as const)),
  );
  return {
    tools: sets.flatMap(({ tools }) => tools),
    call: async (name, input, signal, context) => {
      const owner = owners.get(name);
      if (owner === undefined) throw new Error(`There is no tool "${name}"`);
      return await owner.call(name, input, signal, context);
    },
  };
}
