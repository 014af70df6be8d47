/**
 * What stands between tokens: space and comments.
 *
 * @module
 */

const SPACE = /\s/;
const LINE_BREAK = /[\n\r\u2028\u2029]/;

/** A comment as in HTML, which other readers of the language may not know. */
export type HtmlComment = { readonly start: number; readonly end: number };

/**
 * The first position from `from` on that is neither space nor a whole comment.
 * The comments as in HTML on the way are added to `found`.
 */
export function afterBlanks(
  text: string,
  from: number,
  found?: HtmlComment[],
): number {
  for (let at = from;;) {
    at = afterSpace(text, at);
    if (text.startsWith("/*", at)) {
      const close = text.indexOf("*/", at + 2);
      if (close < 0) return at;
      at = close + 2;
    } else if (text.startsWith("//", at)) {
      at = endOfLine(text, at);
    } else if (isHtmlComment(text, from, at)) {
      const start = at;
      at = endOfLine(text, at);
      found?.push({ start, end: at });
    } else return at;
  }
}

/** Whether a line ends between the two positions. */
export function isBreakIn(text: string, from: number, to: number): boolean {
  if (to - from === 1 && text.charCodeAt(from) === 32) return false;
  return to > from && LINE_BREAK.test(text.slice(from, to));
}

/** Whether a line ends with `char`. */
export function isLineBreak(char: string): boolean {
  return LINE_BREAK.test(char);
}

function afterSpace(text: string, from: number): number {
  for (let at = from;; at++) {
    const code = text.charCodeAt(at);
    // Most text is ASCII: only the rest is worth a regular expression.
    const isSpace = code < 128
      ? code === 32 || code >= 9 && code <= 13
      : SPACE.test(text.charAt(at));
    if (!isSpace) return at;
  }
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isLineBreak(text.charAt(at))) at++;
  return at;
}

function isHtmlComment(text: string, from: number, at: number): boolean {
  return text.startsWith("<!--", at) ||
    text.startsWith("-->", at) && isBreakIn(text, from, at);
}
