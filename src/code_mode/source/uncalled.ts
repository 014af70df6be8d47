/**
 * Finds the function that holds the program but is never called.
 *
 * @module
 */

import {
  isFunction,
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  walk,
} from "../syntax/syntax_tree.ts";
import { GUEST_NAMES } from "./guest_names.ts";

/** A function at the top level, and the name to call it by. */
export type NamedFunction = {
  readonly name: string;
  readonly node: SyntaxNode;
};

/** What was found: the one to call, or names that leave the choice open. */
export type Uncalled = {
  readonly entry?: NamedFunction;
  readonly candidates: readonly string[];
};

/** The functions that top-level declarations name. */
export function namedFunctions(
  statements: readonly SyntaxNode[],
): NamedFunction[] {
  return statements.flatMap((statement) => {
    if (statement.type === "FunctionDeclaration") {
      return named(statement["id"], statement);
    }
    if (statement.type !== "VariableDeclaration") return [];
    return nodesIn(statement["declarations"]).flatMap((declarator) => {
      const value = nodeIn(declarator["init"]);
      const callable = value !== undefined && isFunction(value);
      return callable ? named(declarator["id"], value) : [];
    });
  });
}

function named(id: unknown, node: SyntaxNode): NamedFunction[] {
  const name = nameOf(id);
  return name === undefined ? [] : [{ name, node }];
}

/**
 * The function that is meant to run: the default export, `main` or `run`, or
 * the only one in a program that does nothing but declare.
 */
export function findUncalled(
  block: SyntaxNode,
  statements: readonly SyntaxNode[],
  defaultName: string | undefined,
): Uncalled {
  const free = unused(block, namedFunctions(statements));
  const byName = (...names: (string | undefined)[]) =>
    free.filter(({ name }) => names.includes(name));
  const [exported] = byName(defaultName);
  if (exported !== undefined) return { entry: exported, candidates: [] };
  const [main, ...others] = byName("main", "run");
  if (main !== undefined && others.length === 0) {
    return { entry: main, candidates: [] };
  }
  if (!statements.every(declares)) return { candidates: [] };
  const callable = free.filter(({ node }) => argumentsFor(node).complete);
  const [only] = callable;
  if (only !== undefined && callable.length === 1) {
    return { entry: only, candidates: [] };
  }
  return { candidates: free.map(({ name }) => name) };
}

/**
 * The arguments for a function that expects the cell's globals, as in
 * `async ({ tools }) => …`; incomplete where it expects anything else.
 */
export function argumentsFor(
  node: SyntaxNode,
): { text: string; complete: boolean } {
  const given: string[] = [];
  for (const parameter of nodesIn(node["params"])) {
    if (/^(?:AssignmentPattern|RestElement)$/.test(parameter.type)) break;
    const argument = globalFor(parameter);
    if (argument === undefined) {
      return { text: given.join(", "), complete: false };
    }
    given.push(argument);
  }
  return { text: given.join(", "), complete: true };
}

function globalFor(parameter: SyntaxNode): string | undefined {
  const name = nameOf(parameter);
  if (name !== undefined) return GUEST_NAMES.has(name) ? name : undefined;
  if (parameter.type !== "ObjectPattern") return undefined;
  const keys = nodesIn(parameter["properties"])
    .map((property) => property["computed"] ? "" : nameOf(property["key"]));
  const known = keys.every((key) => key !== undefined && GUEST_NAMES.has(key));
  return known ? `{ ${keys.join(", ")} }` : undefined;
}

/** The functions of which nothing outside them speaks. */
function unused(
  block: SyntaxNode,
  functions: readonly NamedFunction[],
): NamedFunction[] {
  const uses = new Map<string, number[]>();
  for (const { name } of functions) uses.set(name, []);
  walk(block, (node, parent) => {
    const name = nameOf(node);
    if (name === undefined || isOnlyName(node, parent)) return;
    uses.get(name)?.push(node.start);
  });
  return functions.filter(({ name, node }) =>
    uses.get(name)?.every((at) => at >= node.start && at < node.end)
  );
}

/** A declared name, a property's name, an export: no use of the value. */
export function isOnlyName(
  node: SyntaxNode,
  parent: SyntaxNode | undefined,
): boolean {
  switch (parent?.type) {
    case "VariableDeclarator":
      return parent["id"] === node;
    case "MemberExpression":
      return parent["property"] === node && !parent["computed"];
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent["key"] === node && !parent["computed"] &&
        parent["shorthand"] !== true;
    case "ExportSpecifier":
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
      return true;
    default:
      return false;
  }
}

function declares({ type }: SyntaxNode): boolean {
  return type === "FunctionDeclaration" || type === "ClassDeclaration" ||
    type === "VariableDeclaration";
}
