/**
 * Markdown that parses as JavaScript, but was hardly meant as what it says.
 *
 * @module
 */

import { nodeIn, walk } from "../syntax/syntax_tree.ts";
import type { ParsedBody } from "./parse.ts";

/**
 * Where a fence and its language are read as a template literal that is called
 * with another: ` ```js ` has no other meaning in JavaScript.
 */
export function fenceIn({ block, text }: ParsedBody): number | undefined {
  if (!text.includes("```")) return undefined;
  let found: number | undefined;
  walk(block, (node) => {
    const quasi = nodeIn(node["quasi"]);
    const isFence = node.type === "TaggedTemplateExpression" &&
      quasi !== undefined &&
      text.slice(quasi.start - 2, quasi.start + 1) === "```";
    if (isFence) found = Math.min(quasi.start - 2, found ?? text.length);
  });
  return found;
}
