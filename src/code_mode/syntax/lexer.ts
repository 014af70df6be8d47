/**
 * The tokens of JavaScript and TypeScript, read one at a time as the parser
 * asks for them: only the parser knows where a slash starts an expression.
 *
 * @module
 */

/** What a token is. */
export type TokenKind =
  | "end"
  | "name"
  | "number"
  | "private"
  | "punctuator"
  | "string";

/** Why the text is no program, and where. */
export class SyntaxFailure extends SyntaxError {
  /** The position in the text. */
  readonly pos: number;

  constructor(message: string, pos: number) {
    super(message);
    this.pos = pos;
  }
}

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

/** The reason where the text nests deeper than is read. */
export const TOO_DEEP = "The code is nested too deeply to be read";

/** Nesting of brackets that is still read: the same answer on every stack. */
const BRACKETS = 200;
/** Nesting without brackets, as in a row of `!`; a level is a few frames. */
const DEPTH = 1000;

const SPACE = /\s+/y;
const LINE_BREAK = /[\n\r\u2028\u2029]/;
const NAME_PART = String.raw`\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]+\})`;
const NAME = new RegExp(
  String.raw`(?:[$_\p{ID_Start}]|${NAME_PART})` +
    String.raw`(?:[$\u200c\u200d\p{ID_Continue}]|${NAME_PART})*`,
  "uy",
);
const NAME_START = /[$_\\\p{ID_Start}\d]/uy;
const NUMBER =
  /0[xX](?:_?[\da-fA-F])+n?|0[oO](?:_?[0-7])+n?|0[bB](?:_?[01])+n?|\d(?:_?\d)*n|(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y;
const PUNCTUATOR =
  />>>=|\.\.\.|[!=]==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|[=!<>+\-*/%&|^]=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|<<|>>|\*\*|[{}()[\];,<>+\-*/%&|^!~?:=.@`]/y;
const FLAGS = /[$\w]*/y;

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
  /** Comments as in HTML, which other readers of the language may not know. */
  readonly htmlComments: { readonly start: number; readonly end: number }[] =
    [];
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
    const at = this.#skip(this.end, false);
    const afterBreak = LINE_BREAK.test(this.text.slice(this.end, at));
    return { text: this.text.slice(at, at + 20), afterBreak };
  }

  /** Reads the current slash, and what follows, as a regular expression. */
  protected regularExpression(): void {
    let inClass = false;
    let at = this.start + 1;
    for (;; at++) {
      const char = this.text.charAt(at);
      if (char === "" || LINE_BREAK.test(char)) {
        this.fail("Unterminated regular expression");
      }
      if (char === "\\") at++;
      else if (char === "[") inClass = true;
      else if (char === "]") inClass = false;
      else if (char === "/" && !inClass) break;
    }
    const flags = this.#match(FLAGS, at + 1);
    try {
      new RegExp(this.text.slice(this.start + 1, at), flags);
    } catch (error) {
      const why = error instanceof Error ? error.message : "";
      this.fail(why === "" ? "Invalid regular expression" : why);
    }
    this.lastEnd = at + 1 + flags.length;
    this.#scan(this.lastEnd);
  }

  /**
   * Reads a piece of a template, from behind the current backtick or brace to
   * the next one, and goes on behind that.
   */
  protected templatePiece(): { start: number; end: number; tail: boolean } {
    const start = this.end;
    for (let at = start;; at++) {
      const char = this.text.charAt(at);
      if (char === "") this.fail("Unterminated template", start);
      if (char === "\\") at++;
      const tail = char === "`";
      if (!tail && !(char === "$" && this.text.charAt(at + 1) === "{")) {
        continue;
      }
      this.#brackets += tail ? -1 : 0;
      this.lastEnd = at + (tail ? 1 : 2);
      this.#scan(this.lastEnd);
      return { start, end: at, tail };
    }
  }

  /** Notes that a template starts here: it nests as brackets do. */
  protected enterTemplate(): void {
    if (++this.#brackets > BRACKETS) this.fail(TOO_DEEP);
  }

  #count(): void {
    if (/^[([{]$/.test(this.value)) {
      if (++this.#brackets > BRACKETS) this.fail(TOO_DEEP);
    } else if (/^[)\]}]$/.test(this.value)) this.#brackets--;
  }

  #match(pattern: RegExp, at: number): string {
    pattern.lastIndex = at;
    return pattern.exec(this.text)?.[0] ?? "";
  }

  /** The first position at or after `at` that is neither space nor comment. */
  #skip(from: number, note: boolean): number {
    const { text } = this;
    for (let at = from;;) {
      const start = at;
      at += this.#match(SPACE, at).length;
      if (text.startsWith("/*", at)) {
        const close = text.indexOf("*/", at + 2);
        if (close < 0) this.fail("Unterminated comment", at);
        at = close + 2;
      } else if (text.startsWith("//", at) || this.#isHtmlComment(from, at)) {
        const comment = at;
        while (at < text.length && !LINE_BREAK.test(text.charAt(at))) at++;
        if (note && !text.startsWith("/", comment)) {
          this.htmlComments.push({ start: comment, end: at });
        }
      }
      if (at === start) return at;
    }
  }

  #isHtmlComment(from: number, at: number): boolean {
    return this.text.startsWith("<!--", at) ||
      this.text.startsWith("-->", at) &&
        LINE_BREAK.test(this.text.slice(from, at));
  }

  #scan(from: number): void {
    if (--this.#steps < 0) this.fail(TOO_DEEP, from);
    const start = this.#skip(from, true);
    this.afterBreak = start > from &&
      LINE_BREAK.test(this.text.slice(from, start));
    this.start = start;
    const char = this.text.charAt(start);
    if (char === "") return this.#token("end", "");
    const name = this.#match(NAME, start);
    if (name !== "") {
      this.#token("name", name);
      if (name.includes("\\")) this.value = unescaped(name);
      return;
    }
    if (char === '"' || char === "'") return this.#string(char);
    const number = this.#match(NUMBER, start);
    if (number !== "") {
      this.#token("number", number);
      if (this.#match(NAME_START, this.end) === "") return;
      this.fail("Identifier directly after number", this.end);
    }
    const punctuator = this.#match(PUNCTUATOR, start);
    if (punctuator !== "") return this.#token("punctuator", punctuator);
    const own = char === "#" ? this.#match(NAME, start + 1) : "";
    if (own !== "") return this.#token("private", `#${own}`);
    const whole = String.fromCodePoint(this.text.codePointAt(start) ?? 0);
    this.fail(
      char === "\\"
        ? "Expecting Unicode escape sequence \\uXXXX"
        : `Unexpected character '${whole}'`,
    );
  }

  #string(quote: string): void {
    let at = this.start + 1;
    for (;; at++) {
      const char = this.text.charAt(at);
      if (char === quote) break;
      if (char === "\\") at++;
      else if (char === "" || char === "\n" || char === "\r") {
        this.fail("Unterminated string constant");
      }
    }
    this.#token("string", this.text.slice(this.start, at + 1));
  }

  #token(kind: TokenKind, value: string): void {
    this.kind = kind;
    this.value = value;
    this.end = this.start + value.length;
  }
}

function unescaped(name: string): string {
  return name.replace(
    /\\u\{?([\da-fA-F]+)\}?/g,
    (_, digits) =>
      String.fromCodePoint(Math.min(parseInt(digits, 16), 0x10ffff)),
  );
}
