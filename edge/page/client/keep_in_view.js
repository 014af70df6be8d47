/**
 * Keeps a growing turn in view: as much of it as fits, from its top. Stops for
 * good once the user scrolls.
 *
 * @module
 */

// What a browser may round a position by.
const rounding = 2;

/**
 * @param {HTMLElement} root What grows.
 * @param {HTMLElement} floor What covers the bottom of the window.
 * @returns {() => void} To be called when it has grown.
 */
export function keepInView(root, floor) {
  /** @type {number | undefined} */
  let left = scrollY;
  return () => {
    if (left === undefined || Math.abs(scrollY - left) > rounding) {
      left = undefined;
      return;
    }
    const { top, bottom } = root.getBoundingClientRect();
    const room = floor.getBoundingClientRect().top;
    const by = Math.min(bottom - room, top);
    if (by > rounding) scrollBy(0, by);
    left = scrollY;
  };
}
