/**
 * The text between the tokens.
 *
 * @module
 */

/** The first position at or after `at` that is neither space nor comment. */
export function skipTrivia(text: string, at: number): number {
  for (;;) {
    const start = at;
    while (/\s/.test(text.charAt(at))) at++;
    if (text.startsWith("//", at)) at = endOf(text, "\n", at + 2);
    else if (text.startsWith("/*", at)) at = endOf(text, "*/", at + 2);
    if (at === start) return at;
  }
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** The identifier-like word at `at`, empty where there is none. */
export function wordAt(text: string, at: number): string {
  return /^[\p{ID_Continue}$]*/u.exec(text.slice(at, at + 40))?.[0] ?? "";
}
