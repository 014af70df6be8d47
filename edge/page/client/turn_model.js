// @ts-check
/**
 * What is known of one turn, built up from its events in their order. Knows
 * nothing of the document that shows it.
 *
 * @module
 */

/** @import { Receipt } from "../../../src/receipt.ts" */
/** @import { FailureSummary, Usage } from "../../../src/events.ts" */
/** @import { SessionEvent, SessionTurnEnd, TurnRecord } from "../../session/turn_record.ts" */

/**
 * @typedef {object} Step One model round trip, and the calls it led to.
 * @property {number} number
 * @property {number} startedAt
 * @property {number} [endedAt] When the model's answer was complete, or broke off.
 * @property {"answering" | "answered" | "stopped"} state
 * @property {string} text
 * @property {string} reasoning
 * @property {string[]} retries
 * @property {Call[]} calls
 */

/**
 * @typedef {object} Call A tool call.
 * @property {Receipt} receipt
 * @property {number} depth 0 for a call of the model's own.
 * @property {Call[]} nested
 */

/** A turn. */
export class TurnModel {
  /** @type {Step[]} */
  steps = [];
  /** @type {SessionTurnEnd | undefined} */
  end;
  /** @type {number | undefined} */
  endedAt;
  /** @type {Map<string, Call>} */
  #calls = new Map();

  /** @param {TurnRecord} record What the session says of the turn. */
  constructor({ id, input, startedAt, endedAt, end }) {
    this.id = id;
    this.input = input;
    this.startedAt = startedAt;
    this.endedAt = endedAt;
    this.end = end;
  }

  /**
   * Takes an event in.
   *
   * @param {SessionEvent} event
   * @returns {{ step?: Step | undefined, call?: Call | undefined }} What it was about.
   */
  apply(event) {
    switch (event.type) {
      case "step_started":
        return { step: this.#openStep(event.step, event.at) };
      case "step_finished": {
        const step = this.#step(event.step);
        if (step !== undefined) {
          step.endedAt = event.at;
          step.state = "answered";
        }
        return { step };
      }
      case "text":
      case "reasoning": {
        const step = this.#step(event.step);
        if (step !== undefined) step[event.type] += event.delta;
        return { step };
      }
      case "retry": {
        const step = this.#step(event.step);
        step?.retries.push(
          `Attempt ${event.attempt} failed, again after ${event.delayMs} ms: ${event.message}`,
        );
        return { step };
      }
      case "tool_started":
      case "tool_finished":
        return { call: this.#call(event.receipt) };
      case "end": {
        const { type: _type, turnId: _turnId, at, ...end } = event;
        this.end = end;
        this.endedAt = at;
        const step = this.steps.at(-1);
        // A step that was stopped has no end of its own.
        if (step?.state === "answering") {
          step.endedAt = at;
          step.state = "stopped";
        }
        return { step };
      }
    }
  }

  /** The text that the model said last. */
  get answer() {
    return this.steps.findLast(({ text }) => text !== "")?.text ??
      this.end?.text ?? "";
  }

  /** @returns {number} Calls that count against the budget. */
  get callsUsed() {
    return [...this.#calls.values()].filter(({ receipt }) =>
      receipt.outcome !== "rejected" && programOf(receipt) === undefined
    ).length;
  }

  /** @returns {number} Steps taken. */
  get stepsUsed() {
    return Math.max(this.steps.length, this.end?.steps ?? 0);
  }

  /**
   * @param {number} number
   * @param {number} at
   */
  #openStep(number, at) {
    /** @type {Step} */
    const step = {
      number,
      startedAt: at,
      state: "answering",
      text: "",
      reasoning: "",
      retries: [],
      calls: [],
    };
    this.steps.push(step);
    return step;
  }

  /** @param {number} number */
  #step(number) {
    return this.steps.findLast((step) => step.number === number);
  }

  /** @param {Receipt} receipt */
  #call(receipt) {
    const known = this.#calls.get(receipt.id);
    if (known !== undefined) {
      known.receipt = receipt;
      return known;
    }
    const parent = this.#calls.get(receipt.parentId ?? "");
    const depth = parent === undefined ? 0 : parent.depth + 1;
    /** @type {Call} */
    const call = { receipt, depth, nested: [] };
    this.#calls.set(receipt.id, call);
    // A turn may go on with calls of a step that another process had begun.
    const step = this.#step(receipt.step) ??
      this.#openStep(receipt.step, receipt.requestedAt);
    (parent?.nested ?? step.calls).push(call);
    return call;
  }
}

/**
 * The program of a call that runs one.
 *
 * @param {Receipt} receipt
 * @returns {string | undefined}
 */
export function programOf({ tool, surface, input }) {
  if (tool !== "exec" || surface !== "direct") return undefined;
  const code = typeof input === "object" && input !== null && "code" in input
    ? input.code
    : undefined;
  return typeof code === "string" ? code : undefined;
}

/**
 * The line of the program at which it failed, from 1.
 *
 * @param {Receipt} receipt
 * @returns {number | undefined}
 */
export function failedLine({ error }) {
  const [, line] = /^at line (\d{1,6})(?:$|:)/m.exec(error?.message ?? "") ??
    /\(line (\d{1,6})\)/.exec(error?.message ?? "") ?? [];
  return line === undefined ? undefined : Number(line);
}
