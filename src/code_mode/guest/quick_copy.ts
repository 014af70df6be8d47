/**
 * Copies plain data, as nearly all values are, with the engine's own means.
 *
 * Every field is read once, for to read it can make calls: the copy has no
 * getters, no prototype and no `toJSON`, so it says the same ever after.
 *
 * @module
 */

/** The part of the prelude that copies plain data. */
export const quickCopy = String.raw`
/** What JSON carries, or drops, as it is. */
const scalars = { __proto__: null, string: 1, number: 1, boolean: 1, undefined: 1 };

/**
 * A copy, and whether all in it is plain: what is not stands in it as it was.
 * A value that cannot even be copied comes back itself.
 */
function quickly(value) {
  const state = { __proto__: null, copy: value, complete: typeof value in scalars, path: bareList() };
  if (typeof value !== "object" || value === null) return state;
  try {
    state.complete = true;
    state.copy = copyAt(state, value, 0);
  } catch {
    state.complete = false;
  }
  return state;
}

function copyAt(state, value, level) {
  const { path } = state;
  // A cycle: the walk says where.
  for (let i = 0; i < level; i++) if (path[i] === value) throw value;
  const isList = isArray(value);
  const prototype = isList ? null : getPrototypeOf(value);
  const isPlain = level < 12 && (prototype === null || prototype === ObjectPrototype) &&
    typeof value.toJSON !== "function";
  if (!isPlain) {
    state.complete = false;
    return value;
  }
  path[level] = value;
  return isList ? listAt(state, value, level) : recordAt(state, value, level);
}

function listAt(state, value, level) {
  const copy = copyList(value);
  setPrototypeOf(copy, null);
  const { length } = copy;
  for (let i = 0; i < length; i++) {
    const item = copy[i];
    if (!(typeof item in scalars)) copy[i] = itemAt(state, item, level);
  }
  return copy;
}

function recordAt(state, value, level) {
  const copy = { __proto__: null, ...value };
  for (const key in copy) {
    const item = copy[key];
    if (!(typeof item in scalars)) copy[key] = itemAt(state, item, level);
  }
  return copy;
}

function itemAt(state, item, level) {
  if (item === null) return null;
  if (typeof item === "object") return copyAt(state, item, level + 1);
  state.complete = false;
  return item;
}
`;
