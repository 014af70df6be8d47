/**
 * Takes TypeScript's types out of the model's text. Types become spaces, so
 * every line and nearly every column stays; what the text then is, the plain
 * parser judges.
 *
 * @module
 */

import { applyEdits } from "./edits.ts";
import { inBody, parseBody, type ParseFailure, unwrap } from "./parse.ts";
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
  const parsed = parseBody(code, true);
  if (parsed.tag === "failed") return parsed;
  const { text, block } = parsed;
  const result = typeEdits(text, block);
  if (result.tag === "unsupported") {
    return { ...result, offset: inBody(result.offset) };
  }
  return { tag: "stripped", code: unwrap(applyEdits(text, result.edits)) };
}
