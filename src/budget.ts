/**
 * The limits of a turn, in one record, and the meter that charges them.
 *
 * @module
 */

import type { Problem } from "./failure.ts";
import { isRecord } from "./json.ts";

/** What a turn may use. Every field is a whole number. */
export type Budget = {
  /** Wall time of a turn, in milliseconds. */
  readonly turnMs: number;
  /** Wall time of one host tool call, in milliseconds. */
  readonly callMs: number;
  /** Model round trips of a turn. */
  readonly steps: number;
  /** Host tool calls of a turn, nested ones included. */
  readonly calls: number;
  /** Host tool calls of a turn that run at the same time. */
  readonly concurrentCalls: number;
  /** Bytes (UTF-8) of one call's output that the model is shown. */
  readonly outputBytes: number;
  /** How often one step's request is tried again before its first event. */
  readonly retries: number;
};

/** The name of one limit. */
export type BudgetName = keyof Budget;

/** A limit that ran out: which, and how much was used. */
export type Exhausted = {
  /** The limit. */
  readonly budget: BudgetName;
  /** What was used, in the limit's unit. */
  readonly used: number;
  /** What was allowed, in the limit's unit. */
  readonly limit: number;
};

/**
 * The limits where a configuration names none. Six concurrent calls are the
 * connections that one Workers invocation may hold open
 * (https://developers.cloudflare.com/workers/platform/limits/).
 */
export const defaultBudget: Budget = {
  turnMs: 300_000,
  callMs: 60_000,
  steps: 50,
  calls: 200,
  concurrentCalls: 6,
  outputBytes: 65_536,
  retries: 3,
};

/** Ready-made budgets that fit a platform's documented limits. */
export type BudgetPresets = {
  /**
   * Workers Free: 10 ms of CPU and 50 subrequests an invocation, 6 open
   * connections (https://developers.cloudflare.com/workers/platform/limits/).
   * Ten steps with a retry each and 30 calls of one request stay within 50.
   */
  readonly workersFree: Budget;
  /**
   * Workers Paid: up to 5 minutes of CPU and 10,000 subrequests an invocation,
   * 6 open connections
   * (https://developers.cloudflare.com/workers/platform/limits/).
   */
  readonly workersPaid: Budget;
  /**
   * Deno Deploy: 512 MB of memory, CPU time that is bounded on the average of
   * many requests, an event loop that no request may block for more than 1 s
   * (https://docs.deno.com/deploy/pricing_and_limits,
   * https://docs.deno.com/subhosting/manual/pricing_and_limits). It states no
   * bound on open connections.
   */
  readonly denoDeploy: Budget;
};

/**
 * Budgets for the platforms' documented limits.
 *
 * @example A Workers Free budget with fewer steps
 * ```ts
 * import { budgets } from "nanocode-wasm";
 * import { assertEquals } from "@std/assert";
 *
 * const budget = { ...budgets.workersFree, steps: 5 };
 * assertEquals(budget.concurrentCalls, 6);
 * ```
 */
export const budgets: BudgetPresets = {
  workersFree: {
    turnMs: 120_000,
    callMs: 20_000,
    steps: 10,
    calls: 30,
    concurrentCalls: 6,
    outputBytes: 16_384,
    retries: 1,
  },
  workersPaid: {
    turnMs: 600_000,
    callMs: 60_000,
    steps: 100,
    calls: 1_000,
    concurrentCalls: 6,
    outputBytes: 65_536,
    retries: 3,
  },
  denoDeploy: {
    turnMs: 600_000,
    callMs: 60_000,
    steps: 100,
    calls: 1_000,
    concurrentCalls: 12,
    outputBytes: 65_536,
    retries: 3,
  },
};

// setTimeout takes at most 2^31 - 1 milliseconds; a longer time fires at once.
const maxMs = 2_147_483_647;

const ranges: Readonly<Record<BudgetName, readonly [number, number]>> = {
  turnMs: [1, maxMs],
  callMs: [1, maxMs],
  steps: [1, 100_000],
  calls: [0, 1_000_000],
  concurrentCalls: [1, 1_000],
  outputBytes: [256, 100_000_000],
  retries: [0, 100],
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
      const known = Object.keys(ranges).join(", ");
      return [{
        path: `${path}.${name}`,
        reason: `no such limit; the limits are ${known}`,
      }];
    }
    const [least, most] = ranges[name];
    const fits = typeof limit === "number" && Number.isInteger(limit) &&
      limit >= least && limit <= most;
    return fits ? [] : [{
      path: `${path}.${name}`,
      reason: `expected a whole number from ${least} to ${most}`,
    }];
  });
}

/** The limits of a configuration, with the defaults for what it leaves out. */
export function completeBudget(given: Partial<Budget> | undefined): Budget {
  const named = Object.entries(given ?? {})
    .filter(([, limit]) => limit !== undefined);
  return { ...defaultBudget, ...Object.fromEntries(named) };
}

/** Counts what one turn uses of its budget. */
export class BudgetMeter {
  /** The limits. */
  readonly limits: Budget;
  #steps = 0;
  #calls = 0;
  readonly #startedAt: number;
  readonly #now: () => number;

  /**
   * @param limits What the turn may use.
   * @param now The clock, in milliseconds.
   */
  constructor(limits: Budget, now: () => number) {
    this.limits = limits;
    this.#now = now;
    this.#startedAt = now();
  }

  /** Takes one step; gives what ran out where there is none left. */
  chargeStep(): Exhausted | undefined {
    if (this.#steps >= this.limits.steps) return this.#spent("steps");
    this.#steps++;
    return undefined;
  }

  /** Takes one host tool call; gives what ran out where there is none left. */
  chargeCall(): Exhausted | undefined {
    if (this.#calls >= this.limits.calls) return this.#spent("calls");
    this.#calls++;
    return undefined;
  }

  /** Host tool calls that are left. */
  remainingCalls(): number {
    return this.limits.calls - this.#calls;
  }

  /** When the turn's wall time ends, in milliseconds since 1970. */
  deadline(): number {
    return this.#startedAt + this.limits.turnMs;
  }

  /** Wall time that is left, in milliseconds; never below 0. */
  remainingMs(): number {
    return Math.max(0, this.deadline() - this.#now());
  }

  /** That the turn's wall time ran out. */
  turnTimeSpent(): Exhausted {
    return {
      budget: "turnMs",
      used: Math.max(this.limits.turnMs, this.#now() - this.#startedAt),
      limit: this.limits.turnMs,
    };
  }

  #spent(budget: "steps" | "calls"): Exhausted {
    return { budget, used: this.limits[budget], limit: this.limits[budget] };
  }
}
