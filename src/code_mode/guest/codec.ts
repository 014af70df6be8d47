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

/** What one walk over a value knows: where it is, and what it found. */
function newWalk(root, resolved) {
  return {
    __proto__: null, root, resolved, depth: 0,
    trail: { __proto__: null }, open: { __proto__: null },
    waiting: bareList(),
  };
}

/**
 * Whether a value is plain data of a few levels, as nearly all are: then the
 * engine's own JSON says all there is to say, and says it fast.
 */
function isSimple(value, levels) {
  if (levels === 0) return false;
  let items = value;
  if (!isArray(value)) {
    const prototype = getPrototypeOf(value);
    if (prototype !== ObjectPrototype && prototype !== null) return false;
    items = valuesOf(value);
  }
  const length = items.length;
  for (let i = 0; i < length; i++) {
    const item = items[i];
    switch (typeof item) {
      case "string":
      case "number":
      case "boolean":
      case "undefined":
        break;
      case "object":
        if (item !== null && !isSimple(item, levels - 1)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

/** JSON text of a value; undefined for undefined. */
function encode(value, root) {
  const type = typeof value;
  if (type === "string" || type === "number" || type === "boolean") return stringify(value);
  if (type === "object" && value !== null && quickly(value)) return stringify(value);
  return encodeWalk(newWalk(root, undefined), value);
}

/** A value that cannot even be looked at is left to the walk, which says where. */
function quickly(value) {
  try {
    return isSimple(value, 12);
  } catch {
    return false;
  }
}

function encodeWalk(walk, value) {
  try {
    const text = stringify(plain(walk, value));
    return typeof text === "string" ? text : undefined;
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
  if (type === "bigint") {
    throw problem(walk, "is a BigInt, which JSON cannot carry: use Number(value) or String(value)");
  }
  return value;
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
  if (isArray(value)) return listOf(walk, value);
  if (value === toolsObject) {
    walk.depth--;
    throw problem(walk, "is the tools object, which is no data: call tools.name(input)");
  }
  const toJson = value.toJSON;
  if (typeof toJson === "function") {
    const key = walk.trail[walk.depth - 1];
    return plain(walk, apply(toJson, value, [key === undefined ? "" : toText(key)]));
  }
  const prototype = getPrototypeOf(value);
  if (prototype === ObjectPrototype || prototype === null) return record(walk, value, undefined);
  return special(walk, value);
}

function listOf(walk, value) {
  const length = value.length;
  let copy;
  for (let i = 0; i < length; i++) {
    walk.trail[walk.depth] = i;
    const item = value[i];
    const done = plain(walk, item);
    if (copy === undefined && done !== item && item === item) copy = headOf(value, i);
    if (copy !== undefined) copy[i] = done;
  }
  return copy === undefined ? value : copy;
}

function headOf(value, length) {
  const copy = bareList();
  for (let i = 0; i < length; i++) copy[i] = value[i];
  return copy;
}

function record(walk, value, start) {
  const keys = keysOf(value);
  let copy = start;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    walk.trail[walk.depth] = key;
    const item = value[key];
    const done = plain(walk, item);
    if (copy === undefined && done !== item && item === item) copy = firstOf(value, keys, i);
    if (copy !== undefined) copy[key] = done;
  }
  return copy === undefined ? value : copy;
}

function firstOf(value, keys, count) {
  const copy = { __proto__: null };
  for (let i = 0; i < count; i++) copy[keys[i]] = value[keys[i]];
  return copy;
}

function special(walk, value) {
  if (isPrototypeOf(PromisePrototype, value)) return promised(walk, value);
  if (isPrototypeOf(ErrorPrototype, value)) return errorRecord(walk, value);
  if (isPrototypeOf(MapPrototype, value)) return mapRecord(walk, value);
  if (isPrototypeOf(SetPrototype, value)) return setList(walk, value);
  if (isView(value) && !isPrototypeOf(DataViewPrototype, value)) {
    return listOf(walk, headOf(value, value.length));
  }
  if (isPrototypeOf(ArrayBufferPrototype, value) || isView(value)) {
    walk.depth--;
    throw problem(walk, "is raw bytes, which JSON cannot carry: use Array.from(new Uint8Array(buffer))");
  }
  return record(walk, value, undefined);
}

function promised(walk, value) {
  if (walk.resolved === undefined) {
    walk.depth--;
    throw problem(walk, "is a promise: await it first");
  }
  if (mapHas(walk.resolved, value)) return plain(walk, mapGet(walk.resolved, value));
  walk.waiting[walk.waiting.length] = value;
  return null;
}

function errorRecord(walk, value) {
  const copy = { __proto__: null };
  copy.name = errorName(value);
  copy.message = errorMessage(value);
  return record(walk, value, copy);
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
