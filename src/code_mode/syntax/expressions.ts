/**
 * Expressions: operators, assignments and arrow functions.
 *
 * @module
 */

import type { SyntaxNode } from "./syntax_tree.ts";
import { ValueReader } from "./values.ts";

const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  [
    ["??", "||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!=", "===", "!=="],
    ["<", ">", "<=", ">=", "instanceof", "in"],
    ["<<", ">>", ">>>"],
    ["+", "-"],
    ["*", "/", "%"],
    ["**"],
  ].flatMap((operators, index) =>
    operators.map((operator): [string, number] => [operator, index + 1])
  ),
);
const RELATIONAL = 7;
const POWER = 11;

const ASSIGNMENT = /^(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)?=$/;
const UNARY = /^(?:[-+!~]|delete|typeof|void)$/;
/** The part of the parser that knows expressions. */
export abstract class ExpressionReader extends ValueReader {
  #noIn = false;
  /** Where no arrow function starts, as was tried. */
  readonly #noArrow = new Set<number>();
  #noResultType = false;

  protected abstract arrowHead(): Readonly<Record<string, unknown>>;
  protected abstract functionBody(): SyntaxNode;

  protected override expression(noIn = false): SyntaxNode {
    const { start } = this;
    const first = this.assignment(noIn);
    if (!this.is(",")) return first;
    const expressions = [first];
    while (this.eat(",")) expressions.push(this.assignment(noIn));
    return this.node("SequenceExpression", start, { expressions });
  }

