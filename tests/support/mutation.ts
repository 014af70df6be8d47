/**
 * Damages JSON at random places, the same for the same random numbers.
 *
 * @module
 */

import type { Json } from "../../src/json.ts";

const junk: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  "",
  "x",
  "\ud83d",
  "__proto__",
  "user",
  [],
  {},
  [[]],
  [null],
  { type: "step" },
];

/** A copy of `value` with one to three places dropped, replaced or doubled. */
export function mutated(value: Json, random: () => number): Json {
  let mutant = value;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    mutant = mutateAt(mutant, Math.floor(random() * size(mutant)), random);
  }
  return mutant;
}

/** How many values there are, the value itself included. */
function size(value: Json): number {
  return children(value).reduce((sum, [, item]) => sum + size(item), 1);
}

function children(value: Json): [string, Json][] {
  return typeof value === "object" && value !== null
    ? Object.entries(value)
    : [];
}

function mutateAt(value: Json, place: number, random: () => number): Json {
  if (place === 0) return pick(junk, random) ?? null;
  let left = place - 1;
  const parts: [string, Json][] = [];
  for (const [key, item] of children(value)) {
    const count = size(item);
    if (left < 0 || left >= count) parts.push([key, item]);
    else if (left > 0) parts.push([key, mutateAt(item, left, random)]);
    else parts.push(...changed(value, [key, item], random));
    left -= count;
  }
  return Array.isArray(value)
    ? parts.map(([, item]) => item)
    : Object.fromEntries(parts);
}

/** What stands in place of one member: nothing, something else, or it twice. */
function changed(
  parent: Json,
  [key, item]: [string, Json],
  random: () => number,
): [string, Json][] {
  switch (Math.floor(random() * 5)) {
    case 0:
      return [];
    case 1:
      return [[key, item], [`${key}_`, item]];
    case 2:
      return [[key, pick(children(parent), random)?.[1] ?? null]];
    case 3:
      return [[pick(["__proto__", "", `${key}s`], random) ?? "", item]];
    default:
      return [[key, pick(junk, random) ?? null]];
  }
}

function pick<T>(list: readonly T[], random: () => number): T | undefined {
  return list[Math.floor(random() * list.length)];
}
