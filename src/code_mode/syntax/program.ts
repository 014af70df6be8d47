/**
 * Module syntax, and the statements that only TypeScript has.
 *
 * @module
 */

import { StatementReader } from "./statements.ts";
import type { SyntaxNode } from "./syntax_tree.ts";

/** A whole program. */
export class ProgramReader extends StatementReader {
  /** The statements of the program. */
  program(): SyntaxNode {
    const body = this.statements();
    if (this.kind !== "end") this.unexpected();
    return this.node("Program", 0, { body });
  }

  /** The program as an async function's body, without the function around it. */
  body(): SyntaxNode {
    const kind = { async: true, generator: false };
    return this.within(kind, () => this.program());
  }

  protected override moduleStatement(): SyntaxNode {
    return this.isWord("import") ? this.#import() : this.#export();
  }

  protected override typedStatement(): SyntaxNode | undefined {
    const { start } = this;
    const { text, afterBreak } = this.ahead();
    const isNamed = /^[$_\\\p{ID_Start}]/u.test(text) &&
      !/^(?:in|instanceof|of|as|satisfies)\b/.test(text);
    if (this.isWord("enum") || this.isWord("const") && /^enum\b/.test(text)) {
      return this.#enum();
    }
    if (afterBreak && !this.isWord("interface")) return undefined;
    switch (this.value) {
      case "type":
        return isNamed ? this.#alias() : undefined;
      case "interface":
        return isNamed ? this.#interface() : undefined;
      case "abstract":
        return /^class\b/.test(text) ? this.classDeclaration() : undefined;
      case "declare":
        return isNamed ? this.#declare() : undefined;
      case "global":
        return text.startsWith("{") ? this.#namespace() : undefined;
      case "namespace":
      case "module":
        return isNamed || /^['"]/.test(text) ? this.#namespace() : undefined;
      case "import":
        return this.attempt(() => {
          this.next();
          if (this.isWord("type")) this.next();
          this.identifier();
          this.expect("=");
          this.expression();
          this.semicolon();
          return this.node("TSImportEqualsDeclaration", start);
        });
    }
    return undefined;
  }

  #alias(): SyntaxNode {
    const { start } = this;
    this.next();
    this.identifier();
    this.typeParameters();
    this.expect("=");
    this.type();
    this.semicolon();
    return this.node("TSTypeAliasDeclaration", start);
  }

