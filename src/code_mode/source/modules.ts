/**
 * Module syntax in a cell, which has no modules: what is harmless is dropped,
 * the rest is explained.
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
import { type Edit, erasure } from "./edits.ts";
import { GUEST_NAMES } from "./guest_names.ts";
import type { ParsedBody } from "./parse.ts";

/** What is left of the module syntax. */
export type ModuleResult =
  | {
    readonly tag: "plain";
    readonly edits: readonly Edit[];
    /** The statements that stay, declarations without their `export`. */
    readonly statements: readonly SyntaxNode[];
    /** The `export default` of something that has no name. */
    readonly defaultExport?: SyntaxNode;
    /** The name that `export default` gave to a function. */
    readonly defaultName?: string;
    readonly dropped: boolean;
  }
  | { readonly tag: "module"; readonly what: string; readonly offset: number };

/** How a model is told that there are no modules. */
export const NO_MODULES =
  "there are no modules here; call the tools as `await tools.name(input)`, " +
  "and use the globals of the cell for all else";

/** Drops `export`, and imports of names that are global anyway. */
export function withoutModules(body: ParsedBody): ModuleResult {
  const loader = loaderCall(body);
  if (loader !== undefined) return loader;
  const collected = new Collected(body.text);
  for (const statement of body.statements) {
    const refusal = collected.take(statement);
    if (refusal !== undefined) return refusal;
  }
  return collected.result();
}

type Refusal = Extract<ModuleResult, { tag: "module" }>;

class Collected {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  readonly #statements: SyntaxNode[] = [];
  #defaultExport: SyntaxNode | undefined;
  #defaultName: string | undefined;
  #dropped = false;
  #hasDefault = false;

  constructor(text: string) {
    this.#text = text;
  }

  result(): ModuleResult {
    return {
      tag: "plain",
      edits: this.#edits,
      statements: this.#statements,
      dropped: this.#dropped,
      ...this.#defaultExport && { defaultExport: this.#defaultExport },
      ...this.#defaultName !== undefined && { defaultName: this.#defaultName },
    };
  }

  take(statement: SyntaxNode): Refusal | void {
    switch (statement.type) {
      case "EmptyStatement":
        return;
      case "ImportDeclaration":
        return this.#import(statement);
      case "ExportAllDeclaration":
        return refusal("This `export … from`", statement);
      case "ExportNamedDeclaration":
        return this.#export(statement);
      case "ExportDefaultDeclaration":
        return this.#default(statement);
      default:
        this.#statements.push(statement);
    }
  }

  #import(statement: SyntaxNode): Refusal | void {
    const specifiers = nodesIn(statement["specifiers"]);
    if (specifiers.length === 0 || !specifiers.every(namesGlobal)) {
      return refusal("This `import`", statement);
    }
    this.#drop(statement);
  }

  #export(statement: SyntaxNode): Refusal | void {
    if (statement["source"]) {
      return refusal("This `export … from`", statement);
    }
    const declaration = nodeIn(statement["declaration"]);
    if (declaration === undefined) return this.#drop(statement);
    this.#edits.push(
      erasure(this.#text, statement.start, declaration.start),
    );
    this.#statements.push(declaration);
  }

  #default(statement: SyntaxNode): Refusal | void {
    const declaration = nodeIn(statement["declaration"]);
    if (declaration === undefined) return;
    if (this.#hasDefault) {
      return refusal("A second `export default`", statement);
    }
    this.#hasDefault = true;
    const isDeclaration = /Declaration$/.test(declaration.type);
    const name = nameOf(declaration["id"]);
    if (!isDeclaration || name === undefined) {
      this.#defaultExport = statement;
      this.#statements.push(statement);
      return;
    }
    if (declaration.type === "FunctionDeclaration") this.#defaultName = name;
    this.#edits.push(
      erasure(this.#text, statement.start, declaration.start),
    );
    this.#statements.push(declaration);
  }

  #drop({ start, end }: SyntaxNode): void {
    this.#dropped = true;
    this.#edits.push(erasure(this.#text, start, end, ";"));
  }
}

function refusal(what: string, { start }: SyntaxNode): Refusal {
  return { tag: "module", what, offset: start };
}

/** `import { tools } from …`, of a name that is a global under that name. */
function namesGlobal(specifier: SyntaxNode): boolean {
  const local = nameOf(specifier["local"]);
  const imported = nameOf(specifier["imported"]);
  return local !== undefined && local === imported && GUEST_NAMES.has(local);
}

function isModuleDeclaration({ type }: SyntaxNode): boolean {
  return /^(?:Import|Export)\w*Declaration$/.test(type);
}

/** The first `import()`, `import.meta`, or `require()` of no function of the model's own. */
function loaderCall({ block, text }: ParsedBody): Refusal | undefined {
  if (!/\b(?:import|export|require)\b/.test(text)) return undefined;
  let found: Refusal | undefined;
  let ownRequire = false;
  walk(block, (node, parent) => {
    if (node.type === "ImportExpression") {
      found = refusal("This `import()`", node);
      return "stop";
    }
    if (node.type === "MetaProperty" && nameOf(node["meta"]) === "import") {
      found = refusal("This `import.meta`", node);
      return "stop";
    }
    if (isModuleDeclaration(node) && parent !== block) {
      found = refusal("Module syntax inside a block", node);
      return "stop";
    }
    if (nameOf(node) !== "require") return;
    const called = parent?.type === "CallExpression" &&
      parent["callee"] === node;
    if (called) found ??= refusal("This `require`", node);
    // Declared here, or asked for with `typeof` first: the author knows.
    else if (parent?.type !== "MemberExpression") ownRequire = true;
  });
  const isRequire = found?.what === "This `require`";
  return isRequire && ownRequire ? undefined : found;
}
