/**
 * `tools`, and what a program can ask about them.
 *
 * `tools` is a frozen map without a prototype of the language. A name it does
 * not hold gives a function all the same, whose call the host refuses like any
 * other wrong call, with a receipt.
 *
 * @module
 */

import { longest, operation } from "../protocol.ts";

/** The part of the prelude that calls tools. */
export const tools = String.raw`
const pending = { __proto__: null };
let madeCalls = 0;
let allowedCalls = 0;
let toolsObject;
let toolList;
let declaredThen;
let unwrapping = false;

function stub(name) {
  const head = '{"tool":' + stringify(name) + ',"input":';
  // The error is made here so that its stack names the line of the call.
  return (input) => invoke(name, head, input, new ErrorType());
}

function invoke(name, head, input, error) {
  let json = "{}";
  if (input !== undefined) {
    try {
      json = encode(input, "input") ?? "{}";
    } catch (reason) {
      return refuse(name, mine(reason) ? reason : problem(newWalk("input"), "could not be read: " + summary(reason)));
    }
  }
  if (madeCalls >= allowedCalls) {
    return refuse(name, makeError("LimitError", "calls",
      "The program may make " + allowedCalls + " tool calls, and has made them all"));
  }
  const id = ++madeCalls;
  return new PromiseType((resolve, reject) => {
    pending[id] = { __proto__: null, resolve, reject, error };
    post(${operation.call}, id, head + json + "}");
  });
}

function refuse(name, error) {
  post(${operation.refused}, 0, '{"tool":' + stringify(name) + ',"code":' + stringify(error.code) +
    ',"message":' + stringify(error.message) + "}");
  return new PromiseType((_, reject) => reject(error));
}

/** The host's answer to a call. */
function settle(id, succeeded, json) {
  const call = pending[id];
  delete pending[id];
  if (call === undefined) return;
  try {
    const value = parse(json);
    if (succeeded === 1) call.resolve(value);
    else call.reject(dressError(call.error, value.name, value.code, value.message, value.retryable));
  } catch (error) {
    call.reject(error);
  }
}

/**
 * Awaiting or returning the tools object asks it for "then". Only a call with
 * an input is a tool call; a promise's own question gets the object back.
 */
const then = named("then", (resolve) => {
  if (typeof resolve !== "function") return (declaredThen ?? stub("then"))(resolve);
  unwrapping = true;
  try {
    resolve(toolsObject);
  } finally {
    unwrapping = false;
  }
});

function notText() {
  throw new TypeErrorType("tools is no text: call tools.name(input)");
}

const missing = new ProxyType({ __proto__: null }, {
  __proto__: null,
  get(_, key) {
    if (key === toPrimitive) return notText;
    if (typeof key !== "string" || key === "toJSON") return undefined;
    if (key === "then") return unwrapping ? undefined : then;
    return stub(shorten(key, ${longest.tool}));
  },
});

/** Takes the tools of the image. */
function defineTools(json) {
  toolList = parse(json);
  toolsObject = createObject(missing);
  const names = [];
  for (let i = 0; i < toolList.length; i++) {
    const tool = toolList[i];
    const call = stub(tool.name);
    own(tool.identifier, call, true);
    own(tool.name, call, false);
    names[i] = freeze({ name: tool.name, description: tool.description });
  }
  freeze(toolsObject);
  define(globalThis, "tools", toolsObject, false);
  define(globalThis, "ALL_TOOLS", freeze(names), false);
}

function own(name, call, enumerable) {
  if (name === "then") declaredThen = call;
  else if (!hasOwn(toolsObject, name)) define(toolsObject, name, call, enumerable);
}

/** The TypeScript declaration of a tool. */
const describe = (name) => {
  const wanted = toText(name);
  for (let i = 0; i < toolList.length; i++) {
    const tool = toolList[i];
    if (tool.name === wanted || tool.identifier === wanted) return tool.declaration;
  }
  const near = nearest(wanted);
  throw makeError("UnknownTool", "unknown_tool", "There is no tool named " + stringify(shorten(wanted, 64)) +
    (near === undefined ? "" : "; did you mean " + stringify(near) + "?"));
};

/** The ten tools that fit a few words best, best first. */
const search = (query) => {
  const words = wordsOf(lowerCase(toText(query)));
  const found = bareList();
  for (let i = 0; i < toolList.length; i++) {
    const score = scoreOf(toolList[i], words);
    if (score > 0) insert(found, { __proto__: null, score, tool: toolList[i] });
  }
  const shown = [];
  for (let i = 0; i < found.length && i < 10; i++) {
    define(shown, i, { name: found[i].tool.name, description: found[i].tool.description }, true);
  }
  return shown;
};

function insert(found, entry) {
  let at = found.length;
  while (at > 0 && found[at - 1].score < entry.score) {
    found[at] = found[at - 1];
    at--;
  }
  found[at] = entry;
}

function scoreOf(tool, words) {
  const name = lowerCase(tool.name);
  const description = lowerCase(tool.description);
  let score = 0;
  for (let i = 0; i < words.length; i++) {
    if (indexOf(name, words[i]) >= 0) score += 3;
    if (indexOf(description, words[i]) >= 0) score += 1;
  }
  return score;
}

function wordsOf(text) {
  const words = bareList();
  let start = 0;
  for (let i = 0; i <= text.length && words.length < 32; i++) {
    const unit = i < text.length ? unitAt(text, i) : 32;
    if ((unit > 47 && unit < 58) || (unit > 96 && unit < 123) || unit > 127) continue;
    if (i > start) words[words.length] = slice(text, start, i);
    start = i + 1;
  }
  return words;
}

function nearest(wanted) {
  const target = lowerCase(shorten(wanted, 64));
  let best;
  let least = 1 + truncate(target.length / 2);
  for (let i = 0; i < toolList.length; i++) {
    const steps = distance(target, lowerCase(toolList[i].name), least);
    if (steps < least) {
      least = steps;
      best = toolList[i].name;
    }
  }
  return best;
}

/** How many letters must change to turn one text into the other. */
function distance(a, b, limit) {
  if (a.length - b.length >= limit || b.length - a.length >= limit) return limit;
  let row = bareList();
  for (let j = 0; j <= b.length; j++) row[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const next = bareList();
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const change = row[j - 1] + (unitAt(a, i - 1) === unitAt(b, j - 1) ? 0 : 1);
      const shorter = (row[j] < next[j - 1] ? row[j] : next[j - 1]) + 1;
      next[j] = change < shorter ? change : shorter;
    }
    row = next;
  }
  return row[b.length];
}
`;
