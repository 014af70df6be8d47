// @ts-check
/**
 * Figures and values in words.
 *
 * @module
 */

/**
 * A time span.
 *
 * @param {number} ms Milliseconds.
 * @returns {string} Such as `40 ms`, `1.2 s`, `2 min 5 s`.
 */
export function duration(ms) {
  const whole = Math.max(0, Math.round(ms));
  if (whole < 1000) return `${whole} ms`;
  if (whole < 59_950) return `${(whole / 1000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1000);
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? "" : ` ${rest} s`}`;
}

/**
 * A time span to the millisecond.
 *
 * @param {number} ms Milliseconds.
 * @returns {string} Such as `1,240 ms`.
 */
export function exact(ms) {
  return `${ms.toLocaleString("en")} ms`;
}

/**
 * A size.
 *
 * @param {number} bytes
 * @returns {string} Such as `512 bytes`, `1.5 kB`.
 */
export function size(bytes) {
  if (bytes === 1) return "1 byte";
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * So many of something.
 *
 * @param {number} count
 * @param {string} one Its name in the singular; the plural adds an s.
 * @returns {string} Such as `1 call`, `2 calls`.
 */
export function counted(count, one) {
  return `${count.toLocaleString("en")} ${one}${count === 1 ? "" : "s"}`;
}

/**
 * A code word as words: `timed_out` is `timed out`.
 *
 * @param {string} code
 * @returns {string}
 */
export function spoken(code) {
  return code.replaceAll("_", " ");
}

/**
 * A JSON value for reading: strings as they are, the rest indented.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function pretty(value) {
  if (typeof value === "string") return value;
  return JSON.stringify(value, undefined, 2) ?? "";
}

/**
 * A JSON value in one short line.
 *
 * @param {unknown} value
 * @param {number} most The most characters.
 * @returns {string}
 */
export function brief(value, most) {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return shortened(text.replaceAll(/\s+/g, " ").trim(), most);
}

/**
 * A text, or its beginning with an ellipsis.
 *
 * @param {string} text
 * @param {number} most The most characters.
 * @returns {string}
 */
export function shortened(text, most) {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}

/**
 * The distance between an axis's marks: 1, 2 or 5 times a power of ten.
 *
 * @param {number} total What the axis shows.
 * @param {number} most The most marks after the first.
 * @returns {number}
 */
export function markDistance(total, most) {
  const least = total / most;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const factor = [1, 2, 5].find((factor) => factor * power >= least) ?? 10;
  return factor * power;
}
