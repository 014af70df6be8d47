/**
 * Shows one turn: what was asked, what came of it, what it used of its budget,
 * and its timeline.
 *
 * @module
 */

import { copyOf, element, growText, part, setText } from "./dom.js";
import { Timeline } from "./timeline.js";
import { TurnModel } from "./turn_model.js";
import { counted, duration, shortened, spoken } from "./words.js";

/** @import { Receipt } from "../../../src/receipt.ts" */
/** @import { SessionEvent, SessionTurnEnd, TurnRecord } from "../../session/turn_record.ts" */
/** @import { AgentDocument } from "./guard.js" */
/** @import { Step } from "./turn_model.js" */

/**
 * @typedef {object} TurnViewParts
 * @property {AgentDocument["limits"]} limits
 * @property {() => number} now The server's time.
 * @property {(sentence: string) => void} say Tells screen readers.
 * @property {(receipt: Receipt, turnStartedAt: number) => void} openReceipt
 * @property {(receipt: Receipt, turnStartedAt: number) => void} refreshReceipt
 * @property {(view: TurnView) => void} onFirstLook The timeline of a turn of
 *   which no event is known was opened.
 */

// What happened longer ago is not news.
const newsMs = 5000;

/** Shows one turn. */
export class TurnView {
  /** Whether events are known, or asked for. */
  begun = false;
  #parts;
  #model;
  #timeline;
  #meters;
  /** @type {Step | undefined} */
  #answerStep;
  /** The newest receipts, for those who open one. @type {Map<string, Receipt>} */
  #receipts = new Map();

  /**
   * @param {TurnRecord} record
   * @param {TurnViewParts} parts
   */
  constructor(record, parts) {
    this.#parts = parts;
    this.#model = new TurnModel(record);
    /** Where the turn is shown. */
    this.root = copyOf("turn");
    part(this.root, "number", HTMLElement).textContent =
      `Turn ${record.number}`;
    part(this.root, "input", HTMLElement).textContent = record.input;
    this.#timeline = new Timeline(
      part(this.root, "timeline", HTMLElement),
      record.startedAt,
      (id) => {
        const receipt = this.#receipts.get(id);
        if (receipt) parts.openReceipt(receipt, record.startedAt);
      },
    );
    this.#meters = meters(part(this.root, "meters", HTMLElement), parts.limits);
    const how = part(this.root, "how", HTMLDetailsElement);
    how.addEventListener("toggle", () => {
      if (!how.open || this.begun) return;
      this.begun = true;
      parts.onFirstLook(this);
    });
    this.tick();
    this.#showState();
  }

  /** The turn's id. */
  get id() {
    return this.#model.id;
  }

  /** Whether the turn has ended. */
  get ended() {
    return this.#model.end !== undefined;
  }

  /** Opens the timeline. */
  unfold() {
    part(this.root, "how", HTMLDetailsElement).open = true;
  }

  /**
   * Takes an event in.
   *
   * @param {SessionEvent} event
   */
  apply(event) {
    this.begun = true;
    const { step, call } = this.#model.apply(event);
    if (call !== undefined) {
      const { receipt } = call;
      this.#receipts.set(receipt.id, receipt);
      const owner = this.#model.steps.find(({ number }) =>
        number === receipt.step
      );
      if (owner !== undefined) this.#showStep(owner);
      this.#timeline.showCall(call, owner);
      this.#parts.refreshReceipt(receipt, this.#model.startedAt);
    }
    if (step !== undefined) this.#showStep(step);
    this.#announce(event);
    if (event.type !== "text" && event.type !== "reasoning") this.tick();
    if (event.type === "end") this.#showState();
  }

  /** Shows that time goes on. */
  tick() {
    const model = this.#model;
    const now = model.endedAt ?? this.#parts.now();
    this.#timeline.tick(now);
    this.#meters.steps(model.stepsUsed);
    this.#meters.calls(model.callsUsed);
    this.#meters.turnMs(now - model.startedAt);
    const { usage } = model.end ?? {};
    setText(
      part(this.root, "figures", HTMLElement),
      [
        counted(model.stepsUsed, "step"),
        ...(this.begun ? [counted(model.callsUsed, "call")] : []),
        duration(now - model.startedAt),
        ...(usage === undefined || usage.inputTokens === 0 ? [] : [
          `${counted(usage.inputTokens, "token")} in, ${
            usage.outputTokens.toLocaleString("en")
          } out`,
        ]),
      ].join(" · "),
    );
  }

  /** @param {Step} step */
  #showStep(step) {
    const model = this.#model;
    const answering = model.steps.findLast(({ text }) => text !== "");
    const before = this.#answerStep;
    this.#answerStep = answering;
    this.#timeline.showStep(step, step === answering);
    // It was shown as the answer until there was a later one.
    if (before !== undefined && before !== answering && before !== step) {
      this.#timeline.showStep(before, false);
    }
    growText(part(this.root, "answer", HTMLElement), model.answer);
  }

  #showState() {
    const { end } = this.#model;
    const state = end?.stopReason ?? "running";
    const badge = part(this.root, "badge", HTMLElement);
    badge.textContent = state === "budget" ? "budget spent" : spoken(state);
    badge.dataset.outcome = state;
    growText(part(this.root, "answer", HTMLElement), this.#model.answer);
    const note = part(this.root, "note", HTMLElement);
    note.textContent = end === undefined ? "" : noteOf(end);
    note.hidden = note.textContent === "";
  }

  /** @param {SessionEvent} event */
  #announce(event) {
    const { now, say } = this.#parts;
    const isNews = (/** @type {number | undefined} */ at) =>
      at !== undefined && now() - at < newsMs;
    if (event.type === "step_started" && isNews(event.at)) {
      say(`Step ${event.step}.`);
    } else if (
      event.type === "tool_finished" && isNews(event.receipt.endedAt)
    ) {
      const { tool, outcome } = event.receipt;
      say(`${shortened(tool, 40)} ${spoken(outcome ?? "")}.`);
    } else if (event.type === "end" && isNews(event.at)) {
      const { answer } = this.#model;
      say(`Turn ${spoken(event.stopReason)}. ${shortened(answer, 1000)}`);
    }
  }
}

