/**
 * Generic calls such as `f<A, B>(x)`, which JavaScript reads as comparisons.
 *
 * @module
 */

import {
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  walk,
} from "../syntax/syntax_tree.ts";
import { parseBody, type ParsedBody } from "./parse.ts";

const TYPE_NAMES =
  /^(?:any|bigint|boolean|never|number|object|string|symbol|unknown)$/;
/** Values that nobody declares. */
const GLOBAL_VALUES = ["Infinity", "Math", "NaN", "Number"];
/** What follows type arguments, though seldom a comparison; no arrow. */
const MAY_CLOSE = /[^=]>\s*?[(`\n]/;
const NAME = /(?<![.$\p{ID_Continue}])[$_\p{ID_Start}][$\p{ID_Continue}]*/gu;
const LONE_NAME = /^<\s*[$\w.]+\s*>$/;

/** Whether JavaScript reads types in `body` as values to compare. */
export function hasGenericCalls(code: string, body: ParsedBody): boolean {
  if (!code.includes("<")) return false;
  if (comparesWithType(body)) return true;
  if (!MAY_CLOSE.test(code)) return false;
  const typed = parseBody(code, true);
  if (typed.tag === "failed") return false;
  let values: ReadonlySet<string> | undefined;
  let found = false;
  walk(typed.block, (node) => {
    const types = nodeIn(node["typeArguments"]);
    if (types === undefined) return;
    values ??= valuesIn(body.block);
    found = isMeant(typed.text.slice(types.start, types.end), values);
    return found ? "stop" : undefined;
  });
  return found;
}

/** `a < string`: nobody declares a value of that name to compare with. */
function comparesWithType({ block }: ParsedBody): boolean {
  let found = false;
  walk(block, (node) => {
    found = node.type === "BinaryExpression" && node["operator"] === "<" &&
      TYPE_NAMES.test(nameOf(node["right"]) ?? "");
    return found ? "stop" : undefined;
  });
  return found;
}

/**
 * Whether `types` are types: `<a>(b)` compares a truth value, which nobody
 * wants, but in `f(a < b, c > (d))` all are values.
 */
function isMeant(types: string, values: ReadonlySet<string>): boolean {
  if (LONE_NAME.test(types)) return true;
  const names = types.replace(/(["'`]).*?\1/g, "").match(NAME) ?? [];
  // Numbers with a comma between end one comparison and start the next.
  if (names.length === 0) return !types.includes(",") || /["'`{[]/.test(types);
  return names.some((name) => !values.has(name));
}

/** The names that variables, parameters and functions have. */
function valuesIn(block: SyntaxNode): ReadonlySet<string> {
  const values = new Set<string>(GLOBAL_VALUES);
  const add = (root: SyntaxNode | undefined) => {
    if (root === undefined) return;
    walk(root, (node) => {
      const name = nameOf(node);
      if (name !== undefined) values.add(name);
    });
  };
  walk(block, (node) => {
    if (node.type === "VariableDeclarator") add(nodeIn(node["id"]));
    if (node.type === "FunctionDeclaration") add(nodeIn(node["id"]));
    add(nodeIn(node["param"]));
    for (const parameter of nodesIn(node["params"])) add(parameter);
  });
  return values;
}
