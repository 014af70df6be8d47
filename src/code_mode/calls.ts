/**
 * The tool calls of one cell: made, running, settled.
 *
 * Calls start only when the program has come to rest, so no host code runs
 * inside a guest's stack, and a program that dies starts nothing more.
 *
 * @module
 */

import type { CellCall, CellCallOutcome, CellRequest } from "./cell.ts";

/** The end of one call. */
export type Settled = {
  readonly id: number;
  readonly outcome: CellCallOutcome;
};

/** Keeps track of the calls of one cell. */
export class Calls {
  /** Calls that were made and not yet started. */
  readonly made: CellCall[] = [];
  readonly #running = new Set<number>();
  // Both cost more than a short cell: most end without any call running.
  #controller: AbortController | undefined;
  #over = false;
  readonly #request: CellRequest;
  readonly #wake: () => void;
  #settled: Settled[] = [];

  /**
   * @param request Whose `call` runs them.
   * @param wake Called when a call has settled.
   */
  constructor(request: CellRequest, wake: () => void) {
    this.#request = request;
    this.#wake = wake;
  }

  /** The ids of the calls that run. */
  get running(): number[] {
    return [...this.#running];
  }

  /** Whether anything could still settle. */
  get isIdle(): boolean {
    return this.#running.size === 0 && this.#settled.length === 0;
  }

  /** Starts every call that was made. */
  start(): void {
    if (this.made.length === 0) return;
    this.#controller ??= new AbortController();
    const { signal } = this.#controller;
    for (const call of this.made.splice(0)) {
      this.#running.add(call.id);
      this.#perform(call, signal).then((outcome) =>
        this.#settle(call.id, outcome)
      );
    }
  }

  /** Takes the calls that have settled since. */
  takeSettled(): Settled[] {
    const settled = this.#settled;
    if (settled.length > 0) this.#settled = [];
    return settled;
  }

  /** Aborts what runs; a later end changes nothing. */
  close(): void {
    this.#over = true;
    if (this.#running.size > 0) this.#controller?.abort();
  }

  async #perform(
    call: CellCall,
    signal: AbortSignal,
  ): Promise<CellCallOutcome> {
    try {
      return await this.#request.call(call, signal);
    } catch {
      return hostFailed;
    }
  }

  #settle(id: number, outcome: CellCallOutcome): void {
    if (this.#over) return;
    this.#running.delete(id);
    this.#settled.push({ id, outcome });
    this.#wake();
  }
}

/** The contract forbids a rejection; its text could hold the host's secrets. */
const hostFailed: CellCallOutcome = Object.freeze({
  ok: false,
  error: Object.freeze({
    name: "HostError",
    code: "internal",
    message: "The host failed while it ran this call",
    retryable: false,
  }),
});
