/**
 * Expressions and patterns.
 *
 * @module
 */

import type { SyntaxNode } from "../source/syntax_tree.ts";
import { TypeReader } from "./types.ts";

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

/** Words that are no names; `await` and `yield` depend on the function. */
const RESERVED = new Set(
  ("break case catch class const continue debugger default delete do else " +
    "enum export extends false finally for function if import in instanceof " +
    "new null return super switch this throw true try typeof var void while " +
    "with").split(" "),
);

/** The part of the parser that knows expressions. */
export abstract class ExpressionReader extends TypeReader {
  protected inAsync = false;
  protected inGenerator = false;
  #noIn = false;
  /** Where no arrow function starts, as was tried. */
  readonly #noArrow = new Set<number>();
  #noResultType = false;

  protected abstract functionExpression(): SyntaxNode;
  protected abstract classExpression(): SyntaxNode;
  protected abstract objectMember(): SyntaxNode;
  protected abstract arrowHead(): Readonly<Record<string, unknown>>;
  protected abstract functionBody(): SyntaxNode;
  protected abstract decorator(): SyntaxNode;

  protected expression(noIn = false): SyntaxNode {
    const { start } = this;
    const first = this.assignment(noIn);
    if (!this.is(",")) return first;
    const expressions = [first];
    while (this.eat(",")) expressions.push(this.assignment(noIn));
    return this.node("SequenceExpression", start, { expressions });
  }

  protected assignment(noIn = false): SyntaxNode {
    const before = this.#noIn;
    this.#noIn = noIn;
    try {
      return this.nested(() => this.#assignment());
    } finally {
      this.#noIn = before;
    }
  }

  protected isReserved(): boolean {
    return RESERVED.has(this.value) ||
      this.inAsync && this.value === "await" ||
      this.inGenerator && this.value === "yield";
  }

  /** A name that is declared or used. */
  protected identifier(): SyntaxNode {
    if (this.kind !== "name" || this.isReserved()) this.unexpected();
    return this.word();
  }

  /** Any word, as behind a dot. */
  protected word(): SyntaxNode {
    if (this.kind !== "name") this.unexpected();
    const { start, value } = this;
    this.next();
    return this.node("Identifier", start, { name: value });
  }

  protected literal(): SyntaxNode {
    const { start } = this;
    this.next();
    return this.node("Literal", start);
  }

  /** The key of a property or member. */
  protected key(): { readonly key: SyntaxNode; readonly computed: boolean } {
    if (this.eat("[")) {
      const key = this.assignment();
      this.expect("]");
      return { key, computed: true };
    }
    const { kind, start } = this;
    if (kind === "name") return { key: this.word(), computed: false };
    if (kind !== "string" && kind !== "number" && kind !== "private") {
      this.unexpected();
    }
    this.next();
    const type = kind === "private" ? "PrivateIdentifier" : "Literal";
    return { key: this.node(type, start), computed: false };
  }

  /** A name, or a pattern of names. */
  protected pattern(): SyntaxNode {
    const { start } = this;
    if (this.eat("[")) {
      const elements = this.list("]", () => this.element(), true);
      return this.node("ArrayPattern", start, { elements });
    }
    if (this.eat("{")) {
      const properties = this.list("}", () => this.#patternProperty());
      return this.node("ObjectPattern", start, { properties });
    }
    return this.identifier();
  }

  /** A pattern in a pattern, with what it is by default. */
  protected element(): SyntaxNode {
    const { start } = this;
    if (!this.eat("...")) return this.withDefault(this.pattern(), start);
    const argument = this.pattern();
    return this.node("RestElement", start, { argument });
  }

  protected withDefault(left: SyntaxNode, start: number): SyntaxNode {
    if (!this.eat("=")) return left;
    const right = this.assignment();
    return this.node("AssignmentPattern", start, { left, right });
  }

  /** Items with commas between, up to `close`. */
  protected list(
    close: string,
    item: () => SyntaxNode,
    holes = false,
  ): SyntaxNode[] {
    const items: SyntaxNode[] = [];
    while (!this.eat(close)) {
      if (holes && this.eat(",")) continue;
      items.push(item());
      if (!this.is(close)) this.expect(",");
    }
    return items;
  }

  protected spread(): SyntaxNode {
    const { start } = this;
    if (!this.eat("...")) return this.assignment();
    const argument = this.assignment();
    return this.node("SpreadElement", start, { argument });
  }

  protected template(typed = false): SyntaxNode {
    const { start } = this;
    const quasis: SyntaxNode[] = [];
    const expressions: SyntaxNode[] = [];
    this.enterTemplate();
    for (;;) {
      const piece = this.templatePiece();
      quasis.push({ ...piece, type: "TemplateElement" });
      if (piece.tail) break;
      expressions.push(typed ? this.type() : this.expression());
      if (!this.is("}")) this.unexpected();
    }
    return this.node("TemplateLiteral", start, { expressions, quasis });
  }

  #patternProperty(): SyntaxNode {
    const { start } = this;
    if (this.is("...")) return this.element();
    const isName = this.kind === "name" && !this.isReserved();
    const { key, computed } = this.key();
    const shorthand = isName && !this.is(":");
    if (!shorthand) this.expect(":");
    const value = shorthand ? this.withDefault(key, start) : this.element();
    return this.node("Property", start, { key, computed, shorthand, value });
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
        !/^(?:function|in|of|instanceof|as|satisfies)\b/.test(text);
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
    const argument = this.#subscripts(this.#atom(), start);
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

  protected leftHandSide(): SyntaxNode {
    const { start } = this;
    return this.#subscripts(this.#atom(), start);
  }

  #subscripts(
    expression: SyntaxNode,
    start: number,
    isNew = false,
  ): SyntaxNode {
    for (;;) {
      const next = this.#subscript(expression, start, isNew);
      if (next === undefined) return expression;
      expression = next;
    }
  }

  #subscript(
    object: SyntaxNode,
    start: number,
    isNew: boolean,
  ): SyntaxNode | undefined {
    if (this.is("?.")) {
      if (isNew) this.unexpected();
      this.next();
      const args = this.tryTypeArguments();
      if (this.is("(")) return this.#call(object, start, args);
      if (this.is("`")) this.unexpected();
      return this.is("[")
        ? this.#computed(object, start)
        : this.#property(object, start);
    }
    if (this.eat(".")) return this.#property(object, start);
    if (this.is("[")) return this.#computed(object, start);
    if (this.is("(")) {
      return isNew ? undefined : this.#call(object, start, undefined);
    }
    if (this.is("`")) {
      const quasi = this.template();
      const fields = { tag: object, quasi };
      return this.node("TaggedTemplateExpression", start, fields);
    }
    if (!this.typed) return undefined;
    if (this.is("!") && !this.afterBreak) {
      this.next();
      const fields = { expression: object };
      return this.node("TSNonNullExpression", start, fields);
    }
    const typeArguments = this.tryTypeArguments();
    if (typeArguments === undefined) return undefined;
    if (this.is("(") && !isNew) return this.#call(object, start, typeArguments);
    const fields = { expression: object, typeArguments };
    return this.node("TSInstantiationExpression", start, fields);
  }

