/**
 * Runs every workload in every sandbox, in turn, round after round.
 *
 * @module
 */

import { Child, type Contestant } from "./child.ts";
import { Lane, Samples, type Standing } from "./lane.ts";
import { workloads } from "./workloads.ts";

/** How one workload went, by contestant. */
export type Result = {
  readonly workload: string;
  readonly standings: readonly Standing[];
};

/** How long all rounds of one workload may take together. */
const workloadMs = 5000;
/** How long a contestant warms up for a workload, and for the first of them. */
const warmUpMs = 500;
const firstWarmUpMs = 2500;
const mostRounds = 80;
const leastRounds = 5;
/** How often each contestant is started for its first cell. */
const starts = 5;

/** What loading and the first cell took, each in a fresh process. */
export type FirstCells = {
  readonly load: Standing;
  readonly first: Standing;
};

/** Starts each contestant anew several times, and runs a first cell in it. */
export async function raceFirstCells(
  contestants: readonly Contestant[],
): Promise<FirstCells[]> {
  const loads = contestants.map(() => new Samples());
  const firsts = contestants.map(() => new Samples());
  for (let start = 0; start < starts; start++) {
    for (const [index, contestant] of contestants.entries()) {
      await using child = new Child(contestant);
      loads[index]?.add(await child.loaded);
      firsts[index]?.add(await child.run({ workload: 0, runs: 1 }));
    }
  }
  return loads.map((load, index) => ({
    load: load.standing,
    first: firsts[index]?.standing ?? { failed: "Not run" },
  }));
}

/** Runs all workloads. */
export async function raceWorkloads(
  contestants: readonly Contestant[],
): Promise<Result[]> {
  const lanes = contestants.map((contestant) => new Lane(contestant));
  try {
    const results: Result[] = [];
    for (const [index, { name }] of workloads.entries()) {
      results.push({ workload: name, standings: await race(lanes, index) });
    }
    return results;
  } finally {
    await Promise.all(lanes.map((lane) => lane[Symbol.asyncDispose]()));
  }
}

async function race(
  lanes: readonly Lane[],
  workload: number,
): Promise<Standing[]> {
  for (const lane of lanes) {
    await lane.warmUp(workload, workload === 0 ? firstWarmUpMs : warmUpMs);
  }
  const end = performance.now() + workloadMs;
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && performance.now() > end) break;
    for (const lane of lanes) await lane.sample(workload);
  }
  return lanes.map((lane) => lane.standing);
}
