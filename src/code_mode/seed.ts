/**
 * Four 32-bit numbers from any seed, for the guest's `Math.random`.
 *
 * @module
 */

/** The state a small generator starts from. */
export type SeedWords = {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
};

/** Spreads a seed over four words: equal seeds give equal words. */
export function seedWords(seed: number | string): SeedWords {
  const text = `${typeof seed}:${seed}`;
  return {
    a: hash(text, 0x9e3779b9),
    b: hash(text, 0x243f6a88),
    c: hash(text, 0xb7e15162),
    d: hash(text, 0x71374491),
  };
}

/** FNV-1a with a start of its own, and a last stir. */
function hash(text: string, start: number): number {
  let state = start | 0;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x7feb352d);
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b);
  return (state ^ (state >>> 16)) | 0;
}
