/**
 * Statements, declarations and module syntax.
 *
 * @module
 */

import { ClassReader } from "./classes.ts";
import { firstRedeclared, isComplete } from "./declared.ts";
import type { SyntaxNode } from "./syntax_tree.ts";

const NAME_START = /^[$_\\\p{ID_Start}]/u;

/** The part of the parser that knows statements. */
export abstract class StatementReader extends ClassReader {
  protected abstract typedStatement(): SyntaxNode | undefined;
  protected abstract moduleStatement(): SyntaxNode;

  protected statement(): SyntaxNode {
    return this.nested(() => this.#statement());
  }

  protected override block(): SyntaxNode {
    const { start } = this;
    this.expect("{");
    const body = this.statements();
    this.expect("}");
    return this.node("BlockStatement", start, { body });
  }

  protected override statements(): SyntaxNode[] {
    const body: SyntaxNode[] = [];
    while (!this.is("}") && this.kind !== "end") body.push(this.statement());
    const again = firstRedeclared(body);
    if (again !== undefined) {
      const name = this.text.slice(again.start, again.end);
      this.fail(
        `Identifier '${name}' has already been declared`,
        again.start,
      );
    }
    return body;
  }

  protected variables(noIn = false): SyntaxNode {
    const { start } = this;
    this.eatWord("await");
    const kind = this.value;
    this.next();
    const declarations: SyntaxNode[] = [];
    do declarations.push(this.#declarator(noIn)); while (this.eat(","));
    return this.node("VariableDeclaration", start, { kind, declarations });
  }

  protected isVariables(): boolean {
    if (this.isWord("var") || this.isWord("const")) return true;
    const { text, afterBreak } = this.ahead();
    if (this.isWord("let")) {
      return /^(?!in\b|instanceof\b)[[{$_\\\p{ID_Start}]/u.test(text);
    }
    if (afterBreak) return false;
    if (this.isWord("using")) {
      return NAME_START.test(text) &&
        !/^(?:in|instanceof|of|as|satisfies)\b/.test(text);
    }
    return this.isWord("await") && /^using\s+[$_\\\p{ID_Start}]/u.test(text) &&
      !/^using\s+(?:in|instanceof)\b/.test(text);
  }

  #declarator(noIn: boolean): SyntaxNode {
    const { start } = this;
    const target = this.pattern();
    const definite = this.typed && !this.afterBreak && this.eat("!");
    const typeAnnotation = this.annotation();
    const id = { ...target, end: this.lastEnd, typeAnnotation };
    const init = this.eat("=") ? this.assignment(noIn) : null;
    const fields = { id, init, ...definite && { definite } };
    return this.node("VariableDeclarator", start, fields);
  }

  #statement(): SyntaxNode {
    const { start } = this;
    if (this.is("{")) return this.block();
    if (this.eat(";")) return this.node("EmptyStatement", start);
    if (this.typed && this.is("@")) return this.#decorated();
    if (this.kind === "name" && this.isWord(this.value)) {
      const typed = this.typed ? this.typedStatement() : undefined;
      const read = typed ?? this.#keyword();
      if (read !== undefined) return read;
    }
    const expression = this.expression();
    if (expression.type === "Identifier" && this.is(":")) {
      this.next();
      const body = this.statement();
      return this.node("LabeledStatement", start, { label: expression, body });
    }
    this.semicolon();
    return this.node("ExpressionStatement", start, { expression });
  }

  #decorated(): SyntaxNode {
    const decorators = [this.decorator()];
    while (this.is("@")) decorators.push(this.decorator());
    return { ...this.statement(), decorators };
  }

  #keyword(): SyntaxNode | undefined {
    const { start } = this;
    if (this.isVariables()) {
      const declaration = this.variables();
      if (!this.typed && !isComplete(declaration)) {
        this.fail("The declaration lacks its value");
      }
      this.semicolon();
      return { ...declaration, end: this.lastEnd };
    }
    switch (this.value) {
      case "async": {
        const { text, afterBreak } = this.ahead();
        const isFunction = !afterBreak && /^function\b/.test(text);
        return isFunction ? this.functionDeclaration() : undefined;
      }
      case "function":
        return this.functionDeclaration();
      case "class":
        return this.classDeclaration();
      case "import":
        return /^[(.]/.test(this.ahead().text)
          ? undefined
          : this.moduleStatement();
      case "export":
        return this.moduleStatement();
      case "if":
        return this.#if();
      case "for":
        return this.#for();
      case "while":
        return this.#headed("WhileStatement");
      case "with":
        return this.#headed("WithStatement");
      case "do":
        return this.#do();
      case "switch":
        return this.#switch();
      case "try":
        return this.#try();
      case "return":
        return this.#argument("ReturnStatement", true);
      case "throw":
        return this.#argument("ThrowStatement", false);
      case "break":
        return this.#jump("BreakStatement");
      case "continue":
        return this.#jump("ContinueStatement");
      case "debugger":
        this.next();
        this.semicolon();
        return this.node("DebuggerStatement", start);
    }
    return undefined;
  }

  #condition(): SyntaxNode {
    this.expect("(");
    const test = this.expression();
    this.expect(")");
    return test;
  }

