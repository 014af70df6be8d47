/**
 * Reads a text token by token as the parser asks for them: only the parser
 * knows where a slash starts an expression.
 *
 * @module
 */

import { afterBlanks, type HtmlComment, isBreakIn } from "./blanks.ts";
import { SyntaxFailure, TOO_DEEP } from "./syntax_failure.ts";
import {
  regularExpressionEnd,
  templatePieceEnd,
  tokenAt,
  type TokenKind,
  unescaped,
} from "./token.ts";

/** A place to come back to, where one reading of the text did not hold. */
export type Snapshot = {
  readonly kind: TokenKind;
  readonly value: string;
  readonly start: number;
  readonly end: number;
  readonly lastEnd: number;
  readonly afterBreak: boolean;
  readonly brackets: number;
  readonly depth: number;
  readonly comments: number;
};

/** Nesting of brackets that is still read: the same answer on every stack. */
const BRACKETS = 200;
/** Nesting without brackets, as in a row of `!`; a level is a few frames. */
const DEPTH = 1000;

/** Reads tokens; the current one is in the fields. */
export abstract class Lexer {
  protected kind: TokenKind = "end";
  /** What the token says; escapes in names are resolved. */
  protected value = "";
  protected start = 0;
  protected end = 0;
  /** Where the token before ended. */
  protected lastEnd = 0;
  /** Whether a line break stands before the token. */
  protected afterBreak = false;
  readonly htmlComments: HtmlComment[] = [];
  #brackets = 0;
  #depth = 0;
  #steps: number;

  constructor(protected readonly text: string) {
    // Readings that are tried and taken back can double with every level.
    this.#steps = 10_000 + 20 * text.length;
    this.#scan(0);
  }

  /** Goes on to the next token. */
  protected next(): void {
    if (this.kind === "punctuator") this.#count();
    this.lastEnd = this.end;
    this.#scan(this.end);
  }

  protected snapshot(): Snapshot {
    const { kind, value, start, end, lastEnd, afterBreak } = this;
    return {
      kind,
      value,
      start,
      end,
      lastEnd,
      afterBreak,
      brackets: this.#brackets,
      depth: this.#depth,
      comments: this.htmlComments.length,
    };
  }

  protected restore(to: Snapshot): void {
    this.kind = to.kind;
    this.value = to.value;
    this.start = to.start;
    this.end = to.end;
    this.lastEnd = to.lastEnd;
    this.afterBreak = to.afterBreak;
    this.#brackets = to.brackets;
    this.#depth = to.depth;
    this.htmlComments.length = to.comments;
  }

  /** What `read` gives, or nothing and the same place as before. */
  protected attempt<T>(read: () => T | undefined): T | undefined {
    const before = this.snapshot();
    try {
      const result = read();
      if (result !== undefined) return result;
    } catch (error) {
      const isFailed = error instanceof SyntaxFailure &&
        error.message !== TOO_DEEP;
      if (!isFailed) throw error;
    }
    this.restore(before);
    return undefined;
  }

  /** Calls `read` one level deeper. */
  protected nested<T>(read: () => T): T {
    if (++this.#depth > DEPTH) this.fail(TOO_DEEP);
    const result = read();
    this.#depth--;
    return result;
  }

  protected fail(message: string, at: number = this.start): never {
    throw new SyntaxFailure(message, at);
  }

  protected unexpected(): never {
    this.fail("Unexpected token");
  }

  /** Whether the token is the punctuator `value`. */
  protected is(value: string): boolean {
    return this.kind === "punctuator" && this.value === value;
  }

  /** Whether the token is the word `value`, without escapes. */
  protected isWord(value: string): boolean {
    return this.kind === "name" && this.value === value &&
      this.end - this.start === value.length;
  }

  protected eat(value: string): boolean {
    const found = this.is(value);
    if (found) this.next();
    return found;
  }

  protected eatWord(value: string): boolean {
    const found = this.isWord(value);
    if (found) this.next();
    return found;
  }

  protected expect(value: string): void {
    if (!this.eat(value)) this.unexpected();
  }

  protected expectWord(value: string): void {
    if (!this.eatWord(value)) this.unexpected();
  }

  /** The end of a statement, written or not. */
  protected semicolon(): void {
    if (this.eat(";") || this.isStatementEnd()) return;
    this.unexpected();
  }

  protected isStatementEnd(): boolean {
    return this.kind === "end" || this.is("}") || this.afterBreak;
  }

  /** Shortens a token such as `>>=` to its first character. */
  protected split(first: string): boolean {
    if (this.kind !== "punctuator" || !this.value.startsWith(first)) {
      return false;
    }
    this.value = first;
    this.end = this.start + first.length;
    return true;
  }

  /** The text from the next token on, as far as a lookahead needs it. */
  protected ahead(): { readonly text: string; readonly afterBreak: boolean } {
    const at = afterBlanks(this.text, this.end);
    const afterBreak = isBreakIn(this.text, this.end, at);
    return { text: this.text.slice(at, at + 20), afterBreak };
  }

  /** Reads the current slash, and what follows, as a regular expression. */
  protected regularExpression(): void {
    this.lastEnd = regularExpressionEnd(this.text, this.start);
    this.#scan(this.lastEnd);
  }

  /**
   * Reads a piece of a template, from behind the current backtick or brace to
   * the next one, and goes on behind that.
   */
  protected templatePiece(): { start: number; end: number; tail: boolean } {
    const start = this.end;
    const end = templatePieceEnd(this.text, start);
    const tail = this.text.charAt(end) === "`";
    this.#brackets += tail ? -1 : 0;
    this.lastEnd = end + (tail ? 1 : 2);
    this.#scan(this.lastEnd);
    return { start, end, tail };
  }

  /** Notes that a template starts here: it nests as brackets do. */
  protected enterTemplate(): void {
    if (++this.#brackets > BRACKETS) this.fail(TOO_DEEP);
  }

  #count(): void {
    switch (this.value) {
      case "(":
      case "[":
      case "{":
        if (++this.#brackets > BRACKETS) this.fail(TOO_DEEP);
        break;
      case ")":
      case "]":
      case "}":
        this.#brackets--;
    }
  }

  #scan(from: number): void {
    if (--this.#steps < 0) this.fail(TOO_DEEP, from);
    const start = afterBlanks(this.text, from, this.htmlComments);
    const { kind, text } = tokenAt(this.text, start);
    this.afterBreak = isBreakIn(this.text, from, start);
    this.kind = kind;
    this.value = kind === "name" ? unescaped(text) : text;
    this.start = start;
    this.end = start + text.length;
  }
}
