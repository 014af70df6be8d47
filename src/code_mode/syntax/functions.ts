/**
 * Functions, classes and the members of objects.
 *
 * @module
 */

import type { SyntaxNode } from "../source/syntax_tree.ts";
import { ExpressionReader } from "./expressions.ts";

const ACCESS = /^(?:override|private|protected|public|readonly)$/;
const MODIFIER =
  /^(?:abstract|accessor|async|declare|get|override|private|protected|public|readonly|set|static)$/;

type FunctionKind = { readonly async: boolean; readonly generator: boolean };

/** The part of the parser that knows functions and classes. */
export abstract class FunctionReader extends ExpressionReader {
  protected abstract block(): SyntaxNode;
  protected abstract statements(): SyntaxNode[];

  /** `function f() {}`, or only its head where TypeScript declares it. */
  protected functionDeclaration(isDefault = false): SyntaxNode {
    const { start } = this;
    const kind = this.#functionKind();
    const isNamed = !isDefault || this.kind === "name";
    const id = isNamed ? this.identifier() : null;
    const fields = { id, ...kind, ...this.#function(kind) };
    if (fields.body !== undefined) {
      return this.node("FunctionDeclaration", start, fields);
    }
    this.semicolon();
    return this.node("TSDeclareFunction", start, fields);
  }

  protected override functionExpression(): SyntaxNode {
    const { start } = this;
    const kind = this.#functionKind();
    const id = this.kind === "name"
      ? this.#within(kind, () => this.identifier())
      : null;
    const fields = { id, ...kind, ...this.#function(kind) };
    if (fields.body === undefined) this.unexpected();
    return this.node("FunctionExpression", start, fields);
  }

  protected override functionBody(): SyntaxNode {
    return this.block();
  }

  /** `<T>(a, b): T`, as a function, a method and an arrow function have it. */
  protected override arrowHead() {
    const typeParameters = this.typeParameters();
    this.expect("(");
    const params = this.list(")", () => this.#parameter());
    const returnType = this.annotation();
    return {
      params,
      ...typeParameters && { typeParameters },
      ...returnType && { returnType },
    };
  }

  protected classDeclaration(isDefault = false): SyntaxNode {
    return this.#class("ClassDeclaration", !isDefault);
  }

  protected override classExpression(): SyntaxNode {
    return this.#class("ClassExpression", false);
  }

  protected override objectMember(): SyntaxNode {
    const { start } = this;
    if (this.is("...")) return this.spread();
    const { kind, accessor } = this.#methodWords(/^(?:async|get|set)$/);
    const isName = this.kind === "name" && !this.isReserved();
    const { key, computed } = this.key();
    const isMethod = accessor || kind.async || kind.generator ||
      this.is("(") || this.typed && this.is("<");
    if (isMethod) {
      const value = this.#method(kind);
      return this.node("Property", start, { key, computed, value });
    }
    if (this.eat(":")) {
      const value = this.assignment();
      return this.node("Property", start, { key, computed, value });
    }
    if (!isName) this.unexpected();
    // `{ a = 1 }` is a pattern; whether it stands as one, the engine judges.
    const value = this.withDefault(key, start);
    const fields = { key, computed, shorthand: true, value };
    return this.node("Property", start, fields);
  }

  protected override decorator(): SyntaxNode {
    const { start } = this;
    this.expect("@");
    this.leftHandSide();
    return this.node("Decorator", start);
  }

  #functionKind(): FunctionKind {
    const isAsync = this.eatWord("async");
    this.expectWord("function");
    return { async: isAsync, generator: this.eat("*") };
  }

  #within<T>({ async: isAsync, generator }: FunctionKind, read: () => T): T {
    const before = { inAsync: this.inAsync, inGenerator: this.inGenerator };
    this.inAsync = isAsync;
    this.inGenerator = generator;
    try {
      return read();
    } finally {
      this.inAsync = before.inAsync;
      this.inGenerator = before.inGenerator;
    }
  }

  #function(kind: FunctionKind) {
    return this.#within(kind, () => {
      const head = this.arrowHead();
      const body = this.typed && !this.is("{")
        ? undefined
        : this.functionBody();
      return { ...head, body };
    });
  }

  #method(kind: FunctionKind): SyntaxNode {
    const { start } = this;
    const fields = this.#function(kind);
    if (fields.body !== undefined) {
      return this.node("FunctionExpression", start, { ...kind, ...fields });
    }
    return this.node("TSDeclareMethod", start, fields);
  }

  #parameter(): SyntaxNode {
    const { start } = this;
    if (this.typed && this.is("@")) this.decorator();
    let isProperty = false;
    while (
      this.typed && ACCESS.test(this.value) && this.#isModifier(/^[[{$\w\\]/)
    ) {
      this.next();
      isProperty = true;
    }
    const isRest = this.is("...");
    const isThis = this.typed && this.isWord("this");
    const target = isRest
      ? this.element()
      : isThis
      ? this.word()
      : this.pattern();
    const left = this.#typed(target);
    const parameter = isRest ? left : this.withDefault(left, left.start);
    if (!isProperty) return parameter;
    return this.node("TSParameterProperty", start, { parameter });
  }

  /** `target` with the `?` and the type behind it. */
  #typed(target: SyntaxNode): SyntaxNode {
    if (!this.typed) return target;
    const optional = this.eat("?");
    const typeAnnotation = this.annotation();
    const fields = { ...target, optional, typeAnnotation };
    return { ...fields, end: this.lastEnd };
  }

  #isModifier(follows: RegExp): boolean {
    const { text, afterBreak } = this.ahead();
    return this.kind === "name" && !afterBreak && follows.test(text);
  }

  /** `async`, `get`, `set` and `*` before a name. */
  #methodWords(words: RegExp): {
    readonly kind: FunctionKind;
    readonly accessor: boolean;
  } {
    let isAsync = false;
    let accessor = false;
    while (
      this.isWord(this.value) && words.test(this.value) &&
      /^[[*#'"\d.$_\\\p{ID_Start}]/u.test(this.ahead().text)
    ) {
      if (this.value === "async" && this.ahead().afterBreak) break;
      if (this.value === "async") isAsync = true;
      else accessor = true;
      this.next();
    }
    const generator = this.eat("*");
    return { kind: { async: isAsync, generator }, accessor };
  }

  #class(type: string, isNamed: boolean): SyntaxNode {
    const { start } = this;
    const abstract = this.typed && this.eatWord("abstract");
    this.expectWord("class");
    const hasName = this.kind === "name" && !this.isWord("extends") &&
      !(this.typed && !isNamed && this.isWord("implements"));
    const id = isNamed || hasName ? this.identifier() : null;
    const typeParameters = this.typeParameters();
    const superClass = this.eatWord("extends") ? this.leftHandSide() : null;
    const implemented: SyntaxNode[] = [];
    if (this.typed && this.eatWord("implements")) {
      do implemented.push(this.type()); while (this.eat(","));
    }
    const from = this.start;
    this.expect("{");
    const members: SyntaxNode[] = [];
    while (!this.eat("}")) {
      if (!this.eat(";")) members.push(this.nested(() => this.#member()));
    }
    const body = this.node("ClassBody", from, { body: members });
    return this.node(type, start, {
      id,
      ...abstract && { abstract },
      ...typeParameters && { typeParameters },
      superClass,
      implements: implemented,
      body,
    });
  }

  #member(): SyntaxNode {
    const { start } = this;
    if (this.typed && this.is("@")) return this.#decorated(start);
    const words = new Set<string>();
    while (this.#isMemberModifier(words)) {
      words.add(this.value);
      this.next();
    }
    if (words.has("static") && this.is("{")) {
      this.next();
      const none = { async: false, generator: false };
      const body = this.#within(none, () => this.statements());
      this.expect("}");
      return this.node("StaticBlock", start, { body });
    }
    const kind = { async: words.has("async"), generator: this.eat("*") };
    const index = this.typed && this.is("[") ? this.#index(start) : undefined;
    if (index !== undefined) return index;
    const { key, computed } = this.key();
    const optional = this.typed && this.eat("?");
    const definite = this.typed && !optional && this.eat("!");
    const shared = {
      key,
      computed,
      ...optional && { optional },
      ...definite && { definite },
      ...words.has("declare") && { declare: true },
      ...words.has("abstract") && { abstract: true },
    };
    if (this.is("(") || this.typed && this.is("<")) {
      const value = this.#method(kind);
      if (value.type === "TSDeclareMethod") this.semicolon();
      const isConstructor = !words.has("static") &&
        key["name"] === "constructor";
      const fields = {
        ...shared,
        value,
        ...isConstructor && { kind: "constructor" },
      };
      return this.node("MethodDefinition", start, fields);
    }
    if (kind.async || kind.generator || words.has("get") || words.has("set")) {
      this.unexpected();
    }
    const typeAnnotation = this.annotation();
    const none = { async: false, generator: false };
    const value = this.eat("=")
      ? this.#within(none, () => this.assignment())
      : null;
    this.semicolon();
    const fields = { ...shared, typeAnnotation, value };
    return this.node("PropertyDefinition", start, fields);
  }

  #decorated(start: number): SyntaxNode {
    const decorators = [this.decorator()];
    while (this.is("@")) decorators.push(this.decorator());
    return { ...this.#member(), start, decorators };
  }

  /** Whether the word belongs to the member, and is not its name. */
  #isMemberModifier(before: ReadonlySet<string>): boolean {
    if (!this.isWord(this.value) || !MODIFIER.test(this.value)) return false;
    const isPlain = /^(?:accessor|async|get|set|static)$/.test(this.value);
    if (!this.typed && !isPlain || before.has(this.value)) return false;
    const { text, afterBreak } = this.ahead();
    if (afterBreak && !/^(?:static|get|set)$/.test(this.value)) return false;
    if (this.value === "static" && text.startsWith("{")) return true;
    return /^[[*#'"\d.$_\\\p{ID_Start}]/u.test(text);
  }

  /** `[key: string]: T` in a class. */
  #index(start: number): SyntaxNode | undefined {
    return this.attempt(() => {
      this.next();
      this.identifier();
      if (!this.is(":")) return undefined;
      this.annotation();
      this.expect("]");
      this.annotation();
      this.semicolon();
      return this.node("TSIndexSignature", start);
    });
  }
}
