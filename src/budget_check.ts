/**
 * Checks and completes the budget of a configuration.
 *
 * @module
 */

import type { Budget, BudgetName } from "./budget.ts";
import { defaultBudget } from "./budget_presets.ts";
import type { Problem } from "./failure.ts";
import { unknownFields } from "./field_check.ts";
import { isRecord } from "./json.ts";

// setTimeout takes at most 2^31 - 1 milliseconds; a longer time fires at once.
const maxMs = 2_147_483_647;

const ranges: Readonly<Record<BudgetName, readonly [number, number]>> = {
  turnMs: [1, maxMs],
  callMs: [1, maxMs],
  steps: [1, 100_000],
  calls: [0, 1_000_000],
  concurrentCalls: [1, 1_000],
  outputBytes: [256, 100_000_000],
  resultBytes: [256, 100_000_000],
  retries: [0, 100],
  cellFuel: [1, 2_147_483_647],
  cellMemoryBytes: [1_048_576, 2_147_483_647],
  cellSourceBytes: [1, 16_777_216],
  cellOutputBytes: [1, 268_435_456],
  cellConsoleBytes: [0, 268_435_456],
  cellStoreBytes: [0, 268_435_456],
  cellCalls: [0, 1_000_000],
  cellMs: [1, maxMs],
};

function isBudgetName(name: string): name is BudgetName {
  return Object.hasOwn(ranges, name);
}

/** Checks the fields that a configuration names. */
export function budgetProblems(value: unknown, path: string): Problem[] {
  if (value === undefined) return [];
  if (!isRecord(value)) {
    return [{ path, reason: "expected an object with limits by name" }];
  }
  return Object.entries(value).flatMap(([name, limit]): Problem[] => {
    if (limit === undefined) return [];
    if (!isBudgetName(name)) {
      const known = new Set(Object.keys(ranges));
      const reason = `no such limit; the limits are ${[...known].join(", ")}`;
      return unknownFields({ [name]: limit }, known, `${path}.`, reason);
    }
    const [least, most] = ranges[name];
    const fits = typeof limit === "number" && Number.isInteger(limit) &&
      limit >= least && limit <= most;
    return fits ? [] : [{
      path: `${path}.${name}`,
      reason: `expected a whole number from ${least} to ${most}${
        typeof limit === "number" ? `, got ${limit}` : ""
      }`,
    }];
  });
}

/** The limits of a configuration, with the defaults for what it leaves out. */
export function completeBudget(given: Partial<Budget> | undefined): Budget {
  const named = Object.entries(given ?? {})
    .filter(([, limit]) => limit !== undefined);
  return { ...defaultBudget, ...Object.fromEntries(named) };
}
