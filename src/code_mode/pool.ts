/**
 * Runs cells, a few at a time; the others wait their turn.
 *
 * A cell owns its instance until it ends. What waits belongs to this pool
 * alone, never to another request's: only the inert stock behind it is shared.
 *
 * @module
 */

import type { CellRequest, CellResult } from "./cell.ts";
import { emptyResult } from "./cell_result.ts";
import { checkCellLimits } from "./limits.ts";
import { runCell } from "./sandbox.ts";
import { type Stock, stockOf } from "./stock.ts";
import { plainError } from "./stops.ts";

/** How a pool works. */
export type PoolOptions = {
  /** How many cells may run at once; 4 without it. */
  readonly cells?: number;
};

/** Runs cells. */
export type Pool = {
  /**
   * Runs one cell.
   *
   * @param request What to run.
   * @returns What became of it; also for a cell that failed.
   * @throws {RangeError} If a limit is no whole number in its range.
   */
  run(request: CellRequest): Promise<CellResult>;
  /** How many cells run now. */
  readonly running: number;
  /** How many cells wait for one of them to end. */
  readonly waiting: number;
};

/**
 * Makes a pool over an engine module.
 *
 * @param module The compiled, metered engine.
 * @param options How it works.
 * @returns The pool.
 */
export function createPool(
  module: WebAssembly.Module,
  options: PoolOptions = {},
): Pool {
  return new CellPool(stockOf(module), options.cells ?? 4);
}

class CellPool implements Pool {
  running = 0;
  readonly #stock: Stock;
  readonly #cells: number;
  readonly #queue: (() => void)[] = [];

  constructor(stock: Stock, cells: number) {
    if (!Number.isInteger(cells) || cells < 1) {
      throw new RangeError(`A pool runs at least one cell: ${cells}`);
    }
    this.#stock = stock;
    this.#cells = cells;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async run(request: CellRequest): Promise<CellResult> {
    for (const { name, reason } of checkCellLimits(request.limits)) {
      throw new RangeError(`The limit ${name} ${reason}`);
    }
    if (!await this.#enter(request.signal)) {
      return emptyResult(plainError("cancelled"));
    }
    try {
      return await this.#run(request);
    } finally {
      this.#leave();
    }
  }

  async #run(request: CellRequest): Promise<CellResult> {
    const engine = this.#stock.take();
    try {
      const image = this.#stock.image(engine, request.tools);
      const result = await runCell(engine, image, request);
      if (result.error?.kind !== "engine") this.#stock.give(engine);
      return result;
    } catch {
      return emptyResult(plainError("engine"));
    }
  }

  /** Takes a place, or waits for one; tells whether it has one. */
  #enter(signal: AbortSignal): boolean | Promise<boolean> {
    if (signal.aborted) return false;
    if (this.running >= this.#cells) return this.#wait(signal);
    this.running++;
    return true;
  }

  /** Hands its place to whoever waits longest. */
  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.running--;
    else next();
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const proceed = () => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.#queue.splice(this.#queue.indexOf(proceed), 1);
        resolve(false);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#queue.push(proceed);
    });
  }
}
