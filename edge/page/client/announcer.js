/**
 * Tells screen readers what happened, politely: what comes within a moment is
 * said in one go.
 *
 * @module
 */

const momentMs = 700;

/** Speaks through one live region. */
export class Announcer {
  #region;
  /** @type {string[]} */
  #waiting = [];

  /** @param {HTMLElement} region Visually hidden, with the role `status`. */
  constructor(region) {
    this.#region = region;
  }

  /** @param {string} sentence */
  say(sentence) {
    if (this.#waiting.push(sentence) > 1) return;
    setTimeout(() => {
      this.#region.textContent = this.#waiting.join(" ");
      this.#waiting = [];
    }, momentMs);
  }
}
