/**
 * The places of a regular expression and which may follow which, in how many
 * ways (Glushkov's automaton, with counts). An engine that backtracks tries
 * every way through it, so the number of ways to read one text, each as far as
 * it goes, is what a pattern costs.
 *
 * What an engine looks for ahead is a way that starts there and leads nowhere.
 *
 * @module
 */

import type { CharacterSet } from "./character_set.ts";
import { type Expression, UnknownSyntax } from "./pattern_syntax.ts";

/** How many ways lead to each place. */
export type Ways = ReadonlyMap<number, number>;

/** A pattern's automaton. */
export type Automaton = {
  /** What each place reads. */
  readonly sets: readonly CharacterSet[];
  /** From each place to those that may come after it. */
  readonly follow: readonly Ways[];
  /** In how many ways the pattern can end after each place. */
  readonly exits: readonly number[];
  /** To the first places, where the text starts. */
  readonly first: Ways;
  /** The same where a search starts later in the text; none for `^`. */
  readonly later: Ways;
  /** Steps beside reading, at each step: looks behind, rounds that read nothing. */
  readonly aside: number;
};

/** How a pattern's repetitions become places. */
export type Writing = {
  /**
   * Up to here a bounded repetition is written out. A longer one is judged as if
   * it had no bound, which only adds ways.
   */
  readonly writtenOut: number;
};

const maxPlaces = 2_000;
const maxParts = 20_000;
const maxLinks = 100_000;
const maxCount = 1e15;

/**
 * A part of the pattern: the ways to its first places (at the text's start, and
 * later), from its last ones, and how many there are to read nothing.
 */
type Part = {
  readonly first: Ways;
  readonly later: Ways;
  readonly last: Ways;
  readonly empty: number;
  readonly emptyLater: number;
};

const none: Ways = new Map();
const nothing: Part = {
  first: none,
  later: none,
  last: none,
  empty: 1,
  emptyLater: 1,
};

/** Builds the automaton. Throws {@link UnknownSyntax} where it is too large. */
export function buildAutomaton(
  expression: Expression,
  writing: Writing,
): Automaton {
  return new Builder(writing).build(expression);
}

class Builder {
  readonly #sets: CharacterSet[] = [];
  readonly #follow: Map<number, number>[] = [];
  readonly #exits: number[] = [];
  #aside = 0;
  #parts = 0;
  #links = 0;

  constructor(readonly writing: Writing) {}

  build(expression: Expression): Automaton {
    const whole = this.#part(expression);
    this.#leave(whole);
    return {
      sets: this.#sets,
      follow: this.#follow,
      exits: this.#exits,
      first: whole.first,
      later: whole.later,
      aside: this.#aside + Math.max(0, whole.empty - 1),
    };
  }

  #part(expression: Expression): Part {
    if (++this.#parts > maxParts) throw tooLarge();
    switch (expression.type) {
      case "set":
        return this.#place(expression.set);
      case "start":
        return { ...nothing, emptyLater: 0 };
      case "look":
        return this.#look(expression.ahead, expression.body);
      case "choice":
        return union(expression.parts.map((part) => this.#part(part)));
      case "sequence":
        return this.#chain(
          expression.parts.map((part) => () => this.#part(part)),
        );
      case "repeat":
        return expression.max > this.writing.writtenOut
          ? this.#loop(expression.body, expression.min)
          : this.#writeOut(expression.body, expression.min, expression.max);
    }
  }

  #place(set: CharacterSet): Part {
    const place = this.#sets.push(set) - 1;
    if (place >= maxPlaces) throw tooLarge();
    this.#follow.push(new Map());
    this.#exits.push(0);
    const ways = new Map([[place, 1]]);
    return { first: ways, later: ways, last: ways, empty: 0, emptyLater: 0 };
  }

  /** An end that leads nowhere further. */
  #leave({ last }: Part): void {
    for (const [place, ways] of last) {
      this.#exits[place] = (this.#exits[place] ?? 0) + ways;
    }
  }

