/**
 * Sets of code points, as regular expressions name them.
 *
 * @module
 */

/** A set of code points: ranges, both ends included. */
export type CharacterSet = readonly (readonly [number, number])[];

const last = 0x10ffff;

/** Every code point. */
export const anything: CharacterSet = [[0, last]];

/** What `\d` means. */
export const digits: CharacterSet = [[48, 57]];

/** What `\w` means. */
export const word: CharacterSet = [[48, 57], [65, 90], [95, 95], [97, 122]];

/** What `\s` means. */
export const space: CharacterSet = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** The set of one character. */
export function single(character: string): CharacterSet {
  return code(character.codePointAt(0) ?? 0);
}

/** The set of one code point. */
export function code(point: number): CharacterSet {
  return [[point, point]];
}

/** Every code point that is not in the set. */
export function without(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of [...set].sort(([a], [b]) => a - b)) {
    if (low > from) rest.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= last) rest.push([from, last]);
  return rest;
}

/**
 * The characters by what tells them apart: for each kind, the indices of the
 * sets that hold it. Two characters of one kind are in the same sets.
 */
export function kindsOf(sets: readonly CharacterSet[]): number[][] {
  const borders = new Set([0]);
  for (const [low, high] of sets.flat()) borders.add(low).add(high + 1);
  const kinds = new Map<string, number[]>();
  for (const point of borders) {
    if (point > last) continue;
    const holders = sets.flatMap((set, index) =>
      set.some(([low, high]) => low <= point && point <= high) ? [index] : []
    );
    kinds.set(holders.join(), holders);
  }
  return [...kinds.values()];
}
