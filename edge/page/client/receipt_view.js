/**
 * The receipt of one call, in a dialog.
 *
 * @module
 */

import { element, part } from "./dom.js";
import { programView } from "./program_view.js";
import { failedLine, programOf } from "./turn_model.js";
import { exact, pretty, size, spoken } from "./words.js";

/** @import { Receipt } from "../../../src/receipt.ts" */

// Text beyond this only makes the browser slow; the API has all of it.
const mostCharacters = 50_000;

/** The dialog. */
export class ReceiptView {
  #dialog;
  #shown = "";

  constructor() {
    this.#dialog = part(document, "receipt", HTMLDialogElement);
    part(this.#dialog, "close", HTMLButtonElement)
      .addEventListener("click", () => this.#dialog.close());
    // A click beside the dialog meets the dialog itself, one in it what is there.
    this.#dialog.addEventListener("click", ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
    this.#dialog.addEventListener("close", () => this.#shown = "");
  }

  /**
   * Opens it.
   *
   * @param {Receipt} receipt
   * @param {number} turnStartedAt
   */
  open(receipt, turnStartedAt) {
    this.#fill(receipt, turnStartedAt);
    this.#shown = receipt.id;
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /**
   * Shows what became of the call, where its receipt is open.
   *
   * @param {Receipt} receipt
   * @param {number} turnStartedAt
   */
  refresh(receipt, turnStartedAt) {
    if (this.#shown === receipt.id) this.#fill(receipt, turnStartedAt);
  }

  /**
   * @param {Receipt} receipt
   * @param {number} turnStartedAt
   */
  #fill(receipt, turnStartedAt) {
    const outcome = receipt.outcome ?? "running";
    part(this.#dialog, "tool", HTMLElement).textContent = receipt.tool;
    const badge = part(this.#dialog, "outcome", HTMLElement);
    badge.textContent = spoken(outcome);
    badge.dataset.outcome = outcome;
    part(this.#dialog, "facts", HTMLElement).replaceChildren(
      ...facts(receipt, turnStartedAt).flatMap(([name, value]) => [
        element("dt", "", name),
        element("dd", "", value),
      ]),
    );
    part(this.#dialog, "values", HTMLElement).replaceChildren(
      ...values(receipt),
    );
  }
}

/**
 * @param {Receipt} receipt
 * @param {number} turnStartedAt
 * @returns {[string, string][]}
 */
function facts(receipt, turnStartedAt) {
  const { requestedAt, startedAt, endedAt, outcome } = receipt;
  const after = (/** @type {number} */ time) =>
    `${exact(time - turnStartedAt)} after the turn's start`;
  /** @type {[string, string | undefined][]} */
  const all = [
    ["At", new Date(requestedAt).toISOString()],
    ["Requested", after(requestedAt)],
    [
      "Started",
      startedAt === undefined
        ? outcome === undefined ? undefined : "never"
        : `${after(startedAt)}, waited ${exact(startedAt - requestedAt)}`,
    ],
    ["Ended", endedAt === undefined ? undefined : after(endedAt)],
    [
      "Took",
      endedAt === undefined
        ? undefined
        : exact(endedAt - (startedAt ?? requestedAt)),
    ],
    ["Input", size(receipt.inputBytes)],
    [
      "Output",
      outcome === undefined
        ? undefined
        : `${size(receipt.outputBytes)}${
          receipt.truncated ? ", of which the model saw a part" : ""
        }`,
    ],
    [
      "Called",
      receipt.surface === "direct" ? "directly" : "from a program",
    ],
    ["Step", String(receipt.step)],
    [
      "Abandoned",
      receipt.abandoned
        ? "it still ran when its time was over; its result is lost"
        : undefined,
    ],
    ["Call", receipt.callId],
    ["Receipt", receipt.id],
  ];
  return all.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]]
  );
}

/**
 * @param {Receipt} receipt
 * @returns {HTMLElement[]}
 */
function values(receipt) {
  const { input, output, error, outcome } = receipt;
  const program = programOf(receipt);
  const found = [
    element("h3", "", program === undefined ? "Input" : "Program"),
    program === undefined
      ? text("Input", input === undefined ? "Not JSON." : pretty(input))
      : programView(program, failedLine(receipt)),
  ];
  if (error !== undefined) {
    const again = error.retryable ? ", may be tried again" : "";
    found.push(
      element("h3", "", "Error"),
      element("p", "", `${error.name}: ${spoken(error.code)}${again}`),
      text("Error", error.message),
    );
  } else if (outcome !== undefined) {
    found.push(element("h3", "", "Output"), text("Output", pretty(output)));
  }
  return found;
}

/**
 * @param {string} label
 * @param {string} value
 */
function text(label, value) {
  const rest = value.length - mostCharacters;
  const shown = element("pre", "value", value.slice(0, mostCharacters));
  shown.tabIndex = 0;
  shown.setAttribute("role", "region");
  shown.setAttribute("aria-label", label);
  if (rest > 0) {
    shown.append(
      element("em", "", `\n… ${rest.toLocaleString("en")} more characters`),
    );
  }
  return shown;
}
