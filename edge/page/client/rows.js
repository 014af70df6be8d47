/**
 * The rows of a timeline, as elements.
 *
 * @module
 */

import { element, growText } from "./dom.js";

/**
 * @typedef {object} Row What is shown of a step or call.
 * @property {HTMLElement} item Its place in the list.
 * @property {HTMLElement} line Its name, bar and figures.
 * @property {HTMLElement} calls The list of calls below it.
 */

/**
 * The cells of a line, in the order in which they are read.
 *
 * @param {string} name
 * @returns {HTMLElement[]}
 */
export function cells(name) {
  return [
    element("span", "name", element("bdi", "", name)),
    element("span", "word"),
    element("span", "track", element("span", "wait"), element("span", "bar")),
    element("span", "time"),
    element("span", "when unseen"),
  ];
}

/**
 * One cell of a line.
 *
 * @param {HTMLElement} line
 * @param {string} name
 * @returns {HTMLElement}
 */
export function cell(line, name) {
  const found = line.querySelector(`.${name}`);
  if (found instanceof HTMLElement) return found;
  throw new TypeError(`A line has no ${name}`);
}

/**
 * A row's part of that class, put before its calls; made where it is not there.
 *
 * @param {Row} row
 * @param {string} name
 * @param {() => HTMLElement} make
 * @returns {HTMLElement}
 */
export function child({ item, calls }, name, make) {
  const found = [...item.children].find(({ classList }) =>
    classList.contains(name)
  );
  if (found instanceof HTMLElement) return found;
  const made = make();
  calls.before(made);
  return made;
}

/**
 * Shows a text as a row's part; nothing where it is empty.
 *
 * @param {Row} row
 * @param {string} name The part's class.
 * @param {string} text All of it, of which some may be shown already.
 */
export function grow(row, name, text) {
  const isThere = row.item.querySelector(`:scope > .${name}`) !== null;
  if (text === "" && !isThere) return;
  const paragraph = child(row, name, () => element("p", name));
  growText(paragraph, text);
  paragraph.hidden = text === "";
}
