/**
 * What a model writes, made into what the sandbox runs: the body of an async
 * function, on the lines where the model wrote it.
 *
 * Models send fences, prose, whole functions, types, imports, or a last
 * expression where a `return` was meant. All of that runs, or is explained
 * with the place and the line. A parser decides, never a pattern over the
 * whole text, so strings, templates and regular expressions stay as they are.
 *
 * Before it on the path: `exec.ts`. After it: `pool.ts`.
 *
 * @module
 */

import { applyEdits } from "./source/edits.ts";
import { findEntry } from "./source/entry.ts";
import {
  type Fence,
  fenced,
  findFences,
  outside,
  scriptFences,
  startsWithFence,
  widened,
} from "./source/fence.ts";
import { NO_MODULES, withoutModules } from "./source/modules.ts";
import { inBody, unwrap } from "./source/parse.ts";
import { excerpt, placeOf } from "./source/place.ts";
import { type Read, readProgram } from "./source/program.ts";
import { isCode } from "./source/prose.ts";

/** The body to run, or what the model should change. */
export type SourceResult =
  | {
    readonly tag: "ready";
    /** The body; end it with a line break before a closing bracket. */
    readonly body: string;
    /** What was changed, in sentences. */
    readonly notes: readonly string[];
  }
  | {
    readonly tag: "refused";
    readonly message: string;
    /** Counted from 1, in the text as the model wrote it. */
    readonly line?: number;
    /** Counted from 1. */
    readonly column?: number;
  };

type Failure = Extract<Read, { tag: "failed" }>;

const FENCE_NOTE = "The Markdown around the code was removed.";

const FENCE_IN_CODE = {
  tag: "failed",
  message: "Code stands outside the Markdown fence, so nothing ran: " +
    "send the code alone, without Markdown; " +
    "inside a template write each backtick as \\`",
} as const;

const EMPTY =
  "The code is empty. Write JavaScript, and `return` the value that you need";

/**
 * Makes the body of an async function from what a model wrote. Never throws.
 *
 * @param code The text of the model, as it came.
 * @returns The body, or a message for the model.
 *
 * @example A last expression is the value
 * ```ts
 * import { normalizeSource } from "./source.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const result = normalizeSource("const x: number = 1\nx + 2");
 *
 * assertEquals(result, {
 *   tag: "ready",
 *   body: "const x         = 1\nreturn x + 2",
 *   notes: ["Types were removed."],
 * });
 * ```
 */
export function normalizeSource(code: string): SourceResult {
  try {
    return normalize(plainLines(code));
  } catch {
    // Only an exhausted stack is known to come here.
    const message = "The code could not be read: it is nested too deeply";
    return { tag: "refused", message };
  }
}

/** Line feeds only, as the language itself reads them; no marks at the start. */
function plainLines(code: string): string {
  return code.replace(/\r\n?/g, "\n").replace(/^\ufeff/, " ")
    .replace(/^(\s*)#!/, "$1//");
}

function normalize(text: string): SourceResult {
  if (text.trim() === "") return { tag: "refused", message: EMPTY };
  const fences = findFences(text);
  if (fences.length > 0 && startsWithFence(text)) return inFence(text, fences);
  const whole = readProgram(text);
  if (whole.tag === "failed") {
    const isProgram = fences.length === 0 || isCodeOutside(text, fences);
    return isProgram ? refuse(whole) : inFence(text, fences);
  }
  if (fences.length === 0 || whole.fence === undefined) return finish(whole);
  if (!isCodeOutside(text, fences)) return inFence(text, fences);
  return refuse({ ...FENCE_IN_CODE, code: text, offset: whole.fence });
}

function isCodeOutside(text: string, fences: readonly Fence[]): boolean {
  return outside(text, fences).some(isCode);
}

/** The one block of code in a text of Markdown. */
function inFence(text: string, fences: readonly Fence[]): SourceResult {
  const [first, ...others] = scriptFences(fences);
  if (first === undefined) return { tag: "refused", message: EMPTY };
  const alone = fenced(text, first);
  if (alone.trim() === "") return { tag: "refused", message: EMPTY };
  const read = others.length === 0 ? readProgram(alone) : undefined;
  if (read?.tag === "program") return alongside(text, fences, read);
  // A fence inside a template ended the block; the last one is the true end.
  const wide = widened(text, first);
  const rest = readProgram(fenced(text, wide));
  if (rest.tag === "program" && rest.fence === undefined) {
    const before = fences.slice(0, fences.indexOf(first));
    return alongside(text, [...before, wide], rest);
  }
  if (read !== undefined) return refuse(read);
  const count = others.length + 1;
  const message = `The text holds ${count} blocks of code; send only one, ` +
    "without Markdown around it";
  const offset = others[0]?.start ?? first.start;
  return refuse({ tag: "failed", message, code: text, offset });
}

/** The program of a block, where all around the blocks is prose. */
function alongside(
  text: string,
  fences: readonly Fence[],
  read: Exclude<Read, Failure>,
): SourceResult {
  const code = outside(text, fences).find(isCode);
  if (code === undefined) return finish(read, FENCE_NOTE);
  const offset = text.indexOf(code.trimStart());
  return refuse({ ...FENCE_IN_CODE, code: text, offset });
}

function finish(
  read: Exclude<Read, Failure>,
  fenceNote?: string,
): SourceResult {
  const modules = withoutModules(read.body);
  if (modules.tag === "module") {
    const message = `${modules.what} cannot run: ${NO_MODULES}`;
    const offset = inBody(modules.offset);
    const code = unwrap(read.body.text);
    return refuse({ tag: "failed", message, code, offset });
  }
  if (modules.statements.length === 0) {
    return { tag: "refused", message: EMPTY };
  }
  const entry = findEntry({
    ...modules,
    ...read.body,
    statements: modules.statements,
  });
  const edits = [...modules.edits, ...entry.edits];
  const body = unwrap(applyEdits(read.body.text, edits));
  const notes = [
    fenceNote,
    read.typed && "Types were removed.",
    modules.dropped && "Module syntax was removed.",
    entry.note,
  ].filter((note): note is string => typeof note === "string");
  const after = entry.after === undefined ? "" : `\n${entry.after}`;
  return { tag: "ready", body: body + after, notes };
}

function refuse({ message, code, offset }: Failure): SourceResult {
  if (offset === undefined) return { tag: "refused", message };
  const at = Math.min(Math.max(0, offset), code.length);
  const { line, column } = placeOf(code, at);
  const where = `${message} (line ${line}, column ${column})`;
  return {
    tag: "refused",
    message: `${where}\n${excerpt(code, at)}`,
    line,
    column,
  };
}
