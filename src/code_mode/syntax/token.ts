/**
 * The tokens of JavaScript and TypeScript.
 *
 * @module
 */

import { isLineBreak } from "./blanks.ts";
import { SyntaxFailure } from "./syntax_failure.ts";

/** What a token is. */
export type TokenKind =
  | "end"
  | "name"
  | "number"
  | "private"
  | "punctuator"
  | "string";

/** A token as it stands in the text. */
export type Token = { readonly kind: TokenKind; readonly text: string };

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
/** What no longer punctuator starts with; they are most of all there are. */
const SINGLE = new Set("(){}[];,:~@`");
const FLAGS = /[$\w]*/y;

/** The token that starts at `at`, where neither space nor comment is. */
export function tokenAt(text: string, at: number): Token {
  const char = text.charAt(at);
  if (char === "") return { kind: "end", text: "" };
  if (SINGLE.has(char)) return { kind: "punctuator", text: char };
  const name = nameAt(text, at);
  if (name !== "") return { kind: "name", text: name };
  if (char === '"' || char === "'") {
    return { kind: "string", text: stringAt(text, at, char) };
  }
  if (text.startsWith("/*", at)) {
    throw new SyntaxFailure("Unterminated comment", at);
  }
  const number = match(NUMBER, text, at);
  if (number !== "") {
    return { kind: "number", text: wholeNumber(text, at, number) };
  }
  const punctuator = match(PUNCTUATOR, text, at);
  if (punctuator !== "") return { kind: "punctuator", text: punctuator };
  const own = char === "#" ? nameAt(text, at + 1) : "";
  if (own !== "") return { kind: "private", text: `#${own}` };
  const whole = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const reason = char === "\\"
    ? "Expecting Unicode escape sequence \\uXXXX"
    : `Unexpected character '${whole}'`;
  throw new SyntaxFailure(reason, at);
}

/** `name` with its escapes resolved. */
export function unescaped(name: string): string {
  if (!name.includes("\\")) return name;
  return name.replace(
    /\\u\{?([\da-fA-F]+)\}?/g,
    (_, digits) =>
      String.fromCodePoint(Math.min(parseInt(digits, 16), 0x10ffff)),
  );
}

/** Where the regular expression ends that the slash at `start` begins. */
export function regularExpressionEnd(text: string, start: number): number {
  let inClass = false;
  let at = start + 1;
  for (;; at++) {
    const char = text.charAt(at);
    if (char === "" || isLineBreak(char)) {
      throw new SyntaxFailure("Unterminated regular expression", start);
    }
    if (char === "\\") at++;
    else if (char === "[") inClass = true;
    else if (char === "]") inClass = false;
    else if (char === "/" && !inClass) break;
  }
  const flags = match(FLAGS, text, at + 1);
  try {
    new RegExp(text.slice(start + 1, at), flags);
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    throw new SyntaxFailure(why || "Invalid regular expression", start);
  }
  return at + 1 + flags.length;
}

/** Where the piece of a template ends that starts at `start`. */
export function templatePieceEnd(text: string, start: number): number {
  for (let at = start;; at++) {
    const char = text.charAt(at);
    if (char === "") throw new SyntaxFailure("Unterminated template", start);
    if (char === "`") return at;
    if (char === "$" && text.charAt(at + 1) === "{") return at;
    if (char === "\\") at++;
  }
}

/** The name or keyword at `at`, empty where there is none. */
export function nameAt(text: string, at: number): string {
  for (let end = at;; end++) {
    const code = text.charCodeAt(end);
    const isPart = code >= 97 && code <= 122 || code >= 65 && code <= 90 ||
      code === 36 || code === 95 || end > at && code >= 48 && code <= 57;
    if (isPart) continue;
    // Past ASCII, and where an escape stands, the expression decides.
    const isWhole = !(code >= 128 || code === 92);
    return isWhole ? text.slice(at, end) : match(NAME, text, at);
  }
}

function wholeNumber(text: string, at: number, number: string): string {
  const end = at + number.length;
  if (match(NAME_START, text, end) === "") return number;
  throw new SyntaxFailure("Identifier directly after number", end);
}

function stringAt(text: string, start: number, quote: string): string {
  for (let at = start + 1;; at++) {
    const char = text.charAt(at);
    if (char === quote) return text.slice(start, at + 1);
    if (char === "\\") at++;
    else if (char === "" || char === "\n" || char === "\r") {
      throw new SyntaxFailure("Unterminated string constant", start);
    }
  }
}

/** What the sticky `pattern` finds at `at`. */
function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
