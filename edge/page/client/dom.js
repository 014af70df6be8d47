/**
 * The few things that the page does with the document. Text gets into it as text
 * nodes only; the page's policy (Trusted Types) forbids every other way.
 *
 * @module
 */

/**
 * The part of that name; the shell holds every part that is asked for.
 *
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} name
 * @param {new () => T} type
 * @returns {T}
 */
export function part(root, name, type) {
  const found = root.querySelector(`[data-part="${name}"]`);
  if (found instanceof type) return found;
  throw new TypeError(`The page has no part ${name}`);
}

/**
 * A copy of the template of that name.
 *
 * @param {string} name
 * @returns {HTMLElement}
 */
export function copyOf(name) {
  const { content } = part(document, name, HTMLTemplateElement);
  const copy = document.importNode(content, true).firstElementChild;
  if (copy instanceof HTMLElement) return copy;
  throw new TypeError(`The template ${name} is empty`);
}

/**
 * A new element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {...(string | Node)} children Strings become text.
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/**
 * Changes an element's text, unless it is that already: a change would be read
 * out, and end a selection.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Adds what a text has grown by.
 *
 * @param {Element} element
 * @param {string} text The whole text.
 */
export function growText(element, text) {
  const shown = element.textContent ?? "";
  if (!text.startsWith(shown)) element.textContent = text;
  else if (text.length > shown.length) element.append(text.slice(shown.length));
}
