/**
 * Parses the model's text as what it will be: the body of an async function.
 *
 * @module
 */

import { ProgramReader } from "../syntax/program.ts";
import { SyntaxFailure, TOO_DEEP } from "../syntax/syntax_failure.ts";
import {
  isNode,
  nodeIn,
  nodesIn,
  type SyntaxNode,
} from "../syntax/syntax_tree.ts";
import { applyEdits, erasure } from "./edits.ts";

const HEAD = "(async function(){";
const TAIL = "\n})";

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

const NO_BODY: ParseFailure = {
  tag: "failed",
  reason: "Unexpected token",
  offset: 0,
};

/** Parses `code` as a body, with the types of TypeScript where `typed`. */
export function parseBody(
  code: string,
  typed = false,
): ParsedBody | ParseFailure {
  const text = wrap(code);
  try {
    const reader = new ProgramReader(text, typed);
    const block = bodyOf(reader.program(), text);
    if (block === undefined) return strayBracket(code, typed) ?? NO_BODY;
    return {
      tag: "parsed",
      text: withoutHtmlComments(text, reader),
      statements: nodesIn(block["body"]),
      block,
    };
  } catch (error) {
    const failure = failureOf(error, code);
    if (failure.offset === undefined) return failure;
    return strayBracket(code, typed, failure.offset) ?? failure;
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
function bodyOf(
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
function failureOf(error: unknown, code: string): ParseFailure {
  // A stack that is exhausted in spite of the parser's own guard.
  const isPlaced = error instanceof SyntaxFailure;
  if (!isPlaced || error.message === TOO_DEEP) {
    return { tag: "failed", reason: TOO_DEEP };
  }
  const reason = error.message;
  const offset = inBody(error.pos);
  const end = code.trimEnd().length;
  if (offset < end || /^Unterminated (?:comment|template)/.test(reason)) {
    return { tag: "failed", reason, offset: Math.min(offset, end) };
  }
  const early = "The code ends too early: something is not closed or complete";
  return { tag: "failed", reason: early, offset: end };
}

/** A closing bracket without an opening one, where one stands before `limit`. */
function strayBracket(
  code: string,
  typed: boolean,
  limit = code.length,
): ParseFailure | undefined {
  try {
    new ProgramReader(code, typed).body();
  } catch (error) {
    // Up to a bracket that ends the function early, both readings are one.
    if (error instanceof SyntaxFailure && error.pos < limit) {
      const reason = "A closing bracket has no opening one";
      return { tag: "failed", reason, offset: error.pos };
    }
  }
  return undefined;
}

/** `<!--` and `-->` start comments in scripts only; an engine may differ. */
function withoutHtmlComments(text: string, reader: ProgramReader): string {
  const edits = reader.htmlComments
    .map(({ start, end }) => erasure(text, start, end));
  return edits.length === 0 ? text : applyEdits(text, edits);
}
