/**
 * What usually lies behind a syntax error of a model.
 *
 * @module
 */

/** What to change, empty where nothing is known. */
export function hintFor(code: string, reason: string, offset: number): string {
  const isAwait = /\bawait\s*$/.test(code.slice(0, offset));
  // Outside async functions it is a name, behind which no value can stand.
  if (isAwait && !/^[\p{ID_Start}$_"'\d{]/u.test(code.slice(offset))) {
    return "`await` needs a value behind it";
  }
  if (isAwait) {
    return "`await` works only in async functions: write `async` before the " +
      "function around it";
  }
  const char = code.charAt(offset);
  if (char === "\\" || /^\\/.test(code.slice(offset - 1))) {
    return "the code seems to be escaped twice; send real line breaks and quotes";
  }
  const line = code.slice(code.lastIndexOf("\n", offset - 1) + 1);
  const isFence = /^\s*```/.test(line) ||
    /^Unterminated template/.test(reason) && code.includes("```");
  if (isFence) {
    return "inside a template write each backtick as \\`";
  }
  if (/[\u2018-\u201f]/.test(char)) return "use straight quotes";
  return "";
}
