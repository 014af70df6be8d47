/**
 * A turn on a time axis: its steps, the calls that each led to, and the calls
 * that a program made, below it.
 *
 * Bars are placed by CSS, from the times that stand in custom properties and the
 * axis's length, `--total`: while time goes on only that one changes.
 *
 * @module
 */

import { element, growText, setText } from "./dom.js";
import { programView } from "./program_view.js";
import { cell, cells, child, grow } from "./rows.js";
import { failedLine, programOf } from "./turn_model.js";
import { brief, counted, duration, markDistance, spoken } from "./words.js";

/** @import { Receipt } from "../../../src/receipt.ts" */
/** @import { Row } from "./rows.js" */
/** @import { Call, Step } from "./turn_model.js" */

const mostMarks = 4;

/** The timeline of one turn. */
export class Timeline {
  #root;
  #startedAt;
  #openReceipt;
  #axis = element("div", "track");
  #steps = element("ol", "steps");
  /** @type {Map<Step, Row>} */
  #stepRows = new Map();
  /** @type {Map<string, Row>} */
  #callRows = new Map();
  /** Rows whose time goes on, with its beginning. @type {Map<Row, number>} */
  #running = new Map();

  /**
   * @param {HTMLElement} root Where it is shown.
   * @param {number} startedAt When the turn started, in milliseconds since 1970.
   * @param {(id: string) => void} openReceipt Opens a call's receipt.
   */
  constructor(root, startedAt, openReceipt) {
    this.#root = root;
    this.#startedAt = startedAt;
    this.#openReceipt = openReceipt;
    const axis = element("div", "row axis", this.#axis);
    axis.setAttribute("aria-hidden", "true");
    root.replaceChildren(axis, this.#steps);
  }

  /**
   * Moves the axis's end.
   *
   * @param {number} now The time that it reaches to.
   */
  tick(now) {
    const total = Math.max(1, now - this.#startedAt);
    this.#root.style.setProperty("--total", String(total));
    this.#drawMarks(total);
    for (const [{ line }, since] of this.#running) {
      setText(cell(line, "time"), duration(now - since));
    }
  }

  /**
   * Shows a step as it is now.
   *
   * @param {Step} step
   * @param {boolean} isAnswer Its text is shown as the turn's answer, not here.
   */
  showStep(step, isAnswer) {
    const row = this.#stepRow(step);
    const { startedAt, endedAt } = step;
    const line = row.line;
    this.#place(row, "bar", startedAt, endedAt);
    line.dataset.outcome = step.state;
    setText(cell(line, "word"), step.state);
    this.#time(row, startedAt, endedAt);
    grow(row, "said", isAnswer ? "" : step.text);
    grow(row, "retries", step.retries.join("\n"));
    if (step.reasoning !== "") {
      const details = child(row, "reasoning", () =>
        element(
          "details",
          "reasoning",
          element("summary", "", "Reasoning"),
          element("p", ""),
        ));
      const text = details.querySelector("p");
      if (text !== null) growText(text, step.reasoning);
    }
  }

  /**
   * Shows a call as it is now.
   *
   * @param {Call} call
   * @param {Step | undefined} step The step that it belongs to.
   */
  showCall(call, step) {
    const { receipt } = call;
    const row = this.#callRow(call, step);
    const { requestedAt, startedAt, endedAt, outcome, error } = receipt;
    const { line } = row;
    line.dataset.outcome = outcome ?? "running";
    setText(cell(line, "word"), spoken(outcome ?? "running"));
    const began = startedAt ?? endedAt ?? requestedAt;
    this.#place(
      row,
      "bar",
      outcome === undefined ? requestedAt : began,
      endedAt,
    );
    this.#place(row, "wait", requestedAt, began);
    this.#time(row, startedAt ?? requestedAt, endedAt);
    if (error !== undefined) {
      grow(row, "reason", reason(receipt));
      const program = row.item.querySelector(".program");
      const line = failedLine(receipt);
      const code = programOf(receipt);
      if (program !== null && code !== undefined && line !== undefined) {
        program.replaceWith(programView(code, line));
      }
    }
  }

  /**
   * @param {Step} step
   * @returns {Row}
   */
  #stepRow(step) {
    const known = this.#stepRows.get(step);
    if (known !== undefined) return known;
    const line = element("div", "row model", ...cells(`Step ${step.number}`));
    const calls = element("ol", "calls");
    const row = { line, calls, item: element("li", "step", line, calls) };
    this.#stepRows.set(step, row);
    this.#steps.append(row.item);
    return row;
  }

  /**
   * @param {Call} call
   * @param {Step | undefined} step
   * @returns {Row}
   */
  #callRow({ receipt, depth }, step) {
    const known = this.#callRows.get(receipt.id);
    if (known !== undefined) return known;
    const program = programOf(receipt);
    const line = element("button", "row", ...cells(receipt.tool));
    line.type = "button";
    line.style.setProperty("--depth", String(depth + 1));
    line.addEventListener("click", () => this.#openReceipt(receipt.id));
    const calls = element("ol", "calls");
    const row = { line, calls, item: element("li", "call", line) };
    if (program !== undefined) {
      row.item.append(programDetails(program));
    } else if (receipt.input !== undefined) {
      cell(line, "name").append(
        element("span", "brief", brief(receipt.input, 120)),
      );
    }
    row.item.append(calls);
    this.#callRows.set(receipt.id, row);
    const parent = this.#callRows.get(receipt.parentId ?? "") ??
      (step === undefined ? undefined : this.#stepRow(step));
    (parent?.calls ?? this.#steps).append(row.item);
    return row;
  }

  /**
   * @param {Row} row
   * @param {string} name
   * @param {number} from
   * @param {number | undefined} to Not yet, where there is none.
   */
  #place({ line }, name, from, to) {
    const bar = cell(line, name);
    bar.classList.toggle("running", to === undefined);
    bar.style.setProperty("--from", String(from - this.#startedAt));
    if (to === undefined) bar.style.removeProperty("--to");
    else bar.style.setProperty("--to", String(to - this.#startedAt));
  }

  /**
   * @param {Row} row
   * @param {number} from
   * @param {number | undefined} to
   */
  #time(row, from, to) {
    if (to === undefined) {
      this.#running.set(row, from);
      return;
    }
    this.#running.delete(row);
    setText(cell(row.line, "time"), duration(to - from));
    setText(
      cell(row.line, "when"),
      ` from ${duration(from - this.#startedAt)} to ${
        duration(to - this.#startedAt)
      }`,
    );
  }

  /** @param {number} total */
  #drawMarks(total) {
    const distance = markDistance(total, mostMarks);
    // At the end there is no room for a mark's label, on a narrow screen least.
    const count = Math.floor(total * 0.8 / distance) + 1;
    const marks = this.#axis.children;
    if (
      marks.length === count && this.#axis.dataset.distance === `${distance}`
    ) {
      return;
    }
    this.#axis.dataset.distance = `${distance}`;
    this.#axis.replaceChildren(
      ...Array.from({ length: count }, (_, index) => {
        const at = index * distance;
        const mark = element("span", "mark", markLabel(at));
        mark.style.setProperty("--from", String(at));
        return mark;
      }),
    );
  }
}

/**
 * Why a call did not succeed, in a line.
 *
 * @param {Receipt} receipt
 */
function reason({ error, outcome }) {
  // The turn's note says it, once for all its calls.
  if (outcome === "cancelled") return "";
  const [first = ""] = (error?.message ?? "").split("\n", 1);
  const told = brief(first, 200);
  // What the outcome says already.
  if (error === undefined || error.code === outcome) return told;
  return `${spoken(error.code)}: ${told}`;
}

/** @param {string} program */
function programDetails(program) {
  const count = program.split("\n").length;
  const details = element(
    "details",
    "source",
    element("summary", "", `Program, ${counted(count, "line")}`),
    programView(program),
  );
  details.open = true;
  return details;
}

/** @param {number} ms */
function markLabel(ms) {
  if (ms === 0) return "0";
  return ms < 1000 ? `${ms} ms` : ms < 60_000 ? `${ms / 1000} s` : duration(ms);
}
