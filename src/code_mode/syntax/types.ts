/**
 * Reads past TypeScript's types. They are taken out of a program, so all that
 * matters is where they end; between brackets anything that closes will do.
 *
 * @module
 */

import { Lexer } from "./lexer.ts";
import type { SyntaxNode } from "./syntax_tree.ts";

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
]);

const OPERATORS = new Set(["infer", "keyof", "readonly", "unique"]);

/** What can stand after `f<T>` where it is not called. */
const AFTER_ARGUMENTS = /^(?:[)\]};:,.?^|&`]|\?\.|\?\?|[=!]==?|=|&&|\|\|)$/;

const WORDS_AFTER_ARGUMENTS = /^(?:as|implements|in|instanceof|satisfies)$/;

/** The part of the parser that knows types. */
export abstract class TypeReader extends Lexer {
  #noConditional = false;

  constructor(text: string, protected readonly typed: boolean) {
    super(text);
  }

  protected abstract template(typed?: boolean): SyntaxNode;

  protected node(
    type: string,
    start: number,
    fields: Readonly<Record<string, unknown>> = {},
  ): SyntaxNode {
    return { type, start, end: this.lastEnd, ...fields };
  }

  /** `: T`, also as the result of a function: `x is T`, `asserts x`. */
  protected annotation(): SyntaxNode | undefined {
    if (!this.typed || !this.is(":")) return undefined;
    const { start } = this;
    this.next();
    this.#predicate();
    return this.node("TSTypeAnnotation", start);
  }

  protected type(): SyntaxNode {
    const { start } = this;
    this.nested(() => this.#type());
    return this.node("TSType", start);
  }

  /** `<T extends U = V>` of a declaration. */
  protected typeParameters(): SyntaxNode | undefined {
    if (!this.typed || !this.is("<")) return undefined;
    const { start } = this;
    this.next();
    while (!this.split(">")) {
      while (/^(?:const|in|out)$/.test(this.value) && this.#isName()) {
        this.next();
      }
      this.#name();
      if (this.eatWord("extends")) this.type();
      if (this.eat("=")) this.type();
      if (!this.eat(",") && !this.split(">")) this.unexpected();
    }
    this.next();
    return this.node("TSTypeParameterDeclaration", start);
  }

  /** `<T, U>` of a reference. */
  protected typeArguments(): SyntaxNode {
    const { start } = this;
    if (!this.split("<")) this.unexpected();
    this.next();
    do this.type(); while (this.eat(","));
    if (!this.split(">")) this.unexpected();
    this.next();
    return this.node("TSTypeParameterInstantiation", start);
  }

  /** `<T>` behind an expression, where it is no comparison. */
  protected tryTypeArguments(): SyntaxNode | undefined {
    const mayStart = this.typed && (this.is("<") || this.is("<<"));
    if (!mayStart) return undefined;
    return this.attempt(() => {
      const read = this.typeArguments();
      const follows = this.is("(") || this.kind === "end" || this.afterBreak ||
        this.kind === "name" && WORDS_AFTER_ARGUMENTS.test(this.value) ||
        this.kind === "punctuator" && AFTER_ARGUMENTS.test(this.value) ||
        this.is("{");
      return follows ? read : undefined;
    });
  }

  /** Reads past a bracket and all up to the one that closes it. */
  protected balanced(): void {
    const close = CLOSING.get(this.value);
    if (close === undefined) this.unexpected();
    this.next();
    while (!(close === ">" ? this.split(close) : this.is(close))) {
      if (this.kind === "end") this.unexpected();
      if (this.is("`")) this.template(true);
      else if (this.kind !== "punctuator") this.next();
      else if (this.value !== "<" && CLOSING.has(this.value)) {
        this.nested(() => this.balanced());
      } else if (/^[)\]}]$/.test(this.value)) this.unexpected();
      else this.next();
    }
    this.next();
  }

  #predicate(): void {
    if (this.isWord("asserts")) {
      const { text, afterBreak } = this.ahead();
      if (!afterBreak && /^[\p{ID_Start}$_]/u.test(text)) this.next();
    }
    this.type();
    if (!this.afterBreak && this.eatWord("is")) this.type();
  }

  #type(): void {
    if (this.#isFunction()) return this.#function();
    this.#union();
    const isConditional = !this.#noConditional && !this.afterBreak &&
      this.eatWord("extends");
    if (!isConditional) return;
    this.#restricted(true, () => this.type());
    this.expect("?");
    this.type();
    this.expect(":");
    this.type();
  }

  #isFunction(): boolean {
    if (this.isWord("new") || this.is("<")) return true;
    return this.isWord("abstract") && /^new\b/.test(this.ahead().text);
  }

  #function(): void {
    this.eatWord("abstract");
    this.eatWord("new");
    this.typeParameters();
    if (!this.is("(")) this.unexpected();
    this.balanced();
    this.expect("=>");
    this.#restricted(false, () => this.#predicate());
  }

  #union(): void {
    if (!this.eat("|")) this.eat("&");
    do this.#operand(); while (this.eat("|") || this.eat("&"));
  }

  #operand(): void {
    if (this.kind === "name" && OPERATORS.has(this.value)) {
      const { text } = this.ahead();
      if (/^[[\p{ID_Start}$_({"'`]/u.test(text)) {
        const infers = this.value === "infer";
        this.next();
        return infers ? this.#inferred() : this.nested(() => this.#operand());
      }
    }
    this.#primary();
    while (!this.afterBreak && this.is("[")) this.balanced();
  }

  #inferred(): void {
    this.#name();
    if (!this.isWord("extends")) return;
    this.attempt(() => {
      this.next();
      this.#restricted(true, () => this.type());
      return this.#noConditional || !this.is("?") ? true : undefined;
    });
  }

  #primary(): void {
    if (this.is("(")) {
      const isFunction = this.#isParameters();
      this.balanced();
      // Behind a type in brackets, the arrow is that of the value's function.
      if (!isFunction) return;
      this.expect("=>");
      return this.#restricted(false, () => this.#predicate());
    }
    if (this.is("{") || this.is("[")) return this.balanced();
    if (this.is("`")) return void this.template(true);
    if (this.kind === "string") return this.next();
    if (this.eat("-") || this.kind === "number") {
      if (this.kind !== "number") this.unexpected();
      return this.next();
    }
    if (
      this.eatWord("typeof") && this.isWord("import") || this.isWord("import")
    ) {
      this.next();
      if (!this.is("(")) this.unexpected();
      this.balanced();
    } else this.#name();
    while (this.eat(".")) {
      if (this.kind === "private") this.next();
      else this.#name();
    }
    if (!this.afterBreak && (this.is("<") || this.is("<<"))) {
      this.typeArguments();
    }
  }

  /** Whether the bracket opens a function type, as TypeScript decides it. */
  #isParameters(): boolean {
    const before = this.snapshot();
    const found = this.attempt(() => {
      this.next();
      if (this.is(")") || this.is("...")) return true;
      if (this.is("{") || this.is("[")) this.balanced();
      else this.#name();
      const isNamed = /^[:,?=]$/.test(this.value);
      return isNamed || this.eat(")") && this.is("=>") || undefined;
    });
    this.restore(before);
    return found !== undefined;
  }

  #restricted(noConditional: boolean, read: () => void): void {
    const before = this.#noConditional;
    this.#noConditional = noConditional;
    try {
      read();
    } finally {
      this.#noConditional = before;
    }
  }

  #isName(): boolean {
    return this.kind === "name" &&
      /^[\p{ID_Start}$_]/u.test(this.ahead().text);
  }

  #name(): void {
    if (this.kind !== "name") this.unexpected();
    this.next();
  }
}
