/**
 * Finds the functions whose entry has to be paid for, so that no chain of
 * calls comes back to where it began without a payment.
 *
 * A call within a loop needs none: the loop's head is paid for. The others make
 * a graph, and the functions found are such that it has no cycle without them.
 *
 * @module
 */

import type { Declarations } from "./declarations.ts";
import type { Body, Call } from "./scan.ts";

/** Gives the functions whose entry has to be paid for; imported ones are not numbered. */
export function entriesToPay(
  declared: Declarations,
  bodies: readonly Body[],
): Set<number> {
  const targets = targetsIn(declared);
  const graph = new Graph(bodies.map((body) => body.calls.flatMap(targets)));
  const paid = new Set<number>();
  for (let hub = graph.next(); hub !== undefined; hub = graph.next()) {
    paid.add(hub);
    graph.remove(hub);
  }
  return paid;
}

/**
 * Gives the functions a call may enter; imported ones are left out, and not
 * numbered. Through a table it may be any of the right type that a table holds.
 */
function targetsIn(declared: Declarations): (call: Call) => number[] {
  const imported = declared.imports.length;
  const byType = new Map<string, number[]>();
  for (const index of declared.tableFunctions) {
    const type = declared.functionTypes[index - imported];
    if (type === undefined) continue;
    const same = byType.get(type) ?? [];
    byType.set(type, [...same, index - imported]);
  }
  return ({ isIndirect, index }) => {
    if (isIndirect) return byType.get(declared.types[index] ?? "") ?? [];
    return index < imported ? [] : [index - imported];
  };
}

/** Who calls whom, of those who may be part of a cycle. */
class Graph {
  readonly #callees: Map<number, Set<number>>;
  readonly #callers: Map<number, Set<number>>;

  constructor(calls: readonly (readonly number[])[]) {
    this.#callees = new Map(
      calls.map((callees, index) => [index, new Set(callees)]),
    );
    this.#callers = new Map(calls.map((_, index) => [index, new Set()]));
    for (const [caller, callees] of this.#callees) {
      for (const callee of callees) this.#callers.get(callee)?.add(caller);
    }
  }

  /** The function that calls most others; none once there is no cycle. */
  next(): number | undefined {
    this.#peel();
    let best: number | undefined;
    let most = 0;
    for (const [index, callees] of this.#callees) {
      if (callees.size <= most) continue;
      best = index;
      most = callees.size;
    }
    return best;
  }

  /** Takes a function away. */
  remove(index: number): void {
    for (const callee of this.#callees.get(index) ?? []) {
      this.#callers.get(callee)?.delete(index);
    }
    for (const caller of this.#callers.get(index) ?? []) {
      this.#callees.get(caller)?.delete(index);
    }
    this.#callees.delete(index);
    this.#callers.delete(index);
  }

  /** Takes all away that no cycle can go through. */
  #peel(): void {
    for (let before = -1; before !== this.#callees.size;) {
      before = this.#callees.size;
      for (const [index, callees] of this.#callees) {
        const isEnd = callees.size === 0;
        if (isEnd || this.#callers.get(index)?.size === 0) this.remove(index);
      }
    }
  }
}