  #interface(): SyntaxNode {
    const { start } = this;
    this.next();
    this.identifier();
    this.typeParameters();
    if (this.eatWord("extends")) {
      do this.type(); while (this.eat(","));
    }
    if (!this.is("{")) this.unexpected();
    this.balanced();
    return this.node("TSInterfaceDeclaration", start);
  }

  #enum(): SyntaxNode {
    const { start } = this;
    this.eatWord("const");
    this.next();
    const id = this.identifier();
    this.expect("{");
    const members = this.list("}", () => this.#enumMember());
    return this.node("TSEnumDeclaration", start, { id, members });
  }

  #enumMember(): SyntaxNode {
    const { start } = this;
    const { key: id } = this.key();
    const initializer = this.eat("=") ? this.assignment() : null;
    return this.node("TSEnumMember", start, { id, initializer });
  }

  #namespace(): SyntaxNode {
    const { start } = this;
    if (!this.isWord("global")) this.next();
    if (this.kind === "string") this.next();
    else do this.word(); while (this.eat("."));
    if (this.is("{")) this.balanced();
    else this.semicolon();
    return this.node("TSModuleDeclaration", start);
  }

  #declare(): SyntaxNode {
    const { start } = this;
    this.next();
    return { ...this.statement(), start, declare: true };
  }

  #import(): SyntaxNode {
    const { start } = this;
    this.next();
    if (this.kind === "string") {
      return this.#from(start, "ImportDeclaration", {});
    }
    const isType = this.typed && this.isWord("type") &&
      /^(?:[*{]|(?!from\b\s*['"])[$_\\\p{ID_Start}])/u.test(this.ahead().text);
    if (isType) this.next();
    const specifiers: SyntaxNode[] = [];
    if (this.kind === "name") specifiers.push(this.#imported());
    if (specifiers.length === 0 || this.eat(",")) {
      if (this.eat("*")) {
        this.expectWord("as");
        specifiers.push(this.#imported());
      } else {
        this.expect("{");
        specifiers.push(...this.list("}", () => this.#specifier()));
      }
    }
    this.expectWord("from");
    const importKind = isType ? "type" : "value";
    const fields = { specifiers, importKind };
    return this.#from(start, "ImportDeclaration", fields);
  }

  /** A default import, or one of a whole module. */
  #imported(): SyntaxNode {
    const { start } = this;
    const local = this.identifier();
    return this.node("ImportDefaultSpecifier", start, { local });
  }

  /** `a as b`, in an import and in an export. */
  #specifier(): SyntaxNode {
    const { start } = this;
    const isType = this.typed && this.isWord("type") &&
      /^(?!as\b)[$_\\\p{ID_Start}'"]/u.test(this.ahead().text);
    if (isType) this.next();
    const imported = this.#moduleName();
    const local = this.eatWord("as") ? this.#moduleName() : imported;
    const importKind = isType ? "type" : "value";
    const fields = { imported, local, importKind };
    return this.node("ExportSpecifier", start, fields);
  }

  #moduleName(): SyntaxNode {
    return this.kind === "string" ? this.literal() : this.word();
  }

  #from(
    start: number,
    type: string,
    fields: Readonly<Record<string, unknown>>,
  ): SyntaxNode {
    if (this.kind !== "string") this.unexpected();
    const source = this.literal();
    const hasAttributes = this.isWord("with") ||
      this.isWord("assert") && !this.afterBreak;
    if (hasAttributes) {
      this.next();
      if (!this.is("{")) this.unexpected();
      this.balanced();
    }
    this.semicolon();
    return this.node(type, start, { ...fields, source });
  }

  #export(): SyntaxNode {
    const { start } = this;
    this.next();
    if (this.typed) {
      if (this.eat("=")) {
        this.expression();
        this.semicolon();
        return this.node("TSExportAssignment", start);
      }
      if (this.isWord("as") && /^namespace\b/.test(this.ahead().text)) {
        this.next();
        this.next();
        this.identifier();
        this.semicolon();
        return this.node("TSNamespaceExportDeclaration", start);
      }
    }
    const isType = this.typed && this.isWord("type") &&
      /^[*{]/.test(this.ahead().text);
    if (isType) this.next();
    const exportKind = isType ? "type" : "value";
    if (this.eat("*")) {
      if (this.eatWord("as")) this.#moduleName();
      this.expectWord("from");
      return this.#from(start, "ExportAllDeclaration", { exportKind });
    }
    if (this.eat("{")) {
      const specifiers = this.list("}", () => this.#specifier());
      const fields = { specifiers, exportKind };
      if (this.eatWord("from")) {
        return this.#from(start, "ExportNamedDeclaration", fields);
      }
      this.semicolon();
      return this.node("ExportNamedDeclaration", start, fields);
    }
    if (this.eatWord("default")) return this.#default(start);
    const declaration = this.statement();
    if (!/Declaration$|^TSDeclareFunction$/.test(declaration.type)) {
      this.fail("Unexpected token", declaration.start);
    }
    const fields = { declaration, exportKind };
    return this.node("ExportNamedDeclaration", start, fields);
  }

  #default(start: number): SyntaxNode {
    const declaration = this.#defaultValue();
    const fields = { declaration };
    return this.node("ExportDefaultDeclaration", start, fields);
  }

  #defaultValue(): SyntaxNode {
    const { text, afterBreak } = this.ahead();
    const isFunction = this.isWord("function") ||
      this.isWord("async") && !afterBreak && /^function\b/.test(text);
    if (isFunction) return this.functionDeclaration(true);
    const isClass = this.isWord("class") ||
      this.typed && this.isWord("abstract") && /^class\b/.test(text);
    if (isClass) return this.classDeclaration(true);
    if (this.typed && this.isWord("interface")) return this.#interface();
    const value = this.assignment();
    this.semicolon();
    return value;
  }
}
