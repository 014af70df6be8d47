/**
 * How a thrown value is described: name, message with its causes, and the line.
 *
 * The value may lie in every way there is; whatever it does, a description
 * comes out, or the fuel ends it.
 *
 * @module
 */

import { cellFilename, longest, operation } from "../protocol.ts";

/** The part of the prelude that describes thrown values. */
export const errors = String.raw`
const isObject = (value) =>
  (typeof value === "object" && value !== null) || typeof value === "function";

function errorName(error) {
  const name = read(error, "name");
  return typeof name === "string" && name !== "" ? shorten(name, ${longest.errorName}) : "Error";
}

function errorMessage(error) {
  const message = read(error, "message");
  if (typeof message === "string") return shorten(message, ${longest.errorMessage});
  return message === undefined ? "" : printable(message);
}

/** Asking a revoked proxy for its prototype throws; it is no error then. */
function isError(value) {
  try {
    return isPrototypeOf(ErrorPrototype, value);
  } catch {
    return false;
  }
}

const isErrorLike = (value) =>
  isObject(value) && (isError(value) || typeof read(value, "message") === "string");

/** One line about a thrown value. */
function summary(value) {
  if (!isErrorLike(value)) return printable(value);
  const message = errorMessage(value);
  return message === "" ? errorName(value) : errorName(value) + ": " + message;
}

/** The message, and what it was caused by. */
function fullMessage(error) {
  const list = several(error);
  let text = (errorMessage(error) || (list === "" ? "" : "Several errors")) + list;
  let cause = read(error, "cause");
  for (let i = 0; i < 3 && cause !== undefined; i++) {
    text += " (cause: " + shorten(summary(cause), 500) + ")";
    cause = isObject(cause) ? read(cause, "cause") : undefined;
  }
  return shorten(text, ${longest.errorMessage});
}

function several(error) {
  const list = read(error, "errors");
  if (!isObject(list) || typeof read(list, "length") !== "number") return "";
  let text = "";
  for (let i = 0; i < 3 && i < read(list, "length"); i++) {
    text += (i === 0 ? " (errors: " : "; ") + shorten(summary(read(list, i)), 500);
  }
  return text === "" ? "" : text + (read(list, "length") > 3 ? "; …)" : ")");
}

/** The first line of the program that a stack names; 0 for none. */
function lineOf(error) {
  const stack = read(error, "stack");
  if (typeof stack !== "string") return 0;
  const mark = "${cellFilename}:";
  for (let at = indexOf(stack, mark); at >= 0; at = indexOf(stack, mark, at + 1)) {
    const before = at === 0 ? 32 : unitAt(stack, at - 1);
    const line = before === 32 || before === 40 ? digitsAt(stack, at + mark.length) : 0;
    if (line > 0) return line;
  }
  return 0;
}

function digitsAt(text, start) {
  let number = 0;
  for (let i = start; i < start + 7; i++) {
    const digit = unitAt(text, i) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    number = number * 10 + digit;
  }
  return number;
}

let programLines = 0;

/** The line of the program that an error names; 0 for none. */
function programLine(error) {
  const found = isObject(error) ? lineOf(error) : 0;
  // A program that stops in the middle is found out one line later.
  const line = found === programLines + 1 ? programLines : found;
  return line <= programLines ? line : 0;
}

function sendError(error, kind) {
  const thing = isErrorLike(error);
  const name = thing ? errorName(error) : "ThrownValue";
  const message = thing ? fullMessage(error) : shorten(printable(error), ${longest.errorMessage});
  const line = programLine(error);
  const where = line > 0 ? ',"line":' + line : "";
  post(${operation.threw}, 0, '{"name":' + stringify(name) + ',"message":' + stringify(message) +
    ',"kind":"' + kind + '"' + where + "}");
}

function summarize(error) {
  const line = programLine(error);
  return shorten(summary(error), 300) + (line > 0 ? " (line " + line + ")" : "");
}
`;
