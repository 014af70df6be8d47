/**
 * Names, literals and patterns: what expressions and declarations share.
 *
 * @module
 */

import type { SyntaxNode } from "./syntax_tree.ts";
import { TypeReader } from "./types.ts";

/** Words that are no names; `await` and `yield` depend on the function. */
const RESERVED = new Set(
  ("break case catch class const continue debugger default delete do else " +
    "enum export extends false finally for function if import in instanceof " +
    "new null return super switch this throw true try typeof var void while " +
    "with").split(" "),
);
/** The part of the parser that knows names and patterns. */
export abstract class PatternReader extends TypeReader {
  protected inAsync = false;
  protected inGenerator = false;

  protected abstract expression(noIn?: boolean): SyntaxNode;
  protected abstract assignment(noIn?: boolean): SyntaxNode;

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
}