  #look(ahead: boolean, body: Expression): Part {
    if (!ahead) {
      this.#aside += atMost(waysBack(body));
      return nothing;
    }
    const part = this.#part(body);
    this.#leave(part);
    this.#aside += Math.max(0, part.empty - 1);
    return { ...nothing, first: part.first, later: part.later };
  }

  #chain(parts: readonly (() => Part)[]): Part {
    let chain = nothing;
    for (const make of parts) chain = this.#join(chain, make());
    return chain;
  }

  #join(one: Part, other: Part): Part {
    this.#link(one.last, other.later, 1);
    return {
      first: sum(one.first, times(other.first, one.empty)),
      later: sum(one.later, times(other.later, one.emptyLater)),
      last: sum(other.last, times(one.last, other.emptyLater)),
      empty: atMost(one.empty * other.empty),
      emptyLater: atMost(one.emptyLater * other.emptyLater),
    };
  }

  /**
   * Any number of rounds. One that reads nothing is given up, but for those that
   * must be: they may stand before, between and after the others.
   */
  #loop(body: Expression, min: number): Part {
    const before = this.#aside;
    const part = this.#part(body);
    this.#aside += Math.max(0, part.empty - 1);
    // All the rounds that must be may read nothing at one place of the text.
    if (part.empty > 0) this.#aside += (this.#aside - before) * min;
    const { empty, emptyLater } = part;
    const between = powers(emptyLater, min - 1);
    this.#link(part.last, part.later, between);
    return {
      first: times(part.first, powers(empty, min)),
      later: times(part.later, powers(emptyLater, min)),
      last: times(part.last, between),
      empty: atMost(empty ** min),
      emptyLater: atMost(emptyLater ** min),
    };
  }

  #writeOut(body: Expression, min: number, max: number): Part {
    const needed = Array.from({ length: min }, () => () => this.#part(body));
    return this.#chain([...needed, () => this.#optional(body, max - min)]);
  }

  /** `(x(x)?)?`: one way to read each number of repetitions. */
  #optional(body: Expression, count: number): Part {
    if (count <= 0) return nothing;
    const part = this.#part(body);
    this.#aside += Math.max(0, part.empty - 1);
    // A round that reads nothing is given up here too.
    const round = { ...part, empty: 0, emptyLater: 0 };
    const all = this.#join(round, this.#optional(body, count - 1));
    return { ...all, empty: 1, emptyLater: 1 };
  }

  #link(from: Ways, to: Ways, times: number): void {
    for (const [one, waysFrom] of from) {
      for (const [other, waysTo] of to) {
        if (++this.#links > maxLinks) throw tooLarge();
        const after = this.#follow[one];
        const ways = (after?.get(other) ?? 0) + waysFrom * waysTo * times;
        after?.set(other, atMost(ways));
      }
    }
  }
}

function union(parts: readonly Part[]): Part {
  const { first, later, last } = nothing;
  let all: Part = { first, later, last, empty: 0, emptyLater: 0 };
  for (const part of parts) {
    all = {
      first: sum(all.first, part.first),
      later: sum(all.later, part.later),
      last: sum(all.last, part.last),
      empty: atMost(all.empty + part.empty),
      emptyLater: atMost(all.emptyLater + part.emptyLater),
    };
  }
  return all;
}

/**
 * How many steps a look behind can take, whatever the text: the product over its
 * parts, as nothing says which of them fail.
 */
function waysBack(expression: Expression): number {
  switch (expression.type) {
    case "set":
      return 2;
    case "start":
      return 1;
    case "look":
      return waysBack(expression.body);
    case "choice":
      return expression.parts.reduce((all, part) => all + waysBack(part), 0);
    case "sequence":
      return expression.parts.reduce((all, part) => all * waysBack(part), 1);
    case "repeat":
      return (1 + waysBack(expression.body)) ** expression.max;
  }
}

/** 1 + x + … + x^n. */
function powers(x: number, n: number): number {
  if (x === 0 || n <= 0) return 1;
  if (x === 1) return n + 1;
  return atMost((x ** (n + 1) - 1) / (x - 1));
}

/** Sums stay finite, so that none becomes "not a number". */
function atMost(count: number): number {
  return Math.min(count, maxCount);
}

function sum(one: Ways, other: Ways): Ways {
  if (one.size === 0) return other;
  if (other.size === 0) return one;
  const all = new Map(one);
  for (const [place, ways] of other) {
    all.set(place, atMost((all.get(place) ?? 0) + ways));
  }
  return all;
}

function times(ways: Ways, count: number): Ways {
  if (count === 1) return ways;
  if (count === 0) return none;
  return new Map([...ways].map(([place, one]) => [place, atMost(one * count)]));
}

function tooLarge(): UnknownSyntax {
  return new UnknownSyntax("too many parts");
}