  #if(): SyntaxNode {
    const { start } = this;
    this.next();
    const test = this.#condition();
    const consequent = this.statement();
    const alternate = this.eatWord("else") ? this.statement() : null;
    const fields = { test, consequent, alternate };
    return this.node("IfStatement", start, fields);
  }

  #headed(type: string): SyntaxNode {
    const { start } = this;
    this.next();
    const test = this.#condition();
    return this.node(type, start, { test, body: this.statement() });
  }

  #do(): SyntaxNode {
    const { start } = this;
    this.next();
    const body = this.statement();
    this.expectWord("while");
    const test = this.#condition();
    this.eat(";");
    return this.node("DoWhileStatement", start, { body, test });
  }

  #for(): SyntaxNode {
    const { start } = this;
    this.next();
    const isAwait = this.inAsync && this.eatWord("await");
    this.expect("(");
    const init = this.is(";")
      ? null
      : this.isVariables()
      ? this.variables(true)
      : this.expression(true);
    if (init !== null && (this.isWord("of") || !isAwait && this.isWord("in"))) {
      const type = this.isWord("of") ? "ForOfStatement" : "ForInStatement";
      this.next();
      const right = this.expression();
      this.expect(")");
      const body = this.statement();
      return this.node(type, start, { left: init, right, body });
    }
    if (isAwait) this.unexpected();
    this.expect(";");
    const test = this.is(";") ? null : this.expression();
    this.expect(";");
    const update = this.is(")") ? null : this.expression();
    this.expect(")");
    const body = this.statement();
    return this.node("ForStatement", start, { init, test, update, body });
  }

  #switch(): SyntaxNode {
    const { start } = this;
    this.next();
    const discriminant = this.#condition();
    this.expect("{");
    const cases: SyntaxNode[] = [];
    while (!this.eat("}")) cases.push(this.#case());
    return this.node("SwitchStatement", start, { discriminant, cases });
  }

  #case(): SyntaxNode {
    const { start } = this;
    const test = this.eatWord("case") ? this.expression() : null;
    if (test === null) this.expectWord("default");
    this.expect(":");
    const consequent: SyntaxNode[] = [];
    while (!this.is("}") && !this.isWord("case") && !this.isWord("default")) {
      consequent.push(this.statement());
    }
    return this.node("SwitchCase", start, { test, consequent });
  }

  #try(): SyntaxNode {
    const { start } = this;
    this.next();
    const block = this.block();
    const handler = this.isWord("catch") ? this.#catch() : null;
    const finalizer = this.eatWord("finally") ? this.block() : null;
    if (handler === null && finalizer === null) this.unexpected();
    return this.node("TryStatement", start, { block, handler, finalizer });
  }

  #catch(): SyntaxNode {
    const { start } = this;
    this.next();
    let param: SyntaxNode | null = null;
    if (this.eat("(")) {
      const target = this.pattern();
      const typeAnnotation = this.annotation();
      param = { ...target, end: this.lastEnd, typeAnnotation };
      this.expect(")");
    }
    return this.node("CatchClause", start, { param, body: this.block() });
  }

  #argument(type: string, optional: boolean): SyntaxNode {
    const { start } = this;
    this.next();
    if (optional && (this.is(";") || this.isStatementEnd())) {
      this.semicolon();
      return this.node(type, start, { argument: null });
    }
    if (this.afterBreak) this.fail("Illegal newline after throw", this.lastEnd);
    const argument = this.expression();
    this.semicolon();
    return this.node(type, start, { argument });
  }

  #jump(type: string): SyntaxNode {
    const { start } = this;
    this.next();
    const hasLabel = this.kind === "name" && !this.afterBreak;
    const label = hasLabel ? this.identifier() : null;
    this.semicolon();
    return this.node(type, start, { label });
  }
}
