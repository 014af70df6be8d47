/**
 * One contestant on its way through all workloads.
 *
 * @module
 */

import { Child, type Contestant } from "./child.ts";
import type { Report } from "./contestant.ts";

/** Milliseconds a cell, one sample a round; or why there are none. */
export type Standing =
  | { readonly samples: readonly number[] }
  | { readonly failed: string };

/** What came of many orders; one failure says it all. */
export class Samples {
  readonly #values: number[] = [];
  #failed: string | undefined;

  /** What it comes to. */
  get standing(): Standing {
    return this.#failed === undefined
      ? { samples: this.#values }
      : { failed: this.#failed };
  }

  /** Whether any order failed. */
  get hasFailed(): boolean {
    return this.#failed !== undefined;
  }

  /** Takes what came of one order. */
  add(report: Report): void {
    if ("failed" in report) this.#failed ??= report.failed;
    else this.#values.push(report.milliseconds);
  }
}

/** How long a contestant runs before it is the next one's turn. */
const sampleMs = 10;
const mostRuns = 256;

/** A contestant's place in the race; its process starts anew after a crash. */
export class Lane implements AsyncDisposable {
  readonly #contestant: Contestant;
  #child: Child | undefined;
  #samples = new Samples();
  #runs = 1;

  /** @param contestant Who runs on it. */
  constructor(contestant: Contestant) {
    this.#contestant = contestant;
  }

  /** How the workload went so far that it last warmed up for. */
  get standing(): Standing {
    return this.#samples.standing;
  }

  /** Runs a workload until the compilers have done their part: they wake late. */
  async warmUp(workload: number, milliseconds: number): Promise<void> {
    this.#runs = 1;
    const warm = new Samples();
    const end = performance.now() + milliseconds;
    while (performance.now() < end && !warm.hasFailed) {
      warm.add(await this.#order(workload));
    }
    this.#samples = warm.hasFailed ? warm : new Samples();
  }

  /** Takes one sample. */
  async sample(workload: number): Promise<void> {
    if (this.#samples.hasFailed) return;
    this.#samples.add(await this.#order(workload));
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child?.[Symbol.asyncDispose]();
  }

  async #order(workload: number): Promise<Report> {
    const child = await this.#living();
    const report = await child.run({ workload, runs: this.#runs });
    if ("milliseconds" in report) {
      const fitting = Math.ceil(sampleMs / report.milliseconds);
      this.#runs = Math.max(1, Math.min(mostRuns, fitting));
    }
    return report;
  }

  async #living(): Promise<Child> {
    if (this.#child?.isDead === true) {
      await this.#child[Symbol.asyncDispose]();
      this.#child = undefined;
    }
    if (this.#child === undefined) {
      this.#child = new Child(this.#contestant);
      await this.#child.loaded;
    }
    return this.#child;
  }
}
