/**
 * Random regular expressions, and an engine that backtracks as the
 * specification of JavaScript says, and counts what it tries.
 *
 * @module
 */

/** A regular expression as it is generated. */
export type Tree =
  | { readonly type: "set"; readonly source: string; readonly holds: string }
  | { readonly type: "sequence"; readonly parts: readonly Tree[] }
  | { readonly type: "choice"; readonly parts: readonly Tree[] }
  | {
    readonly type: "repeat";
    readonly body: Tree;
    readonly min: number;
    readonly max: number;
    readonly lazy: boolean;
  }
  | {
    readonly type: "look";
    readonly ahead: boolean;
    readonly wanted: boolean;
    readonly body: Tree;
  }
  | { readonly type: "start" };

/** The characters of the texts. */
export const letters = "ab1";

const sets: readonly (readonly [source: string, holds: string])[] = [
  ["a", "a"],
  ["a", "a"],
  ["b", "b"],
  [".", letters],
  ["[ab]", "ab"],
  ["[^a]", "b1"],
  ["\\d", "1"],
  ["\\w", letters],
  ["\\p{L}", "ab"],
  ["[^\\p{L}]", "1"],
  ["\\u0061", "a"],
];

const counts: readonly (readonly [min: number, max: number])[] = [
  [0, 1],
  [0, Infinity],
  [1, Infinity],
  [2, 2],
  [0, 3],
  [1, 4],
  [3, 3],
  [2, 9],
  [8, 8],
];

/** A random expression of at most `depth` levels. */
export function randomTree(random: () => number, depth: number): Tree {
  const inner = () => randomTree(random, depth - 1);
  const kind = Math.floor(random() * (depth > 0 ? 12 : 3));
  if (kind < 3) {
    const [source, holds] = pick(sets, random);
    return { type: "set", source, holds };
  }
  if (kind < 6) return { type: "sequence", parts: some(1, 4, random, inner) };
  if (kind < 8) return { type: "choice", parts: choices(random, inner) };
  if (kind < 11) {
    const [min, max] = pick(counts, random);
    return {
      type: "repeat",
      body: inner(),
      min,
      max,
      lazy: random() < 0.3,
    };
  }
  if (random() < 0.3) return { type: "start" };
  const ahead = random() < 0.6;
  return { type: "look", ahead, wanted: random() < 0.5, body: inner() };
}

function choices(random: () => number, inner: () => Tree): Tree[] {
  const parts = some(2, 3, random, inner);
  if (random() < 0.2) parts.push({ type: "sequence", parts: [] });
  return parts;
}

function some(
  least: number,
  most: number,
  random: () => number,
  make: () => Tree,
): Tree[] {
  const length = least + Math.floor(random() * (most - least + 1));
  return Array.from({ length }, make);
}

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error("an empty list");
  return item;
}

/** The expression as JavaScript writes it. */
export function write(tree: Tree): string {
  switch (tree.type) {
    case "set":
      return tree.source;
    case "start":
      return "^";
    case "sequence":
      return tree.parts.map(write).join("") || "(?:)";
    case "choice":
      return `(?:${tree.parts.map(write).join("|")})`;
    case "repeat":
      return `(?:${write(tree.body)})${writeCount(tree)}`;
    case "look":
      return `(?${tree.ahead ? "" : "<"}${tree.wanted ? "=" : "!"}${
        write(tree.body)
      })`;
  }
}

function writeCount(
  { min, max, lazy }: Extract<Tree, { type: "repeat" }>,
): string {
  const upper = max === Infinity ? "" : String(max);
  const count = min === max ? `{${min}}` : `{${min},${upper}}`;
  return count + (lazy ? "?" : "");
}

/** Thrown by the engine after too many tries. */
export class TooManyTries extends Error {}

/** Whether the text holds a match, and how many characters were tried. */
export function search(
  tree: Tree,
  text: string,
  maxTries: number,
): { readonly found: boolean; readonly tries: number } {
  const engine = new Engine(text, maxTries);
  let found = false;
  for (let start = 0; start <= text.length && !found; start++) {
    found = engine.match(tree, start, 1, () => true);
  }
  return { found, tries: engine.tries };
}

class Engine {
  tries = 0;

  constructor(readonly text: string, readonly maxTries: number) {}

  match(
    tree: Tree,
    at: number,
    step: 1 | -1,
    then: (at: number) => boolean,
  ): boolean {
    switch (tree.type) {
      case "start":
        return at === 0 && then(at);
      case "set": {
        if (++this.tries > this.maxTries) throw new TooManyTries();
        const character = this.text[step === 1 ? at : at - 1];
        return character !== undefined && tree.holds.includes(character) &&
          then(at + step);
      }
      case "choice":
        return tree.parts.some((part) => this.match(part, at, step, then));
      case "sequence":
        return this.#sequence(tree.parts, at, step, then);
      case "repeat":
        return this.#repeat(tree, tree.min, tree.max, at, step, then);
      case "look": {
        const found = this.match(
          tree.body,
          at,
          tree.ahead ? 1 : -1,
          () => true,
        );
        return found === tree.wanted && then(at);
      }
    }
  }

  #sequence(
    parts: readonly Tree[],
    at: number,
    step: 1 | -1,
    then: (at: number) => boolean,
  ): boolean {
    const next = step === 1 ? parts[0] : parts.at(-1);
    if (next === undefined) return then(at);
    const rest = step === 1 ? parts.slice(1) : parts.slice(0, -1);
    return this.match(
      next,
      at,
      step,
      (after) => this.#sequence(rest, after, step, then),
    );
  }

  #repeat(
    tree: Extract<Tree, { type: "repeat" }>,
    min: number,
    max: number,
    at: number,
    step: 1 | -1,
    then: (at: number) => boolean,
  ): boolean {
    if (max === 0) return then(at);
    const round = () =>
      this.match(
        tree.body,
        at,
        step,
        (after) =>
          !(min === 0 && after === at) &&
          this.#repeat(tree, Math.max(0, min - 1), max - 1, after, step, then),
      );
    if (min > 0) return round();
    return tree.lazy ? then(at) || round() : round() || then(at);
  }
}
