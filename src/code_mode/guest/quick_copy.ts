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
/** Whether all was plain in what was copied last. */
let isComplete = true;

/**
 * A copy; what is not plain stands in it as it was. A value that cannot even be
 * copied comes back itself.
 */
function quickly(value) {
  if (typeof value !== "object" || value === null) {
    isComplete = value === null || typeof value in scalars;
    return value;
  }
  try {
    const isList = isArray(value);
    if (!isPlain(value, isList)) {
      isComplete = false;
      return value;
    }
    const copy = isList ? bareCopy(value) : { __proto__: null, ...value };
    // Most are one level deep, and need nothing to find cycles with.
    const state = isFlat(copy, isList) ? undefined : { __proto__: null, complete: true, path: bareList() };
    if (state !== undefined) deepen(state, value, copy, isList, 0);
    // Last of all: to read a value may have copied others.
    isComplete = state === undefined || state.complete;
    return copy;
  } catch {
    isComplete = false;
    return value;
  }
}

function isPlain(value, isList) {
  if (!isList) {
    const prototype = getPrototypeOf(value);
    if (prototype !== ObjectPrototype && prototype !== null) return false;
  }
  return typeof value.toJSON !== "function";
}

function isFlat(copy, isList) {
  if (isList) {
    for (let i = 0; i < copy.length; i++) if (!(typeof copy[i] in scalars)) return false;
  } else {
    for (const key in copy) if (!(typeof copy[key] in scalars)) return false;
  }
  return true;
}

function bareCopy(value) {
  const copy = copyList(value);
  setPrototypeOf(copy, null);
  return copy;
}

function copyAt(state, value, level) {
  const { path } = state;
  // A cycle: the walk says where.
  for (let i = 0; i < level; i++) if (path[i] === value) throw value;
  const isList = isArray(value);
  if (level >= 12 || !isPlain(value, isList)) {
    state.complete = false;
    return value;
  }
  const copy = isList ? bareCopy(value) : { __proto__: null, ...value };
  deepen(state, value, copy, isList, level);
  return copy;
}

/** Puts copies in the place of what a copy holds. */
function deepen(state, value, copy, isList, level) {
  state.path[level] = value;
  if (isList) {
    const { length } = copy;
    for (let i = 0; i < length; i++) {
      const item = copy[i];
      if (!(typeof item in scalars)) copy[i] = itemAt(state, item, level);
    }
    return;
  }
  for (const key in copy) {
    const item = copy[key];
    if (!(typeof item in scalars)) copy[key] = itemAt(state, item, level);
  }
}

function itemAt(state, item, level) {
  if (item === null) return null;
  if (typeof item === "object") return copyAt(state, item, level + 1);
  state.complete = false;
  return item;
}
`;
