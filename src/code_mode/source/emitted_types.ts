/**
 * The two constructs of TypeScript that are code: enums, and parameters that
 * are class members.
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
import { type Edit, insertion, lineBreaks } from "./edits.ts";
import { isOnlyName } from "./uncalled.ts";

/** `enum E { A, B = 2 }`, as a function that fills an object. */
export function enumEdits(text: string, node: SyntaxNode): Edit[] {
  const name = nameOf(node["id"]);
  const members = nodesIn(node["members"]);
  const brace = text.indexOf("{", nodeIn(node["id"])?.end);
  if (name === undefined || brace < 0) return [];
  const edits: Edit[] = [];
  const put = (start: number, end: number, code: string) =>
    edits.push({ start, end, text: code + lineBreaks(text.slice(start, end)) });
  // A member may have the enum's own name, which then means the member.
  const open = `var ${name} = ((${name}) => { let last_ = -1; ` +
    `const enum_ = ${name};`;
  const used = namesUsed(members);
  let at = node.start;
  put(at, brace + 1, open);
  at = brace + 1;
  for (const member of members) {
    const { head, tail } = memberCode(text, member, used);
    const value = nodeIn(member["initializer"]);
    put(at, value?.start ?? member.end, head);
    at = value?.end ?? member.end;
    edits.push(insertion(at, tail));
  }
  put(at, node.end, ` return enum_; })({});`);
  return edits;
}

/** The code before and after the value of a member. */
function memberCode(
  text: string,
  member: SyntaxNode,
  used: ReadonlySet<string>,
) {
  const id = nodeIn(member["id"]);
  const written = text.slice(id?.start, id?.end);
  const quoted = /^(["'])([$\w]+)\1$/.exec(written)?.[2];
  const key = nameOf(id) ?? quoted ?? "";
  // A string is written as it stands: its escapes mean the same.
  const literal = key === "" ? written : JSON.stringify(key);
  const hasValue = nodeIn(member["initializer"]) !== undefined;
  const slot = `enum_[${literal}]`;
  // The values that follow may use the name alone.
  const local = used.has(key) ? `var ${key} = ` : "";
  const head = ` ${local}${slot} = last_ = ${hasValue ? "(" : "last_ + 1"}`;
  const reverse = `if (typeof last_ === "number") enum_[last_] = ${literal};`;
  return { head, tail: `${hasValue ? ")" : ""}; ${reverse}` };
}

/** The names that the members' values speak of. */
function namesUsed(members: readonly SyntaxNode[]): ReadonlySet<string> {
  const used = new Set<string>();
  for (const member of members) {
    const value = nodeIn(member["initializer"]);
    if (value === undefined) continue;
    walk(value, (node, parent) => {
      const name = nameOf(node);
      if (name !== undefined && !isOnlyName(node, parent)) used.add(name);
    });
  }
  return used;
}

/** `constructor(private a: T) {}`, with the field and the assignment implied. */
export function parameterProperties(text: string, node: SyntaxNode): Edit[] {
  const members = nodesIn(nodeIn(node["body"])?.["body"]);
  const definition = members.find((each) =>
    each["kind"] === "constructor" &&
    nodeIn(each["value"])?.type === "FunctionExpression"
  );
  const method = nodeIn(definition?.["value"]);
  const body = nodeIn(method?.["body"]);
  if (method === undefined || body === undefined) return [];
  const names = nodesIn(method["params"]).flatMap(propertyName);
  if (names.length === 0) return [];
  const fields = names.map((name) => ` ${name};`).join("");
  const assignments = names.map((name) => ` this.${name} = ${name};`).join("");
  const superCall = nodesIn(body["body"]).find(isSuperCall);
  const at = superCall?.end ?? body.start + 1;
  const needsBreak = superCall !== undefined && text[at - 1] !== ";";
  const brace = nodeIn(node["body"])?.start ?? node.start;
  return [
    insertion(brace + 1, fields),
    insertion(at, `${needsBreak ? ";" : ""}${assignments}`),
  ];
}

function propertyName(parameter: SyntaxNode): string[] {
  if (parameter.type !== "TSParameterProperty") return [];
  const target = nodeIn(parameter["parameter"]);
  const name = nameOf(target) ?? nameOf(target?.["left"]);
  return name === undefined ? [] : [name];
}

function isSuperCall({ expression }: SyntaxNode): boolean {
  const call = nodeIn(expression);
  return call?.type === "CallExpression" &&
    nodeIn(call["callee"])?.type === "Super";
}
