/**
 * Changes to a text that keep its lines: every edit names a stretch of the
 * original, and all are applied at once.
 *
 * @module
 */

/** Puts `text` in the place of `[start, end)`. */
export type Edit = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

/** An insertion before `at`. */
export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** `text` with everything but its line breaks turned into spaces. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, " ");
}

/** The line breaks of `text` alone. */
export function lineBreaks(text: string): string {
  return text.replace(/[^\n]+/g, "");
}

/** Blanks `[start, end)` of `text`; `mark` overwrites the first characters. */
export function erasure(
  text: string,
  start: number,
  end: number,
  mark = "",
): Edit {
  const spaces = blank(text.slice(start + mark.length, end));
  return { start, end, text: mark + spaces };
}

/** Applies `edits`; where two overlap, the one that starts first wins. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const order = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let at = 0;
  for (const edit of order) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}
