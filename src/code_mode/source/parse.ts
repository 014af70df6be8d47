/**
 * Parses the model's text as what it will be: the body of an async function.
 *
 * @module
 */

import { type Comment, type Options, parse, tokTypes } from "acorn";
import { applyEdits, type Edit, erasure } from "./edits.ts";
import { isNode, nodeIn, nodesIn, type SyntaxNode } from "./syntax_tree.ts";

const HEAD = "(async function(){";
const TAIL = "\n})";

/** Nesting of brackets that is still read: the same answer on every stack. */
const DEPTH = 200;

/** A body that parsed. Positions in the tree are positions in `text`. */
export type ParsedBody = {
  readonly tag: "parsed";
  /** The body inside the function that holds it. */
  readonly text: string;
  readonly statements: readonly SyntaxNode[];
  readonly block: SyntaxNode;
};

/** Why it did not parse. */
export type ParseFailure = {
  readonly tag: "failed";
  readonly reason: string;
  /** From the start of the body; missing where it depends on the host. */
  readonly offset?: number;
};

/** The reason where a parser ran out of depth or of steps. */
const TOO_DEEP = "The code is nested too deeply to be read";

/** Options under which a body, put in its function, is read. */
export function parserOptions(): Options {
  return {
    // All of it was tried in the engine; `using` works there in functions.
    ecmaVersion: 2026,
    sourceType: "script",
    // So that they are explained, where the parser would only refuse them.
    allowImportExportEverywhere: true,
  };
}

/** Parses `code` as a body. */
export function parseBody(code: string): ParsedBody | ParseFailure {
  const text = wrap(code);
  const comments: Comment[] = [];
  try {
    const program = parse(text, {
      ...parserOptions(),
      onComment: comments,
      onToken: depthGuard(),
    });
    const block = bodyOf(program, text);
    // A closing bracket too many ended the function early.
    if (block === undefined) return strayBracket(code);
    return {
      tag: "parsed",
      text: withoutHtmlComments(text, comments),
      statements: nodesIn(block["body"]),
      block,
    };
  } catch (error) {
    return failureOf(error, code);
  }
}

/** `code` inside the function that it is the body of. */
export function wrap(code: string): string {
  return HEAD + code + TAIL;
}

/** The body in `text` as {@link wrap} made it. */
export function unwrap(text: string): string {
  return text.slice(HEAD.length, text.length - TAIL.length);
}

/** The position in the body of a position in the wrapped text. */
export function inBody(offset: number): number {
  return offset - HEAD.length;
}

/** The block of the wrapping function, where the program is just that. */
export function bodyOf(
  program: unknown,
  text: string,
): SyntaxNode | undefined {
  const body = isNode(program) ? nodesIn(program["body"]) : [];
  const expression = nodeIn(body[0]?.["expression"]);
  const whole = body.length === 1 && expression?.start === 1 &&
    expression.type === "FunctionExpression" &&
    expression.end === text.length - 1;
  return whole ? nodeIn(expression["body"]) : undefined;
}

/** What a parser threw, as a place in `code`. */
export function failureOf(error: unknown, code: string): ParseFailure {
  const isPlaced = error instanceof SyntaxError && "pos" in error;
  // A stack that is exhausted elsewhere than in the parser's own guard.
  if (!isPlaced) return { tag: "failed", reason: TOO_DEEP };
  const reason = error.message.replace(/ \(\d+:\d+\)$/, "");
  if (reason === TOO_DEEP || reason.startsWith("Not enough stack")) {
    return { tag: "failed", reason: TOO_DEEP };
  }
  const offset = inBody(Number(error.pos));
  const end = code.trimEnd().length;
  if (offset < end) return { tag: "failed", reason, offset };
  const early = "The code ends too early: something is not closed or complete";
  return { tag: "failed", reason: early, offset: end };
}

function strayBracket(code: string): ParseFailure {
  try {
    parse(code, {
      ...parserOptions(),
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
  } catch (error) {
    if (error instanceof SyntaxError && "pos" in error) {
      const reason = "A closing bracket has no opening one";
      return { tag: "failed", reason, offset: Number(error.pos) };
    }
  }
  return { tag: "failed", reason: "Unexpected token", offset: 0 };
}

/** Stops the parser, by its own kind of error, where brackets nest too deep. */
function depthGuard(): NonNullable<Options["onToken"]> {
  const { parenL, bracketL, braceL, dollarBraceL } = tokTypes;
  const { parenR, bracketR, braceR } = tokTypes;
  const open = new Set([parenL, bracketL, braceL, dollarBraceL]);
  const close = new Set([parenR, bracketR, braceR]);
  let depth = 0;
  return ({ type, start }) => {
    if (close.has(type)) depth--;
    else if (open.has(type) && ++depth > DEPTH) {
      throw Object.assign(new SyntaxError(TOO_DEEP), { pos: start });
    }
  };
}

/** `<!--` and `-->` start comments in scripts only; an engine may differ. */
function withoutHtmlComments(text: string, comments: Comment[]): string {
  const edits: Edit[] = comments
    .filter(({ start }) => !text.startsWith("/", start))
    .map(({ start, end }) => erasure(text, start, end));
  return edits.length === 0 ? text : applyEdits(text, edits);
}
