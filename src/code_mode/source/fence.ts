/**
 * Markdown around code. Fences are lines, so they are found line by line; what
 * stands between them is left to the parser.
 *
 * @module
 */

import { lineBreaks } from "./edits.ts";

/** A fenced block: the offsets of its content, and its language. */
export type Fence = {
  readonly language: string;
  readonly start: number;
  readonly end: number;
};

const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^`\n]*$/;
const CLOSING = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
const SCRIPT =
  /^(?:js|javascript|mjs|cjs|jsx|ts|typescript|mts|tsx|ecmascript)$/i;
const ONE_LINE = /^(\s*```(?:[a-z]+(?=[ \t]))?)([^\n]*?)```\s*$/i;

/** Whether the text starts with a fence. */
export function startsWithFence(text: string): boolean {
  return /^\s*(?:```|~~~)/.test(text);
}

/** The fenced blocks of `text`, in order. */
export function findFences(text: string): Fence[] {
  const single = ONE_LINE.exec(text);
  if (single !== null) {
    const start = single[1]?.length ?? 0;
    const end = start + (single[2]?.length ?? 0);
    return [{ language: "", start, end }];
  }
  const fences: Fence[] = [];
  let open: { mark: string; language: string; start: number } | undefined;
  for (const { line, start, end } of linesOf(text)) {
    const fence = (open === undefined ? OPENING : CLOSING).exec(line);
    const mark = fence?.[1];
    if (mark === undefined) continue;
    if (open === undefined) {
      open = { mark, language: fence?.[2] ?? "", start: end };
    } else if (mark.startsWith(open.mark)) {
      fences.push({ language: open.language, start: open.start, end: start });
      open = undefined;
    }
  }
  if (open === undefined) return fences;
  const { language, start } = open;
  const end = unclosedEnd(text);
  if (end > start) return [...fences, { language, start, end }];
  // Nothing stands behind it: it closes what was never opened.
  if (fences.length > 0) return fences;
  return [{ language: "", start: 0, end: lineStart(text, start - 1) }];
}

/** What stands outside all of `fences`, stretch by stretch. */
export function outside(text: string, fences: readonly Fence[]): string[] {
  const stretches: string[] = [];
  let at = 0;
  for (const { start, end } of fences) {
    if (start < at) continue;
    stretches.push(text.slice(at, lineStart(text, start - 1)));
    const newline = text.indexOf("\n", Math.max(start, end));
    at = newline < 0 ? text.length : newline + 1;
  }
  // A fence too many at the end says nothing.
  return [...stretches, text.slice(at).replace(/^[ \t]*[`~]{3,}\s*$/, "")];
}

/** The blocks that can be meant: those marked as a script before all others. */
export function scriptFences(fences: readonly Fence[]): readonly Fence[] {
  const scripts = fences.filter(({ language }) => SCRIPT.test(language));
  if (scripts.length > 0) return scripts;
  const plain = fences.filter(({ language }) => language === "");
  return plain.length > 0 ? plain : fences;
}

/** `fence` up to the last line that can close it, for fences inside strings. */
export function widened(text: string, fence: Fence): Fence {
  let end = fence.end;
  for (const { line, start } of linesOf(text)) {
    if (start > end && CLOSING.test(line)) end = start;
  }
  return { ...fence, end };
}

/** The block alone, on the lines where it stood. */
export function fenced(text: string, { start, end }: Fence): string {
  const dropped = lineBreaks(text.slice(0, start));
  const code = text.slice(start, Math.max(start, end));
  const sameLine = !text.slice(0, start).endsWith("\n");
  return dropped + (sameLine ? " ".repeat(start) : "") + code;
}

function lineStart(text: string, offset: number): number {
  return offset < 1 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

function unclosedEnd(text: string): number {
  return text.trimEnd().replace(/(?:`{3,}|~{3,})$/, "").length;
}

function* linesOf(text: string) {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    yield { line: text.slice(start, newline < 0 ? end : newline), start, end };
    start = end;
  }
}
