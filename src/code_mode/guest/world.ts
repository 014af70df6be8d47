/**
 * The rest of a program's world: timers, kept values, chance and time.
 *
 * Timers run in the cell's own time: it jumps to the next one when nothing
 * else can run. They end with the cell.
 *
 * @module
 */

import { longest, operation } from "../protocol.ts";

/** The part of the prelude with timers, `store`, `load`, `budget` and `Math.random`. */
export const world = String.raw`
let timers;
let latestTimer;
let lastTimer = 0;

function addTimer(callback, delay, again, values) {
  if (typeof callback !== "function") {
    throw new TypeErrorType("A timer needs a function to call");
  }
  const given = toNumber(delay);
  const wait = given > 0 ? truncate(given < 2147483647 ? given : 2147483647) : 0;
  const period = wait > 0 ? wait : 1;
  return schedule({
    __proto__: null, id: ++lastTimer, due: now() + wait, callback, values, next: undefined,
    period: again ? period : 0,
  });
}

/** Timers are a list in the order in which they are due; most belong at its end. */
function schedule(timer) {
  const atEnd = latestTimer !== undefined && latestTimer.due <= timer.due;
  let before = atEnd ? latestTimer : undefined;
  let after = atEnd ? undefined : timers;
  while (after !== undefined && after.due <= timer.due) {
    before = after;
    after = after.next;
  }
  timer.next = after;
  if (before === undefined) timers = timer;
  else before.next = timer;
  if (after === undefined) latestTimer = timer;
  return timer.id;
}

function removeTimer(id) {
  let before;
  for (let timer = timers; timer !== undefined; timer = timer.next) {
    if (timer.id === id) {
      if (before === undefined) timers = timer.next;
      else before.next = timer.next;
      if (timer === latestTimer) latestTimer = before;
      return;
    }
    before = timer;
  }
}

const nextTimer = () => timers === undefined ? -1 : timers.due;

/** Runs the earliest timer; jobs it starts run before the next one. */
function fireTimer() {
  const timer = timers;
  if (timer === undefined) return;
  timers = timer.next;
  if (timers === undefined) latestTimer = undefined;
  if (timer.period > 0) {
    timer.due += timer.period;
    schedule(timer);
  }
  apply(timer.callback, undefined, timer.values);
}

function storeKey(key) {
  if (typeof key === "string" && key.length <= ${longest.key}) return stringify(wellFormed(key));
  throw new TypeErrorType("A key must be a text of at most ${longest.key} characters");
}

const store = (key, value) => {
  const name = storeKey(key);
  const json = encode(value, "value");
  const rest = json === undefined ? "" : ',"value":' + json;
  const refusal = post(${operation.store}, 0, '{"key":' + name + rest + "}");
  if (typeof refusal === "string") throw makeError("LimitError", "store", refusal);
};

const load = (key) => {
  storeKey(key);
  const json = post(${operation.load}, 0, wellFormed(key));
  return json === undefined ? undefined : parse(json);
};

const budget = () => parse(post(${operation.budget}, 0, ""));

let a = 1;
let b = 2;
let c = 3;
let d = 4;

/** A small generator (sfc32): the same seed gives the same numbers everywhere. */
const random = named("random", () => {
  const sum = (a + b + d) | 0;
  d = (d + 1) | 0;
  a = b ^ (b >>> 9);
  b = (c + (c << 3)) | 0;
  c = (((c << 21) | (c >>> 11)) + sum) | 0;
  return (sum >>> 0) / 4294967296;
});

let beginning = 0;

/** Takes what differs from cell to cell. */
function begin(json) {
  const given = parse(json);
  a = given.a;
  b = given.b;
  c = given.c;
  d = given.d;
  allowedCalls = given.calls;
  programLines = given.lines;
  beginning = now();
}

let finishing;

/** Sends the result; where it holds promises, they are awaited before. */
function finish(value) {
  if (finishing === undefined) {
    const holes = bareList();
    finishing = { __proto__: null, copy: undefined, holes, error: undefined };
    fill(finishing, "copy", newWalk("result", holes), value);
    if (holes.length > 0) return fillHoles();
  }
  const { copy, error } = finishing;
  if (error !== undefined) return sendError(error, mine(error) ? "encoding" : "thrown");
  post(${operation.returned}, 0, stringify(copy) ?? "");
}

/** Puts a plain copy of a value in a place, or notes why it cannot. */
function fill(place, key, walk, value) {
  try {
    place[key] = copyOf(walk, value);
  } catch (error) {
    finishing.error = error;
  }
}

/** What settles may hold promises itself: they come behind the others. */
async function fillHoles() {
  const { holes } = finishing;
  for (let i = 0; i < holes.length && finishing.error === undefined; i++) {
    const { promise, walk } = holes[i];
    fill(holes[i], "value", walk, await promise);
  }
}

const report = (reason) => sendError(reason, "thrown");
`;
