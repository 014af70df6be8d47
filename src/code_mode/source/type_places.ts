/**
 * Where types stand in each construct, and the line breaks and semicolons that
 * JavaScript would read differently once they are gone.
 *
 * @module
 */

import { afterBlanks } from "../syntax/blanks.ts";
import {
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
} from "../syntax/syntax_tree.ts";
import { nameAt } from "../syntax/token.ts";
import { type Edit, erasure, insertion } from "./edits.ts";

const MODIFIERS = new Set([
  "abstract",
  "declare",
  "override",
  "private",
  "protected",
  "public",
  "readonly",
]);

/** `x as T` and `x satisfies T`. */
export function asExpression(text: string, node: SyntaxNode): Edit[] {
  const expression = nodeIn(node["expression"]);
  if (expression === undefined) return [];
  const start = afterParens(text, expression.end);
  const next = afterBlanks(text, node.end);
  // A type ends the statement there; the bare expression would go on.
  const continues = /[([`]/.test(text.charAt(next)) &&
    text.slice(node.end, next).includes("\n");
  return [erasure(text, start, node.end, continues ? ";" : "")];
}

/** `<T>x`. */
export function assertion(text: string, node: SyntaxNode): Edit[] {
  const type = nodeIn(node["typeAnnotation"]);
  if (type === undefined) return [];
  const end = afterBlanks(text, type.end) + ">".length;
  const hasBreak = text.slice(node.start, end).includes("\n");
  if (!hasBreak) return [erasure(text, node.start, end)];
  // `return` may stand before it, and must not end at the line break.
  return [erasure(text, node.start, end, "("), insertion(node.end, ")")];
}

/** `abstract`, and `implements` with what follows. */
export function classHead(text: string, node: SyntaxNode): Edit[] {
  const edits = node["abstract"] === true
    ? words(text, node.start, text.indexOf("class", node.start))
    : [];
  const last = nodesIn(node["implements"]).at(-1);
  if (last === undefined) return edits;
  const before = [
    "superTypeParameters",
    "superTypeArguments",
    "superClass",
    "typeParameters",
    "id",
  ].map((field) => nodeIn(node[field])).find((each) => each !== undefined);
  const from = before?.end ?? node.start + "class".length;
  return [...edits, erasure(text, afterParens(text, from), last.end)];
}

/** The modifiers of a class member, or of a parameter that is one. */
export function member(text: string, node: SyntaxNode): Edit[] {
  const parameter = nodeIn(node["parameter"]);
  const target = nodeIn(parameter?.["left"]) ?? parameter ??
    nodeIn(node["key"]);
  if (target === undefined) return [];
  const mark = parameter === undefined ? ";" : "";
  return words(text, node.start, target.start, mark);
}

/** `this: T` as the first parameter. */
export function parameters(text: string, node: SyntaxNode): Edit[] {
  const [first] = nodesIn(node["params"]);
  if (first === undefined || nameOf(first) !== "this") return [];
  const next = afterBlanks(text, first.end);
  const end = text.charAt(next) === "," ? next + 1 : first.end;
  return [erasure(text, first.start, end)];
}

/** `type T` among the names of an import or export. */
export function specifier(text: string, node: SyntaxNode): Edit[] {
  if (node["importKind"] !== "type") return [];
  const next = afterBlanks(text, node.end);
  const end = text.charAt(next) === "," ? next + 1 : node.end;
  return [erasure(text, node.start, end)];
}

/** The types of an arrow function, which must not break the line before `=>`. */
export function signature(text: string, node: SyntaxNode): Edit[] {
  return [...arrowGenerics(text, node), ...arrowResult(text, node)];
}

function arrowGenerics(text: string, node: SyntaxNode): Edit[] {
  const generics = nodeIn(node["typeParameters"]);
  if (generics === undefined) return [];
  const { start, end } = generics;
  if (!text.slice(start, end).includes("\n")) {
    return [erasure(text, start, end)];
  }
  const parenthesis = afterBlanks(text, end);
  return [erasure(text, start, parenthesis + 1, "(")];
}

function arrowResult(text: string, node: SyntaxNode): Edit[] {
  const result = nodeIn(node["returnType"]);
  if (result === undefined) return [];
  const arrow = text.indexOf("=>", result.end);
  if (!text.slice(result.start, arrow).includes("\n")) {
    return [erasure(text, result.start, result.end)];
  }
  const parenthesis = text.lastIndexOf(")", result.start);
  const blanks = erasure(text, parenthesis, arrow - 1);
  return [{ start: parenthesis, end: arrow, text: `${blanks.text})` }];
}

/** `?` and `!` after a name. */
export function nodeMark(text: string, node: SyntaxNode): Edit[] {
  switch (node.type) {
    case "ArrayPattern":
    case "Identifier":
    case "ObjectPattern":
      return node["optional"] === true ? before(text, node, node.end) : [];
    case "VariableDeclarator":
      return node["definite"] === true ? definite(text, node) : [];
    case "MethodDefinition":
    case "PropertyDefinition":
      return node["optional"] === true || node["definite"] === true
        ? afterKey(text, node)
        : [];
    default:
      return [];
  }
}

/** The mark before the annotation, or at `end` where there is none. */
function before(text: string, node: SyntaxNode, end: number): Edit[] {
  let at = (nodeIn(node["typeAnnotation"])?.start ?? end) - 1;
  while (/\s/.test(text.charAt(at))) at--;
  return /[?!]/.test(text.charAt(at)) ? [erasure(text, at, at + 1)] : [];
}

function definite(text: string, node: SyntaxNode): Edit[] {
  const id = nodeIn(node["id"]);
  return id === undefined ? [] : before(text, id, id.end);
}

function afterKey(text: string, node: SyntaxNode): Edit[] {
  const key = nodeIn(node["key"]);
  if (key === undefined) return [];
  let at = afterBlanks(text, key.end);
  if (text.charAt(at) === "]") at = afterBlanks(text, at + 1);
  return /[?!]/.test(text.charAt(at)) ? [erasure(text, at, at + 1)] : [];
}

/**
 * Erases the modifiers among the words of `[start, end)`. `mark` stands in for
 * the first, where it also kept the member apart from the one before.
 */
function words(text: string, start: number, end: number, mark = ""): Edit[] {
  const edits: Edit[] = [];
  for (let at = afterBlanks(text, start); at < end;) {
    const word = nameAt(text, at);
    if (MODIFIERS.has(word)) {
      const sign = at === start ? mark : "";
      edits.push(erasure(text, at, at + word.length, sign));
    }
    at = afterBlanks(text, at + Math.max(1, word.length));
  }
  return edits;
}

/** The place after the brackets that close around an expression. */
function afterParens(text: string, from: number): number {
  let at = from;
  for (;;) {
    const next = afterBlanks(text, at);
    if (text.charAt(next) !== ")") return at;
    at = next + 1;
  }
}
