/**
 * Budgets for the platforms' documented limits.
 *
 * @module
 */

import type { Budget } from "./budget.ts";

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
  resultBytes: 4 * 1024 * 1024,
  retries: 3,
  cellFuel: 100_000_000,
  cellMemoryBytes: 32 * 1024 * 1024,
  cellSourceBytes: 65_536,
  cellOutputBytes: 65_536,
  cellConsoleBytes: 32_768,
  cellStoreBytes: 262_144,
  cellCalls: 100,
  cellMs: 60_000,
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
 * import { budgets } from "@nanocode/wasm";
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
    resultBytes: 1024 * 1024,
    retries: 1,
    cellFuel: 5_000_000,
    cellMemoryBytes: 16 * 1024 * 1024,
    cellSourceBytes: 32_768,
    cellOutputBytes: 16_384,
    cellConsoleBytes: 16_384,
    cellStoreBytes: 65_536,
    cellCalls: 30,
    cellMs: 20_000,
  },
  workersPaid: {
    turnMs: 600_000,
    callMs: 60_000,
    steps: 100,
    calls: 1_000,
    concurrentCalls: 6,
    outputBytes: 65_536,
    resultBytes: 4 * 1024 * 1024,
    retries: 3,
    cellFuel: 250_000_000,
    cellMemoryBytes: 32 * 1024 * 1024,
    cellSourceBytes: 65_536,
    cellOutputBytes: 65_536,
    cellConsoleBytes: 32_768,
    cellStoreBytes: 262_144,
    cellCalls: 500,
    cellMs: 120_000,
  },
  denoDeploy: {
    turnMs: 600_000,
    callMs: 60_000,
    steps: 100,
    calls: 1_000,
    concurrentCalls: 12,
    outputBytes: 65_536,
    resultBytes: 4 * 1024 * 1024,
    retries: 3,
    cellFuel: 100_000_000,
    cellMemoryBytes: 64 * 1024 * 1024,
    cellSourceBytes: 65_536,
    cellOutputBytes: 65_536,
    cellConsoleBytes: 32_768,
    cellStoreBytes: 262_144,
    cellCalls: 500,
    cellMs: 120_000,
  },
};
