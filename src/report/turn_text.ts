/**
 * The events of a turn as text for people to read. Writes nothing, reads no
 * clock: the same events give the same text.
 *
 * @module
 */

import type { Budget } from "../budget.ts";
import type { TurnEvent } from "../events.ts";
import { isRecord } from "../json.ts";
import type { Receipt, ToolError } from "../receipt.ts";
import { shorten } from "../text.ts";
import { codeToolName } from "../tools/tool_set.ts";
import { duration, endText } from "./end_text.ts";

/** A call that runs, as the text names it: `#1`, or `#1.2` for a nested one. */
type RunningCall = {
  readonly label: string;
  readonly tool: string;
  readonly since: number;
};

/** Tells a turn, event by event. */
export class TurnText {
  readonly #budget: Partial<Budget>;
  readonly #begunAt: number;
  readonly #labels = new Map<string, string>();
  readonly #children = new Map<string, number>();
  readonly #running = new Map<string, RunningCall>();
  #startedAt: number | undefined;
  #step = 0;
  #calls = 0;
  #midLine = false;
  #thinking = false;

  /**
   * @param now When the reading begins, in milliseconds.
   * @param budget The turn's limits, as far as they are to be told.
   */
  constructor(now: number, budget: Partial<Budget> = {}) {
    this.#begunAt = now;
    this.#budget = budget;
  }

  /**
   * What an event adds to the text; may be nothing.
   *
   * @param event The next event of the turn.
   * @param now When it was read, in milliseconds.
   */
  event(event: TurnEvent, now: number): string {
    const thinking = this.#thinking;
    this.#thinking = event.type === "reasoning";
    switch (event.type) {
      case "step_started":
        this.#startedAt ??= event.at;
        this.#step = event.step;
        return this.#lines(`Step ${event.step}`);
      case "text":
        return this.#inline(event.delta);
      case "reasoning":
        return thinking ? "" : this.#lines("(thinking)");
      case "retry":
        return this.#lines(
          `Retry ${event.attempt} in ${duration(event.delayMs)}: ${
            shorten(event.message, maxMessage)
          }`,
        );
      case "tool_started":
        return this.#started(event.receipt, now);
      case "tool_finished":
        return this.#finished(event.receipt);
      case "step_finished":
        return "";
      case "end":
        return this.#lines(endText(event, {
          wallMs: event.at - (this.#startedAt ?? event.at),
          calls: this.#calls,
          budget: this.#budget,
        }));
    }
  }

  /**
   * What the turn is at, for when nothing happened for a while.
   *
   * @param now The time, in milliseconds.
   */
  progress(now: number): string {
    const running = [...this.#running.values()];
    // A cell that waits for its calls is told by them.
    const leaves = running.filter(({ label }) =>
      !running.some((other) => other.label.startsWith(`${label}.`))
    );
    const told = leaves.slice(0, maxRunning).map(({ label, tool, since }) =>
      `${label} ${tool} (${duration(now - since)})`
    );
    if (leaves.length > maxRunning) {
      told.push(`${leaves.length - maxRunning} more`);
    }
    const doing = told.length === 0
      ? "waiting for the model"
      : `running ${told.join(", ")}`;
    return this.#lines(`… ${duration(now - this.#begunAt)}: ${doing}`);
  }

  #started(receipt: Receipt, now: number): string {
    this.#startedAt ??= receipt.requestedAt;
    const label = this.#labelOf(receipt);
    const tool = toolOf(receipt);
    this.#running.set(receipt.id, { label, tool, since: now });
    const indent = indentOf(label);
    const code = codeOf(receipt);
    if (code === undefined) {
      return this.#lines(`${indent}${label} ${tool} ${brief(receipt.input)}`);
    }
    return this.#lines(
      `${indent}${label} ${tool}`,
      ...code.map((line) => `${indent}   | ${line}`),
    );
  }

  #finished(receipt: Receipt): string {
    const label = this.#labelOf(receipt);
    this.#running.delete(receipt.id);
    if (receipt.executed && receipt.tool !== codeToolName) this.#calls++;
    const { startedAt, endedAt, outcome = "ended", error } = receipt;
    const took = startedAt === undefined || endedAt === undefined
      ? ""
      : ` in ${duration(endedAt - startedAt)}`;
    const gave = error === undefined
      ? brief(receipt.output)
      : shorten(titled(error), maxMessage);
    const note = receipt.truncated
      ? " (the model was shown the start only)"
      : receipt.abandoned
      ? " (it still ran; its result is lost)"
      : "";
    return this.#lines(
      `${indentOf(label)}${label} ${toolOf(receipt)} ${
        outcome.replace("_", " ")
      }${took}: ${gave}${note}`,
    );
  }

  /** Numbers the calls in the order in which they were made. */
  #labelOf({ id, parentId }: Receipt): string {
    const known = this.#labels.get(id);
    if (known !== undefined) return known;
    const parent = parentId === undefined
      ? undefined
      : this.#labels.get(parentId);
    const above = parent === undefined ? "#" : `${parent}.`;
    const number = (this.#children.get(above) ?? 0) + 1;
    this.#children.set(above, number);
    const label = `${above}${number}`;
    this.#labels.set(id, label);
    return label;
  }

  /** Lines of their own, also after a text that did not end its line. */
  #lines(...lines: readonly string[]): string {
    const before = this.#midLine ? "\n" : "";
    this.#midLine = false;
    return `${before}${lines.join("\n")}\n`;
  }

  #inline(text: string): string {
    const shown = printable(text);
    if (shown !== "") this.#midLine = !shown.endsWith("\n");
    return shown;
  }
}

const maxBrief = 100;
const maxMessage = 300;
const maxCodeLines = 40;
const maxRunning = 6;

function indentOf(label: string): string {
  return "  ".repeat(label.split(".").length);
}

/** The name as the model wrote it: it may be none that exists. */
function toolOf({ tool }: Receipt): string {
  return shorten(tool, 64);
}

/** The lines of a cell's program. */
function codeOf({ tool, input }: Receipt): string[] | undefined {
  if (tool !== codeToolName || !isRecord(input)) return undefined;
  if (typeof input.code !== "string") return undefined;
  const lines = printable(input.code).trimEnd().split("\n");
  if (lines.length <= maxCodeLines) return lines;
  return [
    ...lines.slice(0, maxCodeLines),
    `… ${lines.length - maxCodeLines} more lines`,
  ];
}

function brief(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "", maxBrief);
}

/** A model's text must not move the cursor or colour what comes after it. */
function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/[^\P{Cc}\n\t]/gu, "\ufffd")
    .toWellFormed();
}

/** The message with the error's name before it, unless it begins with that. */
function titled({ name, message }: ToolError): string {
  return message.startsWith(`${name}: `) ? message : `${name}: ${message}`;
}
