/**
 * The places of a regular expression and which may follow which (Glushkov's
 * automaton). An engine that backtracks tries every way through it, so the number
 * of ways to read one text is what a pattern costs.
 *
 * @module
 */

import {
  type CharacterSet,
  type Expression,
  UnknownSyntax,
} from "./pattern_syntax.ts";

/** A pattern's automaton. */
export type Automaton = {
  /** What each place reads. */
  readonly sets: readonly CharacterSet[];
  /** Which places may come after each. */
  readonly follow: readonly ReadonlySet<number>[];
  /** Steps that there are two ways to take, as `from * places + to`. */
  readonly doubled: ReadonlySet<number>;
};

/** Patterns with more places are refused: the judgement takes their cube. */
export const maxPlaces = 160;

// Up to here a bounded repetition is written out; a longer one is judged as if
// it had no bound, as 2^20 ways are no better than 2^n.
const writtenOut = 6;

type Part = { first: number[]; last: number[]; nullable: boolean };

/** Builds the automata of a pattern and of what it looks for on the side. */
export function buildAutomata(expression: Expression): Automaton[] {
  const waiting = [expression];
  const automata: Automaton[] = [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    automata.push(new Builder(waiting).build(next));
  }
  return automata;
}

class Builder {
  readonly #sets: CharacterSet[] = [];
  readonly #follow: Set<number>[] = [];
  readonly #doubled: [number, number][] = [];

  constructor(readonly looks: Expression[]) {}

  build(expression: Expression): Automaton {
    this.#part(expression);
    const places = this.#sets.length;
    return {
      sets: this.#sets,
      follow: this.#follow,
      doubled: new Set(this.#doubled.map(([from, to]) => from * places + to)),
    };
  }

  #part(expression: Expression): Part {
    switch (expression.type) {
      case "set":
        return this.#place(expression.set);
      case "look":
        this.looks.push(expression.body);
        return { first: [], last: [], nullable: true };
      case "choice":
        return union(expression.parts.map((part) => this.#part(part)));
      case "sequence":
        return this.#chain(
          expression.parts.map((part) => () => this.#part(part)),
        );
      case "repeat":
        return this.#repeat(expression.body, expression.min, expression.max);
    }
  }

  #place(set: CharacterSet): Part {
    const place = this.#sets.push(set) - 1;
    if (place >= maxPlaces) throw new UnknownSyntax("too many parts");
    this.#follow.push(new Set());
    return { first: [place], last: [place], nullable: false };
  }

  #chain(parts: readonly (() => Part)[]): Part {
    let chain: Part = { first: [], last: [], nullable: true };
    for (const make of parts) chain = this.#join(chain, make());
    return chain;
  }

  #join(one: Part, other: Part): Part {
    this.#link(one.last, other.first);
    return {
      first: one.nullable ? [...one.first, ...other.first] : one.first,
      last: other.nullable ? [...one.last, ...other.last] : other.last,
      nullable: one.nullable && other.nullable,
    };
  }

  #repeat(body: Expression, min: number, max: number): Part {
    if (max > writtenOut) {
      const part = this.#part(body);
      this.#link(part.last, part.first);
      return { ...part, nullable: part.nullable || min === 0 };
    }
    const needed = Array.from({ length: min }, () => () => this.#part(body));
    return this.#chain([...needed, () => this.#optional(body, max - min)]);
  }

  /** `(x(x)?)?`: one way to read each number of repetitions. */
  #optional(body: Expression, count: number): Part {
    if (count <= 0) return { first: [], last: [], nullable: true };
    const part = this.#join(this.#part(body), this.#optional(body, count - 1));
    return { ...part, nullable: true };
  }

  #link(from: readonly number[], to: readonly number[]): void {
    for (const one of from) {
      for (const other of to) {
        const after = this.#follow[one];
        if (after?.has(other)) this.#doubled.push([one, other]);
        after?.add(other);
      }
    }
  }
}

function union(parts: readonly Part[]): Part {
  return {
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    nullable: parts.some(({ nullable }) => nullable),
  };
}
