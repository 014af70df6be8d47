/**
 * Runs one cell on one engine instance: start, let it run, wait, settle,
 * until the program ends or has to be stopped.
 *
 * Before it on the path: `pool.ts`, which lends the instance. After it:
 * `guest.ts`, which speaks to the program, and at its end `cell_result.ts`.
 *
 * @module
 */

import type { BaseImage } from "./base_image.ts";
import { Calls } from "./calls.ts";
import type { CellError, CellRequest, CellResult } from "./cell.ts";
import { makeResult } from "./cell_result.ts";
import type { Engine } from "./engine.ts";
import { Guest } from "./guest.ts";
import { Journal } from "./journal.ts";
import {
  CellStop,
  errorOfTrap,
  limitError,
  plainError,
  refusal,
} from "./stops.ts";

/** Runs a cell; never rejects, and leaves the instance fit for the next reset. */
export function runCell(
  engine: Engine,
  image: BaseImage,
  request: CellRequest,
): Promise<CellResult> {
  return new RunningCell(engine, image, request).run();
}

/** A timer of the host's, set for a timer of the program. */
type ArmedTimer = { readonly due: number; fired: boolean; cancel: () => void };

class RunningCell {
  readonly #engine: Engine;
  readonly #request: CellRequest;
  readonly #journal: Journal;
  readonly #calls: Calls;
  readonly #guest: Guest;
  readonly #lines: number;
  #stop: CellError | undefined;
  #uncaught: readonly string[] = [];
  #timer: ArmedTimer | undefined;
  #release: (() => void) | undefined;
  #wake: () => void = () => {};

  constructor(engine: Engine, image: BaseImage, request: CellRequest) {
    this.#engine = engine;
    this.#request = request;
    this.#lines = countLines(request.body);
    this.#calls = new Calls(request, () => this.#wake());
    this.#journal = new Journal(
      request,
      this.#lines,
      (call) => this.#calls.made.push(call),
    );
    this.#guest = new Guest(engine, image, this.#journal);
  }

  async run(): Promise<CellResult> {
    this.#stop = refusal(this.#request);
    if (this.#stop !== undefined) return this.#result(0);
    try {
      this.#guest.begin(this.#request, this.#lines);
      while (this.#goOn()) await this.#rest();
      this.#uncaught = this.#guest.uncaught();
    } catch (trap) {
      this.#stop = errorOfTrap(trap, this.#engine, this.#request.limits);
    } finally {
      this.#release?.();
      this.#timer?.cancel();
      this.#calls.close();
      this.#engine.receiver = undefined;
      this.#engine.rejected = undefined;
    }
    return this.#result(
      this.#request.limits.fuel - Math.max(this.#engine.fuel, 0),
    );
  }

  /** Watches what can end the cell from outside; one that never rests needs no watch. */
  #watch(): () => void {
    const { signal, limits: { waitMs } } = this.#request;
    const cancel = () => this.#halt(plainError("cancelled"));
    const expire = () => this.#halt(limitError("wait", waitMs, waitMs));
    signal.addEventListener("abort", cancel, { once: true });
    const stopClock = this.#request.timer(waitMs, expire);
    return () => {
      stopClock();
      signal.removeEventListener("abort", cancel);
    };
  }

  #halt(error: CellError): void {
    this.#stop ??= error;
    this.#wake();
  }

  #checkStop(): void {
    if (this.#request.signal.aborted) this.#stop ??= plainError("cancelled");
    if (this.#stop !== undefined) throw new CellStop(this.#stop);
  }

  /** Lets the program run until it ends or rests; tells whether it rests. */
  #goOn(): boolean {
    for (;;) {
      for (const { id, outcome } of this.#calls.takeSettled()) {
        this.#guest.settle(id, outcome);
      }
      if (this.#guest.run()) return false;
      this.#checkStop();
      this.#calls.start();
      this.#checkStop();
      if (!this.#calls.isIdle) return true;
      this.#jump();
    }
  }

  /** With nothing else to wait for, time jumps to the next timer. */
  #jump(): void {
    const due = this.#guest.nextTimer();
    if (due === undefined) throw new CellStop(plainError("deadlock"));
    this.#guest.fireTimer(due);
  }

  /** Waits until a call settles, a timer is due, or the cell is stopped. */
  async #rest(): Promise<void> {
    const woken = new Promise<void>((resolve) => this.#wake = resolve);
    this.#release ??= this.#watch();
    this.#armTimer(this.#guest.nextTimer());
    await woken;
    this.#checkStop();
    if (this.#timer?.fired !== true) return;
    const { due } = this.#timer;
    this.#timer = undefined;
    this.#guest.fireTimer(due);
  }

  /** While calls run, timers take real time; the earliest is enough to watch. */
  #armTimer(due: number | undefined): void {
    if (this.#timer?.due === due) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (due === undefined) return;
    const timer: ArmedTimer = { due, fired: false, cancel: () => {} };
    this.#timer = timer;
    const wait = Math.max(due - this.#guest.now, 0);
    timer.cancel = this.#request.timer(wait, () => {
      timer.fired = true;
      this.#wake();
    });
  }

  #result(fuelUsed: number): CellResult {
    return makeResult({
      request: this.#request,
      journal: this.#journal,
      calls: this.#calls,
      engine: this.#engine,
      compiled: this.#guest.compiled,
      stop: this.#stop,
      uncaught: this.#uncaught,
      fuelUsed,
    });
  }
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    lines++;
  }
  return lines;
}
