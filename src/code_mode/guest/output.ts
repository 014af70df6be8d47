/**
 * What a program may write: `text(...)` for the model, `console` for its log.
 *
 * @module
 */

import { consoleLevels, operation } from "../protocol.ts";

/** The part of the prelude that writes. */
export const output = String.raw`
/** Any value as text, without ever throwing. */
function printable(value) {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value === "bigint") return bigintText(value) + "n";
  if (typeof value === "symbol") return symbolText(value);
  if (typeof value === "function") return "[function]";
  if (!isObject(value)) return toText(value);
  if (isError(value)) return summary(value);
  try {
    return encode(value, "value") ?? "undefined";
  } catch (error) {
    return "[" + (mine(error) ? errorMessage(error) : "value could not be read") + "]";
  }
}

function joined(values, show) {
  let line = "";
  for (let i = 0; i < values.length; i++) line += (i === 0 ? "" : " ") + show(values[i]);
  return line;
}

function textPart(value) {
  if (typeof value === "string") return wellFormed(value);
  return encode(value, "text") ?? "undefined";
}

const text = (...values) => {
  post(${operation.text}, 0, joined(values, textPart));
};

let indent = "";
const counts = { __proto__: null };
const started = { __proto__: null };

function line(level, values, head) {
  const rest = joined(values, printable);
  const gap = head === undefined ? "" : values.length > 0 ? head + " " : head;
  post(${operation.console}, level, indent + gap + rest);
}

function labelled(label) {
  return label === undefined ? "default" : printable(label);
}

function elapsed(label) {
  const name = labelled(label);
  return name + ": " + (name in started ? now() - started[name] : 0) + " ms";
}

function printTable(rows) {
  if (!isObject(rows)) return line(0, [rows]);
  const keys = keysOf(rows);
  for (let i = 0; i < keys.length; i++) line(0, [keys[i] + ":", read(rows, keys[i])]);
}

const levels = {
  __proto__: null, ${
  consoleLevels.map((level, i) => `${level}: ${i}`).join(", ")
},
};

const consoleMethods = {
  log: (...values) => line(levels.log, values),
  info: (...values) => line(levels.info, values),
  debug: (...values) => line(levels.debug, values),
  warn: (...values) => line(levels.warn, values),
  error: (...values) => line(levels.error, values),
  trace: (...values) => line(levels.debug, values),
  dir: (value) => line(levels.log, [value]),
  dirxml: (...values) => line(levels.log, values),
  table: (rows) => printTable(rows),
  group: (...values) => { if (values.length > 0) line(levels.log, values); indent += "  "; },
  groupCollapsed: (...values) => { if (values.length > 0) line(levels.log, values); indent += "  "; },
  groupEnd: () => { indent = slice(indent, 2); },
  assert: (truth, ...values) => { if (!truth) line(levels.error, values, "Assertion failed:"); },
  count: (label) => {
    const name = labelled(label);
    counts[name] = (counts[name] ?? 0) + 1;
    line(levels.log, [name + ": " + counts[name]]);
  },
  countReset: (label) => { delete counts[labelled(label)]; },
  time: (label) => { started[labelled(label)] = now(); },
  timeLog: (label, ...values) => line(levels.log, values, elapsed(label)),
  timeEnd: (label) => { line(levels.log, [elapsed(label)]); delete started[labelled(label)]; },
  timeStamp: () => {},
  clear: () => {},
};
`;
