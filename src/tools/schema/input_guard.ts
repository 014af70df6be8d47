/**
 * What no input may hold, whatever its schema says: values that are not JSON,
 * nesting that overflows, names that change prototypes where they are merged.
 *
 * @module
 */

import { itemPath, memberPath } from "./path.ts";

/** One thing that is wrong with an input. */
export type InputProblem = {
  /** Where, for example `input.items[3].key`. */
  readonly path: string;
  /** What the schema wants. */
  readonly expected: string;
  /** What came: its type and size, never its text; numbers and booleans whole. */
  readonly actual: string;
};

/** How deep an input may nest. */
const maxInputDepth = 200;

/** How many items an array may have where items are compared with one another. */
export const maxComparedItems = 1_000;

/** What the walk over an input found. */
export type InputSize = {
  /** How many values there are. */
  values: number;
  /** The longest text, in characters. */
  longestText: number;
  /** The longest name of a property, in characters. */
  longestName: number;
  /** How many names of properties there are. */
  names: number;
  /** The longest array. */
  longestArray: number;
  /** What comparing the items of each array with one another takes at most. */
  comparisons: number;
};

/** Walks over an input; gives the first problem, if any, and its size. */
export function guardInput(
  input: unknown,
): { readonly size: InputSize; readonly problem: InputProblem | undefined } {
  const size = {
    values: 0,
    longestText: 0,
    longestName: 0,
    names: 0,
    longestArray: 0,
    comparisons: 0,
  };
  try {
    return { size, problem: walk(input, "input", 0, [], size) };
  } catch {
    const problem = {
      path: "input",
      expected: "plain JSON",
      actual: "a value that cannot be read",
    };
    return { size, problem };
  }
}

function walk(
  value: unknown,
  path: string,
  depth: number,
  above: object[],
  size: InputSize,
): InputProblem | undefined {
  size.values++;
  switch (typeof value) {
    case "boolean":
      return undefined;
    case "string":
      size.longestText = Math.max(size.longestText, value.length);
      return undefined;
    case "number":
      return Number.isFinite(value)
        ? undefined
        : { path, expected: "a finite number", actual: String(value) };
    case "object":
      return value === null
        ? undefined
        : walkObject(value, path, depth, above, size);
    default:
      return { path, expected: "a JSON value", actual: article(typeof value) };
  }
}

function walkObject(
  value: object,
  path: string,
  depth: number,
  above: object[],
  size: InputSize,
): InputProblem | undefined {
  if (above.includes(value)) {
    return { path, expected: "a JSON value", actual: "a cycle" };
  }
  if (depth >= maxInputDepth) {
    return {
      path,
      expected: `at most ${maxInputDepth} levels of nesting`,
      actual: "more",
    };
  }
  above.push(value);
  const problem = Array.isArray(value)
    ? walkItems(value, path, depth, above, size)
    : walkMembers(value, path, depth, above, size);
  above.pop();
  return problem;
}

function walkItems(
  items: readonly unknown[],
  path: string,
  depth: number,
  above: object[],
  size: InputSize,
): InputProblem | undefined {
  size.longestArray = Math.max(size.longestArray, items.length);
  const before = size.values;
  for (let index = 0; index < items.length; index++) {
    const problem = walk(
      items[index],
      itemPath(path, index),
      depth + 1,
      above,
      size,
    );
    if (problem !== undefined) return problem;
  }
  // Each item with those before it, value by value.
  size.comparisons += items.length * (size.values - before) / 2;
  return undefined;
}

function walkMembers(
  value: object,
  path: string,
  depth: number,
  above: object[],
  size: InputSize,
): InputProblem | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    return { path, expected: "a plain object", actual: "an object of a class" };
  }
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue;
    const at = memberPath(path, key);
    if (key === "__proto__" || isPrototypePath(key, item)) {
      return {
        path: at,
        expected: `no property named "${key}"`,
        actual: "one, which could change a prototype where it is merged",
      };
    }
    size.names++;
    size.longestName = Math.max(size.longestName, key.length);
    const problem = walk(item, at, depth + 1, above, size);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function isPrototypePath(key: string, item: unknown): boolean {
  return key === "constructor" && typeof item === "object" && item !== null &&
    Object.hasOwn(item, "prototype");
}

function article(type: string): string {
  return type === "undefined" ? type : `a ${type}`;
}
