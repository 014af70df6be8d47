/**
 * Finds the functions that can run at all, once only some of a module's exports
 * are kept: the code of the others is weight without a use.
 *
 * @module
 */

import { type Declarations, kind } from "./declarations.ts";
import type { Body } from "./scan.ts";

/**
 * Gives the functions that a kept export, a table, the start or another of them reaches;
 * imported ones are not numbered.
 *
 * @param declared What the module declares.
 * @param bodies The code of its functions.
 * @param exports The names of the exports that stay.
 */
export function reachableFunctions(
  declared: Declarations,
  bodies: readonly Body[],
  exports: readonly string[],
): ReadonlySet<number> {
  const imported = declared.imports.length;
  const kept = declared.exports.filter((one) =>
    one.kind === kind.function && exports.includes(one.name)
  );
  const reached = new Set<number>();
  const pending = [
    ...declared.tableFunctions,
    ...declared.startFunctions,
    ...kept.map(({ index }) => index),
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const index = next - imported;
    if (index < 0 || reached.has(index)) continue;
    reached.add(index);
    const body = bodies[index];
    for (const call of [...body?.calls ?? [], ...body?.otherCalls ?? []]) {
      // Through a table go only functions that it holds.
      if (!call.isIndirect) pending.push(call.index);
    }
  }
  return reached;
}
