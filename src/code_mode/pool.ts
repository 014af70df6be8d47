/**
 * Runs cells, a few at a time; the others wait their turn.
 *
 * A cell owns its instance until it ends. What waits belongs to this pool
 * alone, never to another request's: only the inert stock behind it is shared.
 *
 * Before it on the path: `exec.ts`. After it: `sandbox.ts`.
 *
 * @module
 */

import { Slots } from "../slots.ts";
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
  readonly #stock: Stock;
  readonly #slots: Slots;

  constructor(stock: Stock, cells: number) {
    if (!Number.isInteger(cells) || cells < 1) {
      throw new RangeError(`A pool runs at least one cell: ${cells}`);
    }
    this.#stock = stock;
    this.#slots = new Slots(cells);
  }

  get running(): number {
    return this.#slots.taken;
  }

  get waiting(): number {
    return this.#slots.waiting;
  }

  async run(request: CellRequest): Promise<CellResult> {
    for (const { name, reason } of checkCellLimits(request.limits)) {
      throw new RangeError(`The limit ${name} ${reason}`);
    }
    const release = await this.#slots.take(request.signal);
    if (release === undefined) return emptyResult(plainError("cancelled"));
    try {
      return await this.#run(request);
    } finally {
      release();
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
}
