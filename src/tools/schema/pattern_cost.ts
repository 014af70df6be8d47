/**
 * How the number of ways through an automaton grows with the text: not at all,
 * as a power of its length, or exponentially (Weber and Seidl, "On the degree of
 * ambiguity of finite automata", 1991).
 *
 * @module
 */

import type { Automaton } from "./pattern_automaton.ts";
import { overlap } from "./pattern_syntax.ts";

/** The growth: a power, or beyond all. */
export type Growth = number | "exponential";

/** The power with which the ways through grow; an upper bound. */
export function growthOf(automaton: Automaton): Growth {
  const graph = new Graph(automaton);
  if (graph.isExponential()) return "exponential";
  return 1 + graph.handovers();
}

// Beyond it a pattern is taken to be as costly as its loops allow.
const maxSteps = 400_000;

class Graph {
  readonly #places: number;
  readonly #follow: readonly (readonly number[])[];
  readonly #overlaps: readonly boolean[];
  readonly #reach: readonly ReadonlySet<number>[];
  #steps = 0;

  constructor(readonly automaton: Automaton) {
    const { sets, follow } = automaton;
    this.#places = sets.length;
    this.#follow = follow.map((after) => [...after]);
    this.#overlaps = sets.flatMap((one) =>
      sets.map((other) => overlap(one, other))
    );
    this.#reach = sets.map((_, place) => this.#reachable(place));
  }

  /** Some place is come back to in two ways on the same text. */
  isExponential(): boolean {
    for (const step of this.automaton.doubled) {
      const from = Math.floor(step / this.#places);
      if (this.#reach[step % this.#places]?.has(from)) return true;
    }
    for (let place = 0; place < this.#places; place++) {
      if (this.#reach[place]?.has(place) && this.#splits(place)) return true;
    }
    return false;
  }

  /** How many loops take over from another one at a place of choice. */
  handovers(): number {
    const takers = new Set<number>();
    for (let one = 0; one < this.#places; one++) {
      if (!this.#loops(one)) continue;
      for (const other of this.#reach[one] ?? []) {
        if (takers.has(this.#loopOf(other)) || !this.#loops(other)) continue;
        if (this.#loopOf(one) === this.#loopOf(other)) continue;
        if (this.#handsOver(one, other)) takers.add(this.#loopOf(other));
      }
    }
    return takers.size;
  }

  #reachable(from: number): ReadonlySet<number> {
    const seen = new Set<number>();
    const waiting = [...(this.#follow[from] ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(...(this.#follow[next] ?? []));
    }
    return seen;
  }

  #loops(place: number): boolean {
    return this.#reach[place]?.has(place) ?? false;
  }

  /** A loop is known by the least of its places. */
  #loopOf(place: number): number {
    let least = place;
    for (const other of this.#reach[place] ?? []) {
      if (other < least && this.#reach[other]?.has(place)) least = other;
    }
    return least;
  }

  /** Two ways part at `home`, and meet there again. */
  #splits(home: number): boolean {
    const n = this.#places;
    const start = home * n + home;
    const away = this.#pairs([start], false);
    const apart = [...away].filter((pair) => Math.floor(pair / n) !== pair % n);
    if (apart.length === 0) return false;
    const back = this.#pairs([start], true);
    return apart.some((pair) => back.has(pair));
  }

  #predecessors: readonly (readonly number[])[] | undefined;

  #before(place: number): readonly number[] {
    this.#predecessors ??= this.#follow.map((_, to) =>
      this.#follow.flatMap((after, from) => after.includes(to) ? [from] : [])
    );
    return this.#predecessors[place] ?? [];
  }

  /** The pairs of places that are reached (or lead here) by reading alike. */
  #pairs(from: readonly number[], backwards: boolean): Set<number> {
    const n = this.#places;
    const seen = new Set<number>();
    const waiting = [...from];
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const one = Math.floor(pair / n);
      const other = pair % n;
      // Backwards, it is the pair itself that must be read alike.
      if (backwards && !this.#overlaps[pair]) continue;
      const ones = backwards ? this.#before(one) : this.#follow[one] ?? [];
      const others = backwards
        ? this.#before(other)
        : this.#follow[other] ?? [];
      for (const first of ones) {
        for (const second of others) {
          const next = first * n + second;
          if (!backwards && !this.#overlaps[next]) continue;
          if (seen.has(next)) continue;
          seen.add(next);
          waiting.push(next);
        }
      }
    }
    return seen;
  }

  /** On one text: around `one`, from `one` to `other`, and around `other`. */
  #handsOver(one: number, other: number): boolean {
    const n = this.#places;
    const goal = (one * n + other) * n + other;
    const seen = new Set<number>();
    const waiting = [(one * n + one) * n + other];
    for (
      let triple = waiting.pop();
      triple !== undefined;
      triple = waiting.pop()
    ) {
      const c = triple % n;
      const b = Math.floor(triple / n) % n;
      const a = Math.floor(triple / (n * n));
      for (const first of this.#follow[a] ?? []) {
        if (!this.#reach[first]?.has(one) && first !== one) continue;
        for (const second of this.#follow[b] ?? []) {
          if (!this.#overlaps[first * n + second]) continue;
          for (const third of this.#follow[c] ?? []) {
            if (++this.#steps > maxSteps) return true;
            if (
              !this.#overlaps[first * n + third] ||
              !this.#overlaps[second * n + third]
            ) continue;
            const next = (first * n + second) * n + third;
            if (next === goal) return true;
            if (seen.has(next)) continue;
            seen.add(next);
            waiting.push(next);
          }
        }
      }
    }
    return false;
  }
}
