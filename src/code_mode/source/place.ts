/**
 * Where something is in the model's text, in words the model can act on.
 *
 * @module
 */

/** A position in the text, both counted from 1. */
export type Place = { readonly line: number; readonly column: number };

const WIDTH = 100;

/** The place of the character at `offset`. */
export function placeOf(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = 1;
  for (let at = before.indexOf("\n"); at >= 0; line++) {
    at = before.indexOf("\n", at + 1);
  }
  return { line, column: offset - lineStart + 1 };
}

/** The line at `offset`, shortened, with a caret below the character. */
export function excerpt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const newline = text.indexOf("\n", offset);
  const line = text.slice(lineStart, newline < 0 ? text.length : newline);
  const { shown, caret } = window(line, offset - lineStart);
  return `${shown}\n${" ".repeat(caret)}^`;
}

/** At most {@link WIDTH} characters of `line`, around `column`. */
function window(line: string, column: number) {
  // One space for each control character, so that the caret stays in place.
  const printable = line.toWellFormed().replace(/[\p{C}\u2028\u2029]/gu, " ");
  const from = column < WIDTH - 20 ? 0 : column - WIDTH / 2;
  const part = printable.slice(from, from + WIDTH).toWellFormed();
  const head = from > 0 ? "…" : "";
  const tail = from + WIDTH < printable.length ? "…" : "";
  return { shown: head + part + tail, caret: column - from + head.length };
}
