/**
 * The limits of a turn, in one record, and the meter that charges them.
 *
 * @module
 */

/** What a turn may use. Every field is a whole number. */
export type Budget = {
  /** Wall time of a turn, in milliseconds. 300,000 by default. */
  readonly turnMs: number;
  /** Wall time of one host tool call, in milliseconds. 60,000 by default. */
  readonly callMs: number;
  /** Model round trips of a turn. 50 by default. */
  readonly steps: number;
  /** Host tool calls of a turn, nested ones included. 200 by default. */
  readonly calls: number;
  /** Host tool calls of a turn that run at the same time. 6 by default. */
  readonly concurrentCalls: number;
  /**
   * Bytes (UTF-8) of one call's output that the model is shown. 65,536 by
   * default.
   */
  readonly outputBytes: number;
  /**
   * Bytes (UTF-8) of one call's result, as JSON: what receipts and programs
   * hold whole. A call that gives more fails with `invalid_output`. 4,194,304
   * by default.
   */
  readonly resultBytes: number;
  /**
   * How often one step's request is tried again before its first event. 3 by
   * default.
   */
  readonly retries: number;
  /**
   * CPU of one cell, in units of fuel (about 1 ns each, at most 2,147,483,647).
   * 100,000,000 by default.
   */
  readonly cellFuel: number;
  /**
   * Memory of one cell, in bytes, the engine's own (about 0.4 MB) included.
   * 33,554,432 by default.
   */
  readonly cellMemoryBytes: number;
  /** Size of one cell's program, in bytes (UTF-8). 65,536 by default. */
  readonly cellSourceBytes: number;
  /**
   * What a cell may return, and what it may write with `text`, in bytes each.
   * 65,536 by default.
   */
  readonly cellOutputBytes: number;
  /** What a cell may write to its console, in bytes. 32,768 by default. */
  readonly cellConsoleBytes: number;
  /**
   * What cells may keep with `store`, all together, in bytes. 262,144 by
   * default.
   */
  readonly cellStoreBytes: number;
  /** Tool calls of one cell. 100 by default. */
  readonly cellCalls: number;
  /**
   * Wall time of one cell, waiting for its calls included, in milliseconds.
   * 60,000 by default.
   */
  readonly cellMs: number;
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

/** What a turn has used before, in another process. */
export type UsedBefore = { readonly steps: number; readonly calls: number };

/** Counts what one turn uses of its budget. */
export class BudgetMeter {
  /** The limits. */
  readonly limits: Budget;
  /** When the turn began, in milliseconds since 1970. */
  readonly startedAt: number;
  #steps: number;
  #calls: number;
  readonly #now: () => number;

  /**
   * @param limits What the turn may use.
   * @param now The clock, in milliseconds.
   * @param before What a turn that is resumed has used.
   */
  constructor(
    limits: Budget,
    now: () => number,
    before: UsedBefore = { steps: 0, calls: 0 },
  ) {
    this.#steps = before.steps;
    this.#calls = before.calls;
    this.limits = limits;
    this.#now = now;
    this.startedAt = now();
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
    return Math.max(0, this.limits.calls - this.#calls);
  }

  /** When the turn's wall time ends, in milliseconds since 1970. */
  deadline(): number {
    return this.startedAt + this.limits.turnMs;
  }

  /** Wall time that is left, in milliseconds; never below 0. */
  remainingMs(): number {
    return Math.max(0, this.deadline() - this.#now());
  }

  /** That the turn's wall time ran out. */
  turnTimeSpent(): Exhausted {
    return {
      budget: "turnMs",
      used: Math.max(this.limits.turnMs, this.#now() - this.startedAt),
      limit: this.limits.turnMs,
    };
  }

  #spent(budget: "steps" | "calls"): Exhausted {
    return { budget, used: this.limits[budget], limit: this.limits[budget] };
  }
}
