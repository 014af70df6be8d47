/**
 * Tells prose around a fenced block from code, which must not be dropped in
 * silence.
 *
 * @module
 */

import {
  nameOf,
  nodeIn,
  type SyntaxNode,
  walk,
} from "../syntax/syntax_tree.ts";
import { parseBody } from "./parse.ts";

/** What words and inline code are where they happen to parse. */
const PROSE =
  /^(?:Block|Empty|Expression|Labeled)Statement$|^(?:Binary|Member|Sequence|TaggedTemplate|This|Unary|TSAs|TSNonNull|TSSatisfies)Expression$|^(?:Identifier|Literal|TSType|Template\w+)$/;

/** A line, other than an item of a list, that ends or starts as code does. */
const CODE_LINE = /^(?!\s*(?:[-*+#>]|\d+[.)])\s).*[;{([=]\s*$|^\s*[})\]]/;

/** Whether `text` is code, in whole or in one of its lines. */
export function isCode(text: string): boolean {
  return doesSomething(text, true) ||
    text.split("\n").some((line) =>
      CODE_LINE.test(line) || doesSomething(line, false)
    );
}

/** Whether `text` has a statement beyond words, or `open` text at its end. */
function doesSomething(text: string, open: boolean): boolean {
  if (text.trim() === "") return false;
  const parsed = parseBody(text, true);
  if (parsed.tag === "failed") {
    return open && /^Unterminated (?:comment|template)/.test(parsed.reason);
  }
  let found = false;
  for (const statement of parsed.statements) {
    walk(statement, (node) => {
      found ||= !PROSE.test(node.type) && !isRemark(parsed.text, node);
      return found ? "stop" : undefined;
    });
  }
  return found;
}

/** A word with a remark behind it (like this). */
function isRemark(text: string, node: SyntaxNode): boolean {
  const word = node.type === "CallExpression" ? nodeIn(node["callee"]) : null;
  return word !== undefined && word !== null && nameOf(word) !== undefined &&
    text.charAt(word.end) === " ";
}