/**
 * Why a turn ended as it did, where that is not plain.
 *
 * @param {SessionTurnEnd} end
 */
function noteOf(
  { cancelReason, exhausted, failure, providerStopReason, stopReason },
) {
  if (failure !== undefined) return failure.message;
  if (exhausted !== undefined) {
    return `The budget ${exhausted.budget} ran out: ${
      exhausted.used.toLocaleString("en")
    } of ${exhausted.limit.toLocaleString("en")} used.`;
  }
  if (cancelReason !== undefined) return `Cancelled: ${cancelReason}.`;
  if (stopReason === "interrupted") return "The process that ran it ended.";
  if (stopReason === "completed" || providerStopReason === undefined) return "";
  return `The provider said: ${providerStopReason}.`;
}

/**
 * Shows what is used of each limit.
 *
 * @param {HTMLElement} root
 * @param {AgentDocument["limits"]} limits
 */
function meters(root, { steps, calls, turnMs }) {
  const count = (/** @type {number} */ value) => value.toLocaleString("en");
  return {
    steps: meter(root, "Steps", steps, count),
    calls: meter(root, "Calls", calls, count),
    turnMs: meter(root, "Time", turnMs, duration),
  };
}

/**
 * @param {HTMLElement} root
 * @param {string} name
 * @param {number} limit
 * @param {(value: number) => string} worded
 * @returns {(used: number) => void}
 */
function meter(root, name, limit, worded) {
  const figure = element("span", "figure");
  figure.setAttribute("aria-hidden", "true");
  const fill = element("span", "fill");
  const gauge = element("span", "gauge", fill);
  gauge.setAttribute("role", "meter");
  gauge.setAttribute("aria-label", `${name} used`);
  gauge.setAttribute("aria-valuemin", "0");
  gauge.setAttribute("aria-valuemax", String(limit));
  const item = element("li", "", element("span", "", name), figure, gauge);
  root.append(item);
  return (used) => {
    const shown = Math.min(used, limit);
    const level = used >= limit ? "spent" : used >= limit * 0.8 ? "high" : "";
    const said = `${worded(shown)} of ${worded(limit)}${
      level === "spent" ? ", spent" : ""
    }`;
    setText(figure, said);
    gauge.setAttribute("aria-valuenow", String(shown));
    gauge.setAttribute("aria-valuetext", said);
    item.dataset.level = level;
    fill.style.setProperty("width", `${(shown / limit) * 100}%`);
  };
}
