/**
 * How a guest's values become JSON: tool inputs, results, stored values, output.
 *
 * As `JSON.stringify` does it, except that nothing is lost in silence:
 *
 * - keys whose value is `undefined` are dropped; in arrays it becomes `null`;
 *   so do `NaN` and the infinities;
 * - a `Date` and whatever else has a `toJSON` become what that returns;
 * - a `Set` or typed array becomes an array, a `Map` with text or number keys an object,
 *   an `Error` an object with its name, message and own fields;
 * - a promise in a returned value is awaited; anywhere else it is an error;
 * - functions, symbols, BigInts, cycles, and more than 198 levels are errors that name the place.
 *
 * @module
 */

import { longest } from "../protocol.ts";

/** The part of the prelude that turns values into JSON text. */
export const codec = String.raw`
const deepest = ${longest.depth - 2};

/**
 * What one walk over a value knows: where it is, and what it found. In a
 * result, promises leave holes to fill once they have settled.
 */
function newWalk(root, holes) {
  return {
    __proto__: null, root, holes, depth: 0,
    trail: { __proto__: null }, open: { __proto__: null },
  };
}

/** JSON text of a value; undefined for undefined. */
function encode(value, root) {
  const type = typeof value;
  if (type === "string" || type === "number" || type === "boolean") return stringify(value);
  const text = textOf(value, root);
  return typeof text === "string" ? text : undefined;
}

/** Where JSON cannot carry all of it, the walk says what, and where. */
function textOf(value, root) {
  try {
    return carriedText(value);
  } catch (error) {
    if (isExhaustion(error)) throw error;
    return stringify(walkedCopy(newWalk(root, undefined), value));
  }
}

/** A copy without getters, which nothing of the program's can change. */
function copyOf(walk, value) {
  const copy = quickly(value);
  return isComplete ? copy : walkedCopy(walk, copy);
}

function walkedCopy(walk, value) {
  try {
    return plain(walk, value);
  } catch (error) {
    if (mine(error) || isExhaustion(error)) throw error;
    throw problem(walk, "could not be read: " + summary(error));
  }
}

/** Out of memory or stack: the value is not to blame. */
function isExhaustion(error) {
  return isPrototypeOf(InternalErrorPrototype, error) ||
    (isPrototypeOf(RangeErrorPrototype, error) && read(error, "message") === "Maximum call stack size exceeded");
}

/** The walk's own errors; no program can add to them. */
const problems = new WeakSet();
const addProblem = bindCall(WeakSet.prototype.add);
const hasProblem = bindCall(WeakSet.prototype.has);
const mine = (error) => hasProblem(problems, error);

function problem(walk, what) {
  const error = makeError("EncodingError", "encoding", shorten(place(walk) + " " + what, 1000));
  addProblem(problems, error);
  return error;
}

function place(walk) {
  let text = walk.root;
  for (let i = 1; i <= walk.depth; i++) {
    const key = walk.trail[i];
    if (typeof key === "number") text += "[" + key + "]";
    else if (key !== undefined) text += isWord(key) ? "." + key : "[" + stringify(key) + "]";
  }
  return text;
}

function isWord(key) {
  if (key.length === 0 || key.length > 64) return false;
  for (let i = 0; i < key.length; i++) {
    const unit = unitAt(key, i);
    const letter = unit === 36 || unit === 95 || (unit > 64 && unit < 91) || (unit > 96 && unit < 123);
    if (!letter && !(i > 0 && unit > 47 && unit < 58)) return false;
  }
  return true;
}

/** The value itself where JSON can carry it, else a copy that it can. */
function plain(walk, value) {
  const type = typeof value;
  if (type === "object") return value === null ? null : composite(walk, value);
  if (type === "function" || type === "symbol") {
    throw problem(walk, "is a " + type + ", which JSON cannot carry");
  }
  if (type === "bigint") throw bigintProblem(walk);
  return value;
}

function bigintProblem(walk) {
  return problem(walk, "is a BigInt, which JSON cannot carry: use Number(value) or String(value)");
}

function composite(walk, value) {
  const level = walk.depth;
  if (level >= deepest) throw problem(walk, "nests deeper than " + deepest + " levels");
  for (let i = 0; i < level; i++) {
    if (walk.open[i] === value) throw problem(walk, "refers back to an object that contains it (a cycle)");
  }
  walk.open[level] = value;
  walk.depth = level + 1;
  walk.trail[level + 1] = undefined;
  const result = contents(walk, value);
  walk.depth = level;
  return result;
}

function contents(walk, value) {
  if (value === toolsObject) {
    walk.depth--;
    throw problem(walk, "is the tools object, which is no data: call tools.name(input)");
  }
  const toJson = value.toJSON;
  if (typeof toJson === "function") {
    const key = walk.trail[walk.depth - 1];
    return plain(walk, apply(toJson, value, [key === undefined ? "" : toText(key)]));
  }
  if (isArray(value)) return listOf(walk, value);
  const prototype = getPrototypeOf(value);
  if (prototype === ObjectPrototype || prototype === null) return record(walk, value, undefined);
  return special(walk, value);
}

/** Each item is read once: what reads it may make calls. */
function listOf(walk, value) {
  const copy = copyList(value);
  setPrototypeOf(copy, null);
  const length = copy.length;
  for (let i = 0; i < length; i++) inside(walk, copy, i, copy[i]);
  return copy;
}

/** A bare copy with the own fields of the value, and those it starts with. */
function record(walk, value, start) {
  let copy;
  try {
    copy = { __proto__: null, ...start, ...value };
  } catch (error) {
    if (isExhaustion(error)) throw error;
    throw fieldProblem(walk, value, error);
  }
  for (const key in copy) inside(walk, copy, key, copy[key]);
  return copy;
}

/** Names the field that cannot be read. */
function fieldProblem(walk, value, error) {
  const keys = keysOf(value);
  for (let i = 0; i < keys.length; i++) {
    walk.trail[walk.depth] = keys[i];
    value[keys[i]];
  }
  return error;
}

/** Makes an item of a copy plain as well. */
function inside(walk, copy, key, item) {
  if (typeof item in scalars || item === null) return;
  walk.trail[walk.depth] = key;
  copy[key] = typeof item === "object" ? composite(walk, item) : plain(walk, item);
}

function special(walk, value) {
  if (isPrototypeOf(PromisePrototype, value)) return promised(walk, value);
  if (isPrototypeOf(ErrorPrototype, value)) return errorRecord(walk, value);
  if (isPrototypeOf(MapPrototype, value)) return mapRecord(walk, value);
  if (isPrototypeOf(SetPrototype, value)) return setList(walk, value);
  if (isView(value) && !isPrototypeOf(DataViewPrototype, value)) {
    return listOf(walk, value);
  }
  if (isPrototypeOf(ArrayBufferPrototype, value) || isView(value)) {
    walk.depth--;
    throw problem(walk, "is raw bytes, which JSON cannot carry: use Array.from(new Uint8Array(buffer))");
  }
  if (isPrototypeOf(NumberPrototype, value)) return toNumber(value);
  if (isPrototypeOf(StringPrototype, value)) return toText(value);
  if (isPrototypeOf(BooleanPrototype, value)) return booleanValue(value);
  if (isPrototypeOf(BigIntPrototype, value)) throw bigintProblem(walk);
  return record(walk, value, undefined);
}

/** A hole, which the engine asks for what came to stand in it. */
function promised(walk, value) {
  walk.depth--;
  if (walk.holes === undefined) throw problem(walk, "is a promise: await it first");
  const hole = { __proto__: null, promise: value, walk: branch(walk), value: null, toJSON: undefined };
  define(hole, "toJSON", () => hole.value, false);
  walk.holes[walk.holes.length] = hole;
  walk.depth++;
  return hole;
}

/** A walk that goes on from this place when the other is over. */
function branch(walk) {
  const { root, holes, depth } = walk;
  const trail = { __proto__: null, ...walk.trail };
  const open = { __proto__: null, ...walk.open };
  return { __proto__: null, root, holes, depth, trail, open };
}

function errorRecord(walk, value) {
  return record(walk, value, { __proto__: null, name: errorName(value), message: errorMessage(value) });
}

function mapRecord(walk, value) {
  const copy = { __proto__: null };
  mapForEach(value, (item, key) => {
    if (typeof key !== "string" && typeof key !== "number") {
      walk.depth--;
      throw problem(walk, "is a Map whose keys are no texts: use Array.from(map)");
    }
    walk.trail[walk.depth] = toText(key);
    copy[key] = plain(walk, item);
  });
  return copy;
}

function setList(walk, value) {
  const copy = bareList();
  setForEach(value, (item) => {
    walk.trail[walk.depth] = copy.length;
    copy[copy.length] = plain(walk, item);
  });
  return copy;
}
`;
