/**
 * How many steps an engine that backtracks takes at most, by the length of the
 * text: a bound that is proven, or none.
 *
 * The counts of ways after one more character are a linear map of the counts
 * before it; of several characters that lead to one state, the greatest count of
 * each place is taken, so the map F stays monotone and F(x + y) <= F(x) + F(y).
 * Counts x that cover the start and have F(x) <= x bound all texts. Where the
 * counts keep growing, so that F(x) <= x + g, and F(g) <= g, then x + n g bounds
 * texts of n characters; where g grows by h in turn, and F(h) <= h, then
 * x + n g + n(n-1)/2 h does; and so on.
 *
 * @module
 */

import type { Automaton } from "./pattern_automaton.ts";
import {
  findStates,
  type Move,
  type State,
  type States,
} from "./pattern_states.ts";

/**
 * The steps for texts of n characters are at most the sum of each number times
 * "n + 1 choose its position + 1".
 */
export type Cost = readonly number[];

// The steps of a pattern then grow with the fourth power of the length.
const maxDegree = 3;
// Counts that grow beyond it grow exponentially, or might as well.
const maxCount = 1e12;
const maxWork = 1_000_000;

/** The bound; `undefined` where none is found. */
export function costOf(automaton: Automaton): Cost | undefined {
  const states = findStates(automaton);
  return states && new Counter(states).cost(1 + automaton.aside);
}

/** The most steps on a text of `length` characters. */
export function stepsFor(cost: Cost, length: number): number {
  let steps = 0;
  let choices = 1;
  cost.forEach((times, position) => {
    choices *= (length + 1 - position) / (position + 1);
    steps += times * Math.max(0, choices);
  });
  return steps;
}

/** For each state, the ways to each of its places. */
type Counts = number[][];

class Counter {
  #work = 0;
  readonly #scratch: number[] = [];

  constructor(readonly states: States) {}

  cost(stepsPerTry: number): Cost | undefined {
    const cost: number[] = [];
    let counts = this.#none();
    counts[0]?.fill(1);
    for (let degree = 0; degree <= maxDegree; degree++) {
      if (!this.#close(counts)) return undefined;
      cost.push(stepsPerTry * this.#tries(counts));
      const growth = this.#growth(counts);
      if (growth === undefined) return cost;
      counts = growth;
    }
    return undefined;
  }

  /**
   * Makes `counts` cover what they lead to, until they do or keep growing.
   * Gives whether that is within bounds.
   */
  #close(counts: Counts): boolean {
    const { all, depth } = this.states;
    let changed = new Set(all.keys());
    for (let round = 2 * depth + 16; round > 0 && changed.size > 0; round--) {
      const next = new Set<number>();
      for (const index of changed) {
        for (const move of all[index]?.moves ?? []) {
          const known = counts[move.state];
          if (known === undefined) continue;
          const after = this.#after(counts[index], move);
          if (raise(known, after)) next.add(move.state);
          if (exceeds(after, maxCount)) return false;
        }
        if (this.#work > maxWork) return false;
      }
      changed = next;
    }
    return true;
  }

  /** By how much `counts` grow with one more character, if they do. */
  #growth(counts: Counts): Counts | undefined {
    const growth = this.#none();
    let grows = false;
    this.states.all.forEach(({ moves }, index) => {
      for (const move of moves) {
        const known = counts[move.state];
        const more = growth[move.state];
        if (known === undefined || more === undefined) continue;
        const after = this.#after(counts[index], move);
        const difference = after.map((count, at) => count - (known[at] ?? 0));
        if (raise(more, difference)) grows = true;
      }
    });
    return grows ? growth : undefined;
  }

  /** The counts after one more character; good until the next call. */
  #after(before: number[] | undefined, move: Move): readonly number[] {
    const { from, to, ways } = move;
    const after = this.#scratch;
    after.length = 0;
    for (let place = this.#placesOf(move.state); place > 0; place--) {
      after.push(0);
    }
    if (before === undefined) return after;
    for (let at = 0; at < from.length; at++) {
      const target = to[at] ?? 0;
      const count = (before[from[at] ?? 0] ?? 0) * (ways[at] ?? 0);
      after[target] = (after[target] ?? 0) + count;
    }
    this.#work += from.length + after.length;
    return after;
  }

  /** The most that an engine tries in a state. */
  #tries(counts: Counts): number {
    const { all, tries } = this.states;
    const inState = ({ places }: State, index: number) =>
      places.reduce(
        (sum, place, at) =>
          sum + (counts[index]?.[at] ?? 0) * (tries[place] ?? 0),
        0,
      );
    return Math.max(...all.map(inState));
  }

  #placesOf(index: number): number {
    return this.states.all[index]?.places.length ?? 0;
  }

  #none(): Counts {
    return this.states.all.map(({ places }) => places.map(() => 0));
  }
}

/** Raises counts to those of `others`; gives whether any was lower. */
function raise(counts: number[], others: readonly number[]): boolean {
  let raised = false;
  for (let at = 0; at < counts.length; at++) {
    const other = others[at] ?? 0;
    if (other <= (counts[at] ?? 0)) continue;
    counts[at] = other;
    raised = true;
  }
  return raised;
}

function exceeds(counts: readonly number[], limit: number): boolean {
  for (let at = 0; at < counts.length; at++) {
    if ((counts[at] ?? 0) > limit) return true;
  }
  return false;
}
