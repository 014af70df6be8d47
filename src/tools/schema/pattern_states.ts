/**
 * Which places of an automaton an engine can be at together, after one text: its
 * states. How many ways lead to each place of a state is counted elsewhere.
 *
 * @module
 */

import { kindsOf } from "./character_set.ts";
import type { Automaton, Ways } from "./pattern_automaton.ts";

/** The places that are reached by one text. */
export type State = {
  readonly places: readonly number[];
  /** Reading one more character, by where it leads. */
  readonly moves: readonly Move[];
};

/** One more character: `ways[i]` lead from place `from[i]` to place `to[i]`. */
export type Move = {
  readonly state: number;
  /** Positions in the list of places of the state that is left. */
  readonly from: readonly number[];
  /** Positions in the list of places of the state that is reached. */
  readonly to: readonly number[];
  readonly ways: readonly number[];
};

/** All states; the first is before the text. */
export type States = {
  readonly all: readonly State[];
  /** What an engine tries after each place: other places, or an end. */
  readonly tries: readonly number[];
  /** The most characters that lead to a state for the first time. */
  readonly depth: number;
};

const maxStates = 1_000;
const maxMoves = 50_000;

/** Finds all states; `undefined` where there are too many. */
export function findStates(automaton: Automaton): States | undefined {
  return new Finder(automaton).find();
}

class Finder {
  readonly #follow: readonly Ways[];
  readonly #admits: readonly ((place: number) => boolean)[];
  readonly #tries: readonly number[];
  readonly #known = new Map<string, number>();
  readonly #lists: number[][] = [];
  #moves = 0;

  constructor(automaton: Automaton) {
    const { sets, follow, exits, first, later } = automaton;
    // Two places beside the pattern's: before the text, and where a search that
    // starts later waits.
    const start = sets.length;
    const search = start + 1;
    const waits: Ways = later.size > 0 ? new Map([[search, 1]]) : new Map();
    this.#follow = [
      ...follow,
      new Map([...first, ...waits]),
      new Map([...later, ...waits]),
    ];
    this.#tries = this.#follow.map((ways, place) =>
      1 + (exits[place] ?? 0) + [...ways.values()].reduce((a, b) => a + b, 0)
    );
    const names = sets.map((set) => JSON.stringify(set));
    const distinct = [...new Set(names)];
    const index = new Map(distinct.map((name, at) => [name, at]));
    const setOf = names.map((name) => index.get(name) ?? -1);
    const lists = distinct.map((name) => sets[names.indexOf(name)] ?? []);
    this.#admits = kindsOf(lists).map((holders) => {
      const held = new Set(holders);
      return (place) => place === search || held.has(setOf[place] ?? -1);
    });
    this.#indexOf([start]);
  }

  find(): States | undefined {
    const all: State[] = [];
    let depth = 0;
    for (let next = 0; next < this.#lists.length; depth++) {
      for (const end = this.#lists.length; next < end; next++) {
        const places = this.#lists[next] ?? [];
        all.push({ places, moves: this.#movesFrom(places) });
        if (this.#lists.length > maxStates || this.#moves > maxMoves) {
          return undefined;
        }
      }
    }
    return { all, tries: this.#tries, depth };
  }

  #indexOf(places: number[]): number {
    const key = places.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.#lists.length);
    return this.#lists.push(places) - 1;
  }

  #movesFrom(places: readonly number[]): Move[] {
    const moves = new Map<string, Move>();
    const next = new Set(places.flatMap((place) => this.#after(place)));
    for (const admits of this.#admits) {
      const reached = [...next].filter(admits).sort((a, b) => a - b);
      const key = reached.join();
      if (reached.length === 0 || moves.has(key)) continue;
      moves.set(key, this.#move(places, reached));
    }
    return [...moves.values()];
  }

  #after(place: number): number[] {
    return [...this.#follow[place]?.keys() ?? []];
  }

  #move(places: readonly number[], reached: number[]): Move {
    const at = new Map(reached.map((place, index) => [place, index]));
    const from: number[] = [];
    const to: number[] = [];
    const ways: number[] = [];
    places.forEach((place, index) => {
      for (const [next, count] of this.#follow[place] ?? []) {
        const target = at.get(next);
        if (target === undefined) continue;
        from.push(index);
        to.push(target);
        ways.push(count);
      }
    });
    this.#moves += from.length;
    return { state: this.#indexOf(reached), from, to, ways };
  }
}
