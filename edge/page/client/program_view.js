/**
 * Shows a program, line by line, in colours.
 *
 * @module
 */

import { element } from "./dom.js";
import { lines } from "./highlight.js";

/**
 * @param {string} code
 * @param {number} [failedAt] The line at which it failed, from 1.
 * @returns {HTMLElement} Scrolls by keyboard too.
 */
export function programView(code, failedAt) {
  const shown = element("code", "");
  lines(code).forEach((tokens, index) => {
    const line = element("span", "line");
    for (const { kind, text } of tokens) {
      line.append(kind === "plain" ? text : element("span", kind, text));
    }
    if (index + 1 === failedAt) {
      line.classList.add("blamed");
      line.append(element("span", "unseen", " (failed here)"));
    }
    // In the line, so that a copy of the program has it too.
    line.append("\n");
    shown.append(line);
  });
  const view = element("pre", "program", shown);
  view.tabIndex = 0;
  view.setAttribute("role", "region");
  view.setAttribute("aria-label", "Program");
  return view;
}
