/**
 * Takes TypeScript's types out of the model's text. Types become spaces, so
 * every line and nearly every column stays; what the text then is, the plain
 * parser judges.
 *
 * @module
 */

import { Parser } from "acorn";
import { tsPlugin } from "@sveltejs/acorn-typescript";
import { applyEdits } from "./edits.ts";
import {
  bodyOf,
  failureOf,
  inBody,
  type ParseFailure,
  parserOptions,
  unwrap,
  wrap,
} from "./parse.ts";
import { typeEdits } from "./type_edits.ts";

/** The text without types, or why they cannot be taken out. */
export type Stripped =
  | { readonly tag: "stripped"; readonly code: string }
  | ParseFailure
  | {
    readonly tag: "unsupported";
    readonly reason: string;
    readonly offset: number;
  };

/** Takes the types out of `code`. */
export function stripTypes(code: string): Stripped {
  const text = wrap(code);
  try {
    const program = meteredParser(text.length).parse(text, parserOptions());
    const block = bodyOf(program, text);
    if (block === undefined) {
      return { tag: "failed", reason: "Unexpected token", offset: 0 };
    }
    const result = typeEdits(text, block);
    if (result.tag === "edits") {
      return {
        tag: "stripped",
        code: unwrap(applyEdits(text, result.edits)),
      };
    }
    return { ...result, offset: inBody(result.offset) };
  } catch (error) {
    return failureOf(error, code);
  }
}

/**
 * The parser tries readings and takes them back; nested, that doubles with
 * every level. So the tokens it reads are counted, and the count is bounded.
 */
function meteredParser(length: number): typeof Parser {
  const Typed = Parser.extend(tsPlugin());
  const inherited: unknown = Reflect.get(Typed.prototype, "nextToken");
  if (typeof inherited !== "function") return Typed;
  let left = 10_000 + 20 * length;
  class Metered extends Typed {}
  Object.defineProperty(Metered.prototype, "nextToken", {
    value(this: Parser) {
      if (--left < 0) throw new RangeError("Too many steps");
      return Reflect.apply(inherited, this, []);
    },
  });
  return Metered;
}
