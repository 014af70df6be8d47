/**
 * Reads one piece of text as a program: plain JavaScript first, TypeScript
 * where that fails, and a lone expression where it starts like a statement.
 *
 * @module
 */

import { afterBlanks } from "../syntax/blanks.ts";
import { nameAt } from "../syntax/token.ts";
import { applyEdits, insertion } from "./edits.ts";
import { hasGenericCalls } from "./generic_calls.ts";
import { hintFor } from "./hints.ts";
import {
  inBody,
  parseBody,
  type ParsedBody,
  type ParseFailure,
} from "./parse.ts";
import { fenceIn } from "./read_fence.ts";
import { type Stripped, stripTypes } from "./typescript.ts";

/** A program, or a message for the model. */
export type Read =
  | {
    readonly tag: "program";
    readonly body: ParsedBody;
    /** Whether types were taken out. */
    readonly typed: boolean;
    /** Where a Markdown fence was read as template literals. */
    readonly fence?: number;
  }
  | {
    readonly tag: "failed";
    readonly message: string;
    /** The text that `offset` counts in. */
    readonly code: string;
    readonly offset?: number;
  };

/** Reads `code`. */
export function readProgram(code: string): Read {
  const plain = parseBody(code);
  if (plain.tag === "parsed" && !hasGenericCalls(code, plain)) {
    return program(plain);
  }
  if (plain.tag === "failed" && plain.offset === undefined) {
    return failed(code, plain);
  }
  const stripped = stripTypes(code);
  const bare = stripped.tag === "stripped"
    ? parseBody(stripped.code)
    : undefined;
  const changed = stripped.tag === "stripped" && stripped.code !== code;
  if (bare?.tag === "parsed") return program(bare, changed);
  if (plain.tag === "parsed") return program(plain);
  return expression(code) ?? explain(code, plain, stripped);
}

function program(body: ParsedBody, typed = false): Read {
  const fence = fenceIn(body);
  return {
    tag: "program",
    body,
    typed,
    ...fence !== undefined && { fence: inBody(fence) },
  };
}

/** An object or a function without a name: no statement, but a value. */
function expression(code: string): Read | undefined {
  const start = afterBlanks(code, 0);
  const word = nameAt(code, start);
  const isValue = code.charAt(start) === "{" || word === "function" ||
    word === "async";
  if (!isValue) return undefined;
  const returned = applyEdits(code, [insertion(start, "return ")]);
  const plain = parseBody(returned);
  const stripped = plain.tag === "parsed" ? undefined : stripTypes(returned);
  const body = stripped?.tag === "stripped" ? parseBody(stripped.code) : plain;
  const isOne = body.tag === "parsed" &&
    body.statements.filter(({ type }) => type !== "EmptyStatement").length ===
      1;
  const changed = stripped?.tag === "stripped" && stripped.code !== returned;
  return isOne ? program(body, changed) : undefined;
}

/** The failure of the reading that came further. */
function explain(code: string, plain: ParseFailure, typed: Stripped): Read {
  if (typed.tag === "unsupported") {
    const { reason, offset } = typed;
    const message = `Unsupported TypeScript: ${reason}`;
    return { tag: "failed", message, code, offset };
  }
  if (typed.tag === "stripped") {
    // Types keep their room, so what is left shows the place in both.
    const bare = parseBody(typed.code);
    return failed(code, bare.tag === "failed" ? bare : plain);
  }
  const further = (typed.offset ?? 0) > (plain.offset ?? 0) ? typed : plain;
  return failed(code, further);
}

function failed(code: string, failure: ParseFailure): Read {
  const { reason, offset } = failure;
  if (offset === undefined) return { tag: "failed", message: reason, code };
  const hint = hintFor(code, reason, offset);
  const message = `Syntax error: ${reason}${hint === "" ? "" : `; ${hint}`}`;
  return { tag: "failed", message, code, offset };
}
