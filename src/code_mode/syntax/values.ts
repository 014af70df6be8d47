/**
 * What an expression is made of: single values, and the calls and properties
 * behind them.
 *
 * @module
 */

import { PatternReader } from "./patterns.ts";
import type { SyntaxNode } from "./syntax_tree.ts";

/** The part of the parser that knows values, calls and properties. */
export abstract class ValueReader extends PatternReader {
  protected abstract functionExpression(): SyntaxNode;
  protected abstract classExpression(): SyntaxNode;
  protected abstract objectMember(): SyntaxNode;
  protected abstract decorator(): SyntaxNode;

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
