/**
 * What declarations must hold besides the grammar.
 *
 * @module
 */

import {
  isNode,
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
} from "./syntax_tree.ts";

/** The first name that a list of statements declares again. */
export function firstRedeclared(
  statements: readonly SyntaxNode[],
): SyntaxNode | undefined {
  const lexical = new Set<string>();
  const other = new Set<string>();
  for (const statement of statements) {
    const { kind } = statement;
    const isLexical = statement.type === "ClassDeclaration" ||
      statement.type === "VariableDeclaration" && kind !== "var";
    if (!isLexical && statement.type !== "FunctionDeclaration") continue;
    const ids = statement.type === "VariableDeclaration"
      ? nodesIn(statement["declarations"]).map(({ id }) => id)
      : [statement["id"]];
    for (const id of ids) {
      const name = nameOf(id);
      if (name === undefined) continue;
      if (lexical.has(name) || isLexical && other.has(name)) return nodeIn(id);
      (isLexical ? lexical : other).add(name);
    }
  }
  return undefined;
}

/** Whether all has a value that must; types can declare what has none. */
export function isComplete(declaration: SyntaxNode): boolean {
  const { kind } = declaration;
  return nodesIn(declaration["declarations"]).every(({ id, init }) =>
    isNode(init) ||
    (kind === "var" || kind === "let") && nameOf(id) !== undefined
  );
}
