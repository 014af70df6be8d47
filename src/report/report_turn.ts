/**
 * A console reporter: reads a turn and writes what happens in it.
 *
 * @module
 */

import { type Clock, systemAmbient } from "../ambient.ts";
import type { Budget } from "../budget.ts";
import type { TurnEvent } from "../events.ts";
import { TurnText } from "./turn_text.ts";

/** How a turn is reported. */
export type ReportOptions = {
  /**
   * Takes the next piece of text, which may be a part of a line. Without it,
   * whole lines go to `console.log`.
   */
  readonly write?: ((text: string) => void) | undefined;
  /**
   * After how long without an event a line says what the turn is at, and then
   * again and again, in milliseconds: 10,000 without it, 0 for never.
   */
  readonly progressMs?: number | undefined;
  /** The limits to tell at the end beside what was used, as configured. */
  readonly budget?: Partial<Budget> | undefined;
  /** Time; the platform's without one. */
  readonly clock?: Clock | undefined;
};

/**
 * Reports a turn as it runs: its text as it streams, each call when it starts
 * and when it ends, with its outcome and duration, calls from code under the
 * program that made them, retries, and at the end what was used. Plain text
 * without colours; control characters of the model's are replaced.
 *
 * ```text
 * Step 1
 *   #1 lookup {"key":"alpha"}
 *   #2 lookup {"key":"beta"}
 *   #1 lookup succeeded in 41 ms: {"value":"ALPHA"}
 *   #2 lookup succeeded in 42 ms: {"value":"BETA"}
 * Step 2
 * ALPHA and BETA.
 * Completed after 1.2 s: 2 steps, 2 calls, 310 tokens in, 25 out
 * ```
 *
 * @param turn The turn, or its events from anywhere.
 * @param options Where the text goes, and how much of it.
 * @returns Resolves when the turn has ended and all is written.
 * @throws {HostFailure} Of kind `backend`: the turn failed; its end was written
 * before. What `write` throws comes out too.
 *
 * @example To the console
 * ```ts no-assert
 * import { type Agent, reportTurn } from "@nanocode/wasm";
 *
 * export async function ask(agent: Agent) {
 *   const turn = agent.prompt("Look up alpha and beta");
 *   await reportTurn(turn);
 *   return await turn.result();
 * }
 * ```
 */
export async function reportTurn(
  turn: AsyncIterable<TurnEvent>,
  options: ReportOptions = {},
): Promise<void> {
  const { clock = systemAmbient.clock, progressMs = 10_000, budget } = options;
  const lines = new ConsoleLines();
  const write = options.write ?? ((text: string) => lines.write(text));
  const text = new TurnText(clock.now(), budget);
  const watch = new Watch(clock, progressMs, () => {
    write(text.progress(clock.now()));
  });
  try {
    watch.restart();
    for await (const event of turn) {
      watch.restart();
      const told = text.event(event, clock.now());
      if (told !== "") write(told);
    }
    watch.rethrow();
  } finally {
    watch.end();
    lines.end();
  }
}

/** Fires after each quiet while. What it throws comes out at the next event. */
class Watch {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #fire: () => void;
  #cancel: (() => void) | undefined;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(clock: Clock, ms: number, fire: () => void) {
    this.#clock = clock;
    // Platforms fire a timer of more than 31 bits at once.
    this.#ms = ms > 0 && ms < 2 ** 31 ? ms : 0;
    this.#fire = fire;
  }

  restart(): void {
    this.end();
    this.rethrow();
    if (this.#ms === 0) return;
    this.#cancel = this.#clock.timer(this.#ms, () => this.#due());
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown;
  }

  #due(): void {
    try {
      this.#fire();
      this.restart();
    } catch (thrown) {
      this.#failure = { thrown };
    }
  }
}

/** Keeps what is no whole line yet: `console.log` ends each piece as one. */
class ConsoleLines {
  #rest = "";

  write(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) console.log(line);
  }

  end(): void {
    if (this.#rest !== "") console.log(this.#rest);
    this.#rest = "";
  }
}
