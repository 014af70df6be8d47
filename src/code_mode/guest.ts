/**
 * A program inside its engine: started, run until it rests, spoken to.
 *
 * Everything here is synchronous, and anything it throws means that the guest
 * is dead.
 *
 * Before it on the path: `sandbox.ts`. After it: `engine.ts`; what the program says
 * comes back through `journal.ts`.
 *
 * @module
 */

import { type BaseImage, reset } from "./base_image.ts";
import type { CellCallOutcome, CellRequest } from "./cell.ts";
import {
  type Engine,
  EngineFault,
  type GuestValue,
  pageBytes,
} from "./engine.ts";
import type { Journal } from "./journal.ts";
import { cellFilename, type EntryPoint } from "./protocol.ts";
import { Rejections } from "./rejections.ts";
import { seedWords } from "./seed.ts";
import { reserveBytes } from "./stops.ts";

/** What the host's own work for a message costs the guest, in units of fuel. */
const messageFuel = 512;
/** The same for a job. */
const jobFuel = 32;
/** The most that the errors which nobody caught may cost to describe. */
const summaryFuel = 1_000_000;

/** States of a promise, as the engine numbers them. */
const pending = 0;
const rejected = 2;

/** One program in one engine instance. */
export class Guest {
  /** Whether the program parsed. */
  compiled = true;
  readonly #engine: Engine;
  readonly #image: BaseImage;
  readonly #journal: Journal;
  readonly #rejections: Rejections;
  #main: GuestValue = 0;
  #memoryBytes = 0;

  /**
   * @param engine The instance, in any state.
   * @param image What it is reset to.
   * @param journal Takes what the program says.
   */
  constructor(engine: Engine, image: BaseImage, journal: Journal) {
    this.#engine = engine;
    this.#image = image;
    this.#journal = journal;
    this.#rejections = new Rejections(engine);
  }

  /** What the program's clock shows. */
  get now(): number {
    return this.#engine.now;
  }

  /** Resets the instance, and starts the program. */
  begin(request: CellRequest, lines: number): void {
    const engine = this.#engine;
    const { fuel, memoryBytes, calls } = request.limits;
    reset(engine, this.#image);
    engine.fuel = fuel;
    engine.now = request.startTime;
    engine.receiver = (op, id, text, bytes) =>
      this.#receive(op, id, text, bytes);
    engine.rejected = (...rejection) => this.#rejections.take(...rejection);
    // To the engine, no bytes would mean no limit.
    this.#memoryBytes = Math.max(memoryBytes, 1);
    engine.functions.qjs_set_memory_limit(this.#memoryBytes);
    // The engine counts what it hands out; this bounds what that really takes.
    engine.pageLimit = this.#image.pages +
      Math.ceil((memoryBytes + reserveBytes) / pageBytes);
    const start = { ...seedWords(request.seed), calls, lines };
    this.#enter("begin", engine.string(JSON.stringify(start)));
    this.#main = engine.evaluate(
      `(async()=>{${request.body}\n})()`,
      cellFilename,
    );
    if (engine.functions.qjs_is_exception(this.#main) !== 0) {
      this.compiled = false;
      this.#report(engine.functions.qjs_get_exception());
    }
  }

  /** Runs everything that can run; tells whether the program has ended. */
  run(): boolean {
    for (;;) {
      this.#drain();
      if (this.#journal.end !== undefined) return true;
      if (!this.#finish()) return this.#journal.end !== undefined;
    }
  }

  /** Tells the program how one of its calls ended; one that has ended is not told. */
  settle(id: number, outcome: CellCallOutcome): void {
    if (this.#journal.end !== undefined) return;
    const engine = this.#engine;
    const json = outcome.ok ? outcome.json : JSON.stringify(outcome.error);
    engine.charge(messageFuel + (json.length >>> 1));
    this.#drop(this.#enter(
      "settle",
      engine.number(id),
      engine.number(outcome.ok ? 1 : 0),
      engine.string(json),
    ));
  }

  /** A line about each rejection that nobody caught, of a program that returned. */
  uncaught(): string[] {
    if (this.#journal.end?.kind !== "returned") return [];
    const engine = this.#engine;
    const unspent = Math.max(engine.fuel - summaryFuel, 0);
    engine.fuel -= unspent;
    try {
      return this.#rejections.reasons.map((reason) =>
        engine.text(engine.call(this.#image.entries.summarize, reason))
      );
    } catch {
      // To describe an error can run the program's own code, which is over.
      return [];
    } finally {
      engine.fuel = Math.max(engine.fuel, 0) + unspent;
    }
  }

  /** When the earliest timer is due; `undefined` for none. */
  nextTimer(): number | undefined {
    const value = this.#enter("nextTimer");
    const due = this.#engine.functions.qjs_get_float64(value);
    this.#drop(value);
    return due < 0 ? undefined : due;
  }

  /** Moves the program's clock to its earliest timer, and runs that. */
  fireTimer(due: number): void {
    this.#engine.charge(messageFuel);
    this.#engine.now = Math.max(this.#engine.now, due);
    this.#drop(this.#enter("fireTimer"));
  }

  /**
   * Runs every job there is, until one of them ends the program: what comes after
   * the end is never heard. Jobs are charged, for some run no loop.
   */
  #drain(): void {
    const { functions } = this.#engine;
    while (
      this.#journal.end === undefined && functions.qjs_is_job_pending() !== 0
    ) {
      this.#engine.charge(jobFuel);
      if (this.#engine.fuel < 0) throw new EngineFault("Out of fuel");
      if (functions.qjs_execute_pending_job() < 0) {
        this.#report(functions.qjs_get_exception());
      }
    }
  }

  /**
   * Sends the program on its way out once its promise has settled. A result
   * that holds promises gives a promise to wait for next.
   *
   * @returns Whether there may be more to run.
   */
  #finish(): boolean {
    const { functions } = this.#engine;
    if (functions.qjs_is_promise(this.#main) === 0) {
      this.#main = this.#enter("finish", this.#main);
      return true;
    }
    const state = functions.qjs_promise_state(this.#main);
    if (state === pending) return false;
    const value = functions.qjs_promise_result(this.#main);
    if (state === rejected) this.#report(value);
    else this.#main = this.#enter("finish", value);
    return true;
  }

  /** Has the program's error described, in some room beyond the limit. */
  #report(reason: GuestValue): void {
    this.#engine.functions.qjs_set_memory_limit(
      this.#memoryBytes + reserveBytes,
    );
    this.#enter("report", reason);
    if (this.#journal.end === undefined) {
      throw new EngineFault("The guest cannot report its error");
    }
  }

  /** Calls a way into the guest; an exception that comes out ends the program. */
  #enter(entry: EntryPoint, ...values: GuestValue[]): GuestValue {
    const { functions } = this.#engine;
    const result = this.#engine.call(this.#image.entries[entry], ...values);
    if (functions.qjs_is_exception(result) === 0) return result;
    if (entry === "report") throw new EngineFault("The report failed");
    this.#report(functions.qjs_get_exception());
    return result;
  }

  #drop(value: GuestValue): void {
    this.#engine.free(value);
  }

  #receive(
    op: number,
    id: number,
    text: string,
    bytes: number,
  ): string | undefined {
    const engine = this.#engine;
    engine.charge(messageFuel + (bytes >>> 1));
    const fuel = Math.max(engine.fuel, 0);
    const { ok, answer } = this.#journal.take(op, id, text, bytes, fuel);
    if (!ok) throw new EngineFault("The guest broke the protocol");
    return answer;
  }
}
