/**
 * Decides what a program's value is where it does not say `return`: its last
 * expression, or what its main function gives.
 *
 * @module
 */

import { afterBlanks } from "../syntax/blanks.ts";
import {
  isFunction,
  nameOf,
  nodeIn,
  nodesIn,
  type SyntaxNode,
  walk,
} from "../syntax/syntax_tree.ts";
import { type Edit, insertion, lineBreaks } from "./edits.ts";
import { parseBody } from "./parse.ts";
import { argumentsFor, findUncalled, namedFunctions } from "./uncalled.ts";

/** A program without module syntax, as far as its value is concerned. */
export type Program = {
  readonly text: string;
  readonly block: SyntaxNode;
  readonly statements: readonly SyntaxNode[];
  readonly defaultExport?: SyntaxNode;
  readonly defaultName?: string;
};

/** The edits that make the program return its value. */
export type Entry = {
  readonly edits: readonly Edit[];
  /** A statement that must follow the program, on a line of its own. */
  readonly after?: string;
  readonly note?: string;
};

const NOTHING: Entry = { edits: [] };

/** Finds the value of `program`. */
export function findEntry(program: Program): Entry {
  const { statements } = program;
  const last = statements.at(-1);
  if (last === undefined) return NOTHING;
  if (program.defaultExport !== undefined) {
    return defaultValue(program, program.defaultExport);
  }
  if (hasReturn(program)) return returnedFunction(program, last);
  if (last.type === "ExpressionStatement") return lastValue(program, last);
  if (isObject(program, last)) {
    return { edits: [insertion(last.start, "return ")] };
  }
  const main = callMain(program);
  if (main !== NOTHING) return main;
  const active = statements.findLast(({ type }) =>
    type !== "FunctionDeclaration"
  );
  // Functions that follow are hoisted: the expression can return before them.
  const isValue = active?.type === "ExpressionStatement" &&
    last.type === "FunctionDeclaration";
  return isValue ? lastValue(program, active) : NOTHING;
}

function callMain({ block, statements, defaultName }: Program): Entry {
  const { entry, candidates } = findUncalled(block, statements, defaultName);
  if (entry !== undefined) {
    const { text } = argumentsFor(entry.node);
    const call = `${entry.name}(${text})`;
    const note = `Nothing called ${entry.name}, so it was called at the end.`;
    return { edits: [], after: `return ${call};`, note };
  }
  if (candidates.length < 2) return NOTHING;
  const names = candidates.slice(0, 5).join(", ");
  const note = `Nothing calls these functions: ${names}. ` +
    "End the code with a call, or with `return`.";
  return { edits: [], note };
}

/** `export default` of an expression, or of a function without a name. */
function defaultValue(program: Program, statement: SyntaxNode): Entry {
  const value = nodeIn(statement["declaration"]);
  if (value === undefined) return NOTHING;
  const { text } = program;
  const { start } = statement;
  const end = afterBlanks(text, start + "export".length) + "default".length;
  const name = freeName(text);
  const lines = lineBreaks(text.slice(start, end));
  const edits = [
    { start, end, text: `const ${name} =${lines}` },
    insertion(statement.end, ";"),
  ];
  const isCalled = isFunctionValue(value) || isNamedFunction(program, value);
  const args = isCalled ? `(${argumentsFor(functionIn(value)).text})` : "";
  return { edits, after: `return ${name}${args};` };
}

/** Whether the block at the end is an object as well: `{ a: 1 }`, `{ a, b }`. */
function isObject({ text }: Program, last: SyntaxNode): boolean {
  if (last.type !== "BlockStatement") return false;
  const read = parseBody(`return ${text.slice(last.start, last.end)}`);
  if (read.tag === "failed" || read.statements.length !== 1) return false;
  const value = nodeIn(read.statements[0]?.["argument"]);
  return value?.type === "ObjectExpression" &&
    nodesIn(value["properties"]).length > 0;
}

/** The expression statement at the end, with the value it stands for. */
function lastValue(program: Program, statement: SyntaxNode): Entry {
  const expression = nodeIn(statement["expression"]);
  if (expression === undefined) return NOTHING;
  if (isFunctionValue(expression)) {
    const { text } = argumentsFor(functionIn(expression));
    return {
      edits: called(program.text, statement, statement.start, text, "return "),
      note: "The function at the end was called.",
    };
  }
  if (isNamedFunction(program, expression)) {
    const call = insertion(expression.end, "()");
    return { edits: [insertion(statement.start, "return "), call] };
  }
  // `void main()` would end the cell before main does.
  const isVoid = expression.type === "UnaryExpression" &&
    expression["operator"] === "void" && expression.start === statement.start;
  const end = statement.start + (isVoid ? "void".length : 0);
  return {
    edits: [{
      start: statement.start,
      end,
      text: isVoid ? "return" : "return ",
    }],
  };
}

/** `return () => …`: a function is no result, so it is called. */
function returnedFunction(program: Program, last: SyntaxNode): Entry {
  const value = last.type === "ReturnStatement"
    ? nodeIn(last["argument"])
    : undefined;
  if (value === undefined || !isFunction(value)) return NOTHING;
  const { text } = argumentsFor(value);
  const from = last.start + "return".length;
  return {
    edits: called(program.text, last, from, text),
    note: "The returned function was called.",
  };
}

/** Puts what stands from `from` to the statement's end into a call. */
function called(
  text: string,
  { end }: SyntaxNode,
  from: number,
  args: string,
  head = "",
): Edit[] {
  const hasSemicolon = text[end - 1] === ";";
  return [
    insertion(from, `${head}(`),
    {
      start: hasSemicolon ? end - 1 : end,
      end,
      text: `)(${args})${hasSemicolon ? ";" : ""}`,
    },
  ];
}

function isFunctionValue(node: SyntaxNode): boolean {
  return isFunction(functionIn(node));
}

/** The function itself, where `node` gives one a name: `main = () => …`. */
function functionIn(node: SyntaxNode): SyntaxNode {
  const isNaming = node.type === "AssignmentExpression" &&
    node["operator"] === "=" && nameOf(node["left"]) !== undefined;
  const assigned = isNaming ? nodeIn(node["right"]) : undefined;
  const isProgram = assigned !== undefined && isFunction(assigned) &&
    argumentsFor(assigned).complete;
  return isProgram ? assigned : node;
}

function isNamedFunction({ statements }: Program, node: SyntaxNode): boolean {
  const name = nameOf(node);
  return name !== undefined &&
    namedFunctions(statements).some((each) => each.name === name);
}

/** Whether a `return` of the program itself, not of a function in it, exists. */
function hasReturn({ block, text }: Program): boolean {
  let found = false;
  if (!text.includes("return")) return false;
  walk(block, (node) => {
    if (isFunction(node)) return "skip";
    if (node.type !== "ReturnStatement") return;
    found = true;
    return "stop";
  });
  return found;
}

/** A name that the program does not use. */
function freeName(text: string): string {
  let name = "result_";
  while (text.includes(name)) name += "_";
  return name;
}
