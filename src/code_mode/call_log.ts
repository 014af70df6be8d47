/**
 * What the calls of one program came to, so that a program that fails can tell
 * the model what it already did.
 *
 * @module
 */

import { shorten } from "../text.ts";
import { toIdentifier } from "../tools/identifier.ts";
import type { NestedEnd } from "../tools/function_tool.ts";
import type { CellCall, CellCallOutcome } from "./cell.ts";

type Entry = {
  readonly call: CellCall;
  /** Whether the program went on for long enough that the call could start. */
  readonly started: boolean;
  end: NestedEnd | undefined;
};

/** The most calls that are listed, the latest of them. */
const listed = 20;

/** Follows the calls of one program. */
export class CallLog {
  readonly #entries: Entry[] = [];
  readonly #running: Promise<unknown>[] = [];

  /** Notes a call and, when it comes, its end; gives what the program gets. */
  async follow(
    call: CellCall,
    running: Promise<NestedEnd>,
    started = true,
  ): Promise<CellCallOutcome> {
    const entry: Entry = { call, started, end: undefined };
    this.#entries.push(entry);
    this.#running.push(running);
    const end = await running;
    entry.end = end;
    return end.tag === "output"
      ? { ok: true, json: end.text }
      : { ok: false, error: end.error };
  }

  /** Waits for the end of every call. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
    // `follow` notes an end a microtask after it came.
    await Promise.resolve();
  }

  /** The calls and what became of them, for the model; nothing without calls. */
  describe(): string {
    if (this.#entries.length === 0) return "";
    const entries = [...this.#entries]
      .sort((one, other) => one.call.id - other.call.id);
    const shown = entries.slice(-listed);
    const omitted = entries.length - shown.length;
    return [
      "Calls that this program already made; do not repeat those that succeeded:",
      ...(omitted > 0 ? [`- ${omitted} earlier ones, not listed`] : []),
      ...shown.map((entry) =>
        `- ${describeCall(entry.call)} ${
          entry.started ? describeEnd(entry.end) : notStarted(entry.call)
        }`
      ),
    ].join("\n");
  }
}

function describeCall({ name, input }: CellCall): string {
  return `${shorten(name, 64)}(${shorten(JSON.stringify(input), 80)})`;
}

function notStarted({ name }: CellCall): string {
  return `did not run: the program ended first; tools.${
    toIdentifier(shorten(name, 64))
  }(…) gives a promise that needs \`await\``;
}

function describeEnd(end: NestedEnd | undefined): string {
  if (end === undefined) return "is unknown";
  if (end.tag === "output") return `succeeded: ${shorten(end.text, 80)}`;
  const { code, message } = end.error;
  return code === "interrupted"
    ? `is unknown: ${shorten(message, 120)}`
    : `failed (${code}): ${shorten(message, 120)}`;
}
