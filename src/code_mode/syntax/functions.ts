/**
 * Functions and the members of objects.
 *
 * @module
 */

import { ExpressionReader } from "./expressions.ts";
import type { SyntaxNode } from "./syntax_tree.ts";

const ACCESS = /^(?:override|private|protected|public|readonly)$/;

/** What a function is besides its head and body. */
export type FunctionKind = {
  readonly async: boolean;
  readonly generator: boolean;
};

/** The part of the parser that knows functions. */
export abstract class FunctionReader extends ExpressionReader {
  protected abstract block(): SyntaxNode;

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
      ? this.within(kind, () => this.identifier())
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

  protected override objectMember(): SyntaxNode {
    const { start } = this;
    if (this.is("...")) return this.spread();
    const { kind, accessor } = this.#methodWords(/^(?:async|get|set)$/);
    const isName = this.kind === "name" && !this.isReserved();
    const { key, computed } = this.key();
    const isMethod = accessor || kind.async || kind.generator ||
      this.is("(") || this.typed && this.is("<");
    if (isMethod) {
      const value = this.method(kind);
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

  #functionKind(): FunctionKind {
    const isAsync = this.eatWord("async");
    this.expectWord("function");
    return { async: isAsync, generator: this.eat("*") };
  }

  protected within<T>(
    { async: isAsync, generator }: FunctionKind,
    read: () => T,
  ): T {
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
    return this.within(kind, () => {
      const head = this.arrowHead();
      const body = this.typed && !this.is("{")
        ? undefined
        : this.functionBody();
      return { ...head, body };
    });
  }

  protected method(kind: FunctionKind): SyntaxNode {
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
}
