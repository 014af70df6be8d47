/**
 * Syntax trees as data: nodes as the parser makes them, without trust in their
 * fields, and a walk that no depth can overflow.
 *
 * @module
 */

/** A node of the tree; every field is read with a check. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Whether `value` is a node. */
export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null &&
    "type" in value && typeof value.type === "string" &&
    "start" in value && typeof value.start === "number" &&
    "end" in value && typeof value.end === "number";
}

/** The node in `value`, or nothing. */
export function nodeIn(value: unknown): SyntaxNode | undefined {
  return isNode(value) ? value : undefined;
}

/** The nodes in the list `value`. */
export function nodesIn(value: unknown): SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name, where `node` is an identifier. */
export function nameOf(node: unknown): string | undefined {
  if (!isNode(node) || node.type !== "Identifier") return undefined;
  return typeof node["name"] === "string" ? node["name"] : undefined;
}

/** The nodes right below `node`, in the order of their fields. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (const field in node) {
    const value = node[field];
    if (isNode(value)) children.push(value);
    // One by one: a list can be longer than a call's arguments may be.
    else if (Array.isArray(value)) {
      for (const item of nodesIn(value)) children.push(item);
    }
  }
  return children;
}

/**
 * Calls `enter` for `root` and everything below it. Where it gives `"skip"`,
 * nothing below that node is visited; where it gives `"stop"`, the walk ends.
 */
export function walk(
  root: SyntaxNode,
  enter: (node: SyntaxNode, parent?: SyntaxNode) => "skip" | "stop" | void,
): void {
  const pending: [SyntaxNode, SyntaxNode?][] = [[root]];
  for (;;) {
    const next = pending.pop();
    if (next === undefined) return;
    const step = enter(...next);
    if (step === "stop") return;
    if (step === "skip") continue;
    const children = childrenOf(next[0]);
    for (const child of children.reverse()) pending.push([child, next[0]]);
  }
}

/** Whether `node` is a function of any form. */
export function isFunction(node: SyntaxNode): boolean {
  return node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression";
}