  protected override assignment(noIn = false): SyntaxNode {
    const before = this.#noIn;
    this.#noIn = noIn;
    try {
      return this.nested(() => this.#assignment());
    } finally {
      this.#noIn = before;
    }
  }

  #assignment(): SyntaxNode {
    const { start } = this;
    if (this.inGenerator && this.isWord("yield")) return this.#yield();
    const arrow = this.#arrow();
    if (arrow !== undefined) return arrow;
    const left = this.#conditional();
    const isAssignment = this.kind === "punctuator" &&
      ASSIGNMENT.test(this.value);
    if (!isAssignment) return left;
    if (!isTarget(left, this.value === "=")) {
      this.fail("Assigning to rvalue", left.start);
    }
    const operator = this.value;
    this.next();
    const right = this.assignment(this.#noIn);
    return this.node("AssignmentExpression", start, { left, operator, right });
  }

  #yield(): SyntaxNode {
    const { start } = this;
    this.next();
    const isBare = this.isStatementEnd() ||
      /^(?:[)\],;:]|in|of)$/.test(this.value);
    if (isBare) return this.node("YieldExpression", start);
    this.eat("*");
    const argument = this.assignment(this.#noIn);
    return this.node("YieldExpression", start, { argument });
  }

  /** An arrow function, where one starts here. */
  #arrow(): SyntaxNode | undefined {
    const { start } = this;
    if (this.kind === "name") {
      if (this.isReserved()) return undefined;
      const { text, afterBreak } = this.ahead();
      if (text.startsWith("=>")) return this.#arrowOf(false);
      const mayBe = this.isWord("async") && !afterBreak &&
        /^[(<$_\\\p{ID_Start}]/u.test(text) &&
        !/^(?:function|in|instanceof|(?:of|as|satisfies)\b(?!\s*=>))\b/
          .test(text);
      if (!mayBe) return undefined;
    } else if (!this.is("(") && !(this.typed && this.is("<"))) return undefined;
    if (this.#noArrow.has(start)) return undefined;
    const isAsync = this.isWord("async");
    const outer = this.#functionState();
    const head = this.attempt(() => {
      if (isAsync) this.next();
      this.inAsync = isAsync || outer.inAsync;
      const read = this.kind === "name" ? this.#single() : this.arrowHead();
      if (this.#noResultType && "returnType" in read) return undefined;
      return this.is("=>") && !this.afterBreak ? read : undefined;
    });
    this.#setFunctionState(outer);
    if (head !== undefined) return this.#arrowBody(start, isAsync, head);
    if (!this.#noResultType) this.#noArrow.add(start);
    return undefined;
  }

  #single(): Readonly<Record<string, unknown>> {
    return { params: [this.identifier()] };
  }

  #arrowOf(isAsync: boolean): SyntaxNode {
    const { start } = this;
    return this.#arrowBody(start, isAsync, this.#single());
  }

  #arrowBody(
    start: number,
    isAsync: boolean,
    head: Readonly<Record<string, unknown>>,
  ): SyntaxNode {
    if (this.afterBreak) this.unexpected();
    this.expect("=>");
    const outer = this.#functionState();
    this.inAsync = isAsync;
    this.inGenerator = false;
    const body = this.is("{")
      ? this.functionBody()
      : this.assignment(this.#noIn);
    this.#setFunctionState(outer);
    const fields = { ...head, async: isAsync, body };
    return this.node("ArrowFunctionExpression", start, fields);
  }

  #functionState() {
    return { inAsync: this.inAsync, inGenerator: this.inGenerator };
  }

  #setFunctionState(state: { inAsync: boolean; inGenerator: boolean }): void {
    this.inAsync = state.inAsync;
    this.inGenerator = state.inGenerator;
  }

  #conditional(): SyntaxNode {
    const { start } = this;
    const noIn = this.#noIn;
    const test = this.#binary(this.#unary(), start, 0);
    if (!this.eat("?")) return test;
    const consequent = this.#consequent();
    const alternate = this.assignment(noIn);
    const fields = { test, consequent, alternate };
    return this.node("ConditionalExpression", start, fields);
  }

  /** What stands before the colon, which a result type could claim too. */
  #consequent(): SyntaxNode {
    const read = () => {
      const consequent = this.assignment();
      this.expect(":");
      return consequent;
    };
    if (!this.typed) return read();
    const first = this.attempt(read);
    if (first !== undefined) return first;
    const before = this.#noResultType;
    this.#noResultType = true;
    try {
      return read();
    } finally {
      this.#noResultType = before;
    }
  }

  #binary(left: SyntaxNode, start: number, least: number): SyntaxNode {
    for (;;) {
      const isCast = this.typed && !this.afterBreak && least < RELATIONAL &&
        (this.isWord("as") || this.isWord("satisfies"));
      if (isCast) {
        left = this.#cast(left, start);
        continue;
      }
      const isOperator = this.kind === "punctuator" ||
        this.isWord("instanceof") || this.isWord("in") && !this.#noIn;
      const precedence = isOperator ? PRECEDENCE.get(this.value) ?? 0 : 0;
      if (precedence <= least) return left;
      const operator = this.value;
      this.next();
      const from = this.start;
      const limit = precedence === POWER ? precedence - 1 : precedence;
      const right = this.nested(() => this.#binary(this.#unary(), from, limit));
      left = this.node("BinaryExpression", start, { left, operator, right });
    }
  }

  #cast(expression: SyntaxNode, start: number): SyntaxNode {
    const type = this.isWord("as") ? "TSAsExpression" : "TSSatisfiesExpression";
    this.next();
    const typeAnnotation = this.type();
    return this.node(type, start, { expression, typeAnnotation });
  }

  #unary(): SyntaxNode {
    const { start, value } = this;
    const isOperator = this.kind === "punctuator" || this.isWord(value);
    if (isOperator && this.kind !== "string" && UNARY.test(value)) {
      this.next();
      const argument = this.nested(() => this.#unary());
      return this.node("UnaryExpression", start, { operator: value, argument });
    }
    if (this.inAsync && this.eatWord("await")) {
      const argument = this.nested(() => this.#unary());
      return this.node("AwaitExpression", start, { argument });
    }
    if (this.is("++") || this.is("--")) {
      this.next();
      const argument = this.nested(() => this.#unary());
      return this.#update(start, argument);
    }
    if (this.typed && this.is("<")) return this.#assertion();
    const argument = this.leftHandSide();
    const isPostfix = !this.afterBreak && (this.is("++") || this.is("--"));
    if (!isPostfix) return argument;
    this.next();
    return this.#update(start, argument);
  }

  #update(start: number, argument: SyntaxNode): SyntaxNode {
    if (!isTarget(argument, false)) {
      this.fail("Assigning to rvalue", argument.start);
    }
    return this.node("UpdateExpression", start, { argument });
  }

  #assertion(): SyntaxNode {
    const { start } = this;
    this.next();
    const typeAnnotation = this.type();
    if (!this.split(">")) this.unexpected();
    this.next();
    const expression = this.nested(() => this.#unary());
    return this.node("TSTypeAssertion", start, { typeAnnotation, expression });
  }
}

/** Whether `node` can be assigned to; the engine judges patterns in depth. */
function isTarget(node: SyntaxNode, plain: boolean): boolean {
  return /^(?:Identifier|MemberExpression|TS\w+)$/.test(node.type) ||
    plain && /^(?:Array|Object)Expression$/.test(node.type);
}