  #property(object: SyntaxNode, start: number): SyntaxNode {
    if (this.kind !== "name" && this.kind !== "private") this.unexpected();
    const { key: property } = this.key();
    const fields = { object, property, computed: false };
    return this.node("MemberExpression", start, fields);
  }

  #computed(object: SyntaxNode, start: number): SyntaxNode {
    this.expect("[");
    const property = this.expression();
    this.expect("]");
    const fields = { object, property, computed: true };
    return this.node("MemberExpression", start, fields);
  }

  #call(
    callee: SyntaxNode,
    start: number,
    typeArguments: SyntaxNode | undefined,
  ): SyntaxNode {
    this.expect("(");
    const list = this.list(")", () => this.spread());
    const fields = { callee, arguments: list, typeArguments };
    return this.node("CallExpression", start, fields);
  }

  #atom(): SyntaxNode {
    if (this.kind === "punctuator") return this.#punctuated();
    if (this.kind === "name") return this.#named();
    if (this.kind === "number" || this.kind === "string") return this.literal();
    // `#name in object`
    if (this.kind === "private" && /^in\b/.test(this.ahead().text)) {
      return this.key().key;
    }
    this.unexpected();
  }

  #punctuated(): SyntaxNode {
    const { start } = this;
    switch (this.value) {
      case "(": {
        this.next();
        const inner = this.expression();
        this.expect(")");
        return inner;
      }
      case "[": {
        this.next();
        const elements = this.list("]", () => this.spread(), true);
        return this.node("ArrayExpression", start, { elements });
      }
      case "{": {
        this.next();
        const properties = this.list("}", () => this.objectMember());
        return this.node("ObjectExpression", start, { properties });
      }
      case "`":
        return this.template();
      case "/":
      case "/=":
        this.regularExpression();
        return this.node("Literal", start);
      case "@": {
        if (!this.typed) this.unexpected();
        const decorator = this.decorator();
        return { ...this.classExpression(), decorators: [decorator] };
      }
      default:
        this.unexpected();
    }
  }

  #named(): SyntaxNode {
    const { start } = this;
    if (!this.isWord(this.value)) return this.identifier();
    switch (this.value) {
      case "function":
        return this.functionExpression();
      case "class":
        return this.classExpression();
      case "new":
        return this.#new();
      case "import":
        return this.#import();
      case "null":
      case "true":
      case "false":
        return this.literal();
      case "this":
        this.next();
        return this.node("ThisExpression", start);
      case "super":
        this.next();
        if (!this.is("(") && !this.is(".") && !this.is("[")) this.unexpected();
        return this.node("Super", start);
      case "async": {
        const { text, afterBreak } = this.ahead();
        if (!afterBreak && /^function\b/.test(text)) {
          return this.functionExpression();
        }
      }
    }
    return this.identifier();
  }

  #new(): SyntaxNode {
    const { start } = this;
    const meta = this.word();
    if (this.eat(".")) {
      const property = this.word();
      return this.node("MetaProperty", start, { meta, property });
    }
    if (this.isWord("import")) this.unexpected();
    const from = this.start;
    const callee = this.nested(() =>
      this.#subscripts(this.#atom(), from, true)
    );
    const list = this.eat("(") ? this.list(")", () => this.spread()) : [];
    return this.node("NewExpression", start, { callee, arguments: list });
  }

  #import(): SyntaxNode {
    const { start } = this;
    const meta = this.word();
    if (this.eat(".")) {
      const property = this.word();
      return this.node("MetaProperty", start, { meta, property });
    }
    this.expect("(");
    const list = this.list(")", () => this.assignment());
    return this.node("ImportExpression", start, { arguments: list });
  }
}

/** Whether `node` can be assigned to; the engine judges patterns in depth. */
function isTarget(node: SyntaxNode, plain: boolean): boolean {
  return /^(?:Identifier|MemberExpression|TS\w+)$/.test(node.type) ||
    plain && /^(?:Array|Object)Expression$/.test(node.type);
}
