/**
 * Text that parses as JavaScript, but was hardly meant as what it says.
 *
 * @module
 */

import { afterBlanks } from "../syntax/blanks.ts";
import {
  nameOf,
  nodeIn,
  type SyntaxNode,
  walk,
} from "../syntax/syntax_tree.ts";
import type { ParsedBody } from "./parse.ts";

const TYPE_NAMES = new Set([
  "any",
  "bigint",
  "boolean",
  "never",
  "number",
  "object",
  "string",
  "symbol",
  "unknown",
]);

/** `f<string>(x)`, which JavaScript reads as two comparisons. */
export function looksTyped({ block, text }: ParsedBody): boolean {
  return text.includes("<") && some(block, (node) => {
    if (node.type !== "BinaryExpression") return false;
    const left = nodeIn(node["left"]);
    const right = nodeIn(node["right"]);
    if (left === undefined || right === undefined) return false;
    if (node["operator"] === "<") {
      return TYPE_NAMES.has(nameOf(right) ?? "");
    }
    return node["operator"] === ">" && left["operator"] === "<" &&
      left.start === node.start && isCall(text, left.end);
  });
}

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

/** Whether `> (` stands at `end`. */
function isCall(text: string, end: number): boolean {
  const operator = afterBlanks(text, end);
  return text.charAt(afterBlanks(text, operator + 1)) === "(";
}

function some(
  root: SyntaxNode,
  test: (node: SyntaxNode) => boolean,
): boolean {
  let found = false;
  walk(root, (node) => {
    found = test(node);
    return found ? "stop" : undefined;
  });
  return found;
}
