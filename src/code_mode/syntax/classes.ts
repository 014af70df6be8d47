/**
 * Classes and their members.
 *
 * @module
 */

import { type FunctionKind, FunctionReader } from "./functions.ts";
import type { SyntaxNode } from "./syntax_tree.ts";

const MODIFIER =
  /^(?:abstract|accessor|async|declare|get|override|private|protected|public|readonly|set|static)$/;

const NEITHER: FunctionKind = { async: false, generator: false };

/** The part of the parser that knows classes. */
export abstract class ClassReader extends FunctionReader {
  protected abstract statements(): SyntaxNode[];

  protected classDeclaration(isDefault = false): SyntaxNode {
    return this.#class("ClassDeclaration", !isDefault);
  }

  protected override classExpression(): SyntaxNode {
    return this.#class("ClassExpression", false);
  }

  protected override decorator(): SyntaxNode {
    const { start } = this;
    this.expect("@");
    this.leftHandSide();
    return this.node("Decorator", start);
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
      const body = this.within(NEITHER, () => this.statements());
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
      const value = this.method(kind);
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
    const value = this.eat("=")
      ? this.within(NEITHER, () => this.assignment())
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
