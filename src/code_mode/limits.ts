/**
 * What a cell may spend. The host holds every limit; the guest none.
 *
 * @module
 */

import type { Budget } from "../budget.ts";

/** The limits of one cell. */
export type CellLimits = {
  /** Units of CPU, about a nanosecond each; at most 2,147,483,647. */
  readonly fuel: number;
  /** Bytes of memory for the program's values and the engine's own (about 0.4 MB). */
  readonly memoryBytes: number;
  /** UTF-8 bytes of the program's text. */
  readonly sourceBytes: number;
  /** UTF-8 bytes of what `text()` wrote, and of the returned value, each. */
  readonly outputBytes: number;
  /** UTF-8 bytes of console output. */
  readonly consoleBytes: number;
  /** UTF-8 bytes of what one cell may `store()`. */
  readonly storeBytes: number;
  /** Tool calls. */
  readonly calls: number;
  /** Milliseconds of wall time that the cell may take, waiting for calls included. */
  readonly waitMs: number;
};

/** The limits of a cell in a turn with this budget. */
export function cellLimits(budget: Budget): CellLimits {
  return {
    fuel: budget.cellFuel,
    memoryBytes: budget.cellMemoryBytes,
    sourceBytes: budget.cellSourceBytes,
    outputBytes: budget.cellOutputBytes,
    consoleBytes: budget.cellConsoleBytes,
    storeBytes: budget.cellStoreBytes,
    calls: budget.cellCalls,
    // The turn's time ends the cell through its signal: a second timer for it
    // would race with that one.
    waitMs: budget.cellMs,
  };
}

const highest: CellLimits = {
  fuel: 2 ** 31 - 1,
  memoryBytes: 2 ** 31 - 1,
  sourceBytes: 2 ** 24,
  outputBytes: 2 ** 28,
  consoleBytes: 2 ** 28,
  storeBytes: 2 ** 28,
  calls: 1_000_000,
  waitMs: 2 ** 31 - 1,
};

/** One limit that is wrong, and why. */
export type LimitProblem = {
  readonly name: keyof CellLimits;
  readonly reason: string;
};

/** Finds every limit that is no whole number from 0 to its highest value. */
export function checkCellLimits(limits: CellLimits): LimitProblem[] {
  return Object.keys(highest).filter(isLimit).flatMap((name) => {
    const value = limits[name];
    if (Number.isInteger(value) && value >= 0 && value <= highest[name]) {
      return [];
    }
    return [{
      name,
      reason: `must be a whole number from 0 to ${highest[name]}: ${value}`,
    }];
  });
}

function isLimit(name: string): name is keyof CellLimits {
  return Object.hasOwn(highest, name);
}
