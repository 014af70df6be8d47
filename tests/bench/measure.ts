/**
 * Times pieces of code side by side: each is run in turn with the others, many
 * times, so that a machine that speeds up or slows down does so for all.
 *
 * @module
 */

/** Something to time. */
export type Candidate = {
  readonly name: string;
  /** Runs it once. */
  run(): unknown;
};

/** What one candidate took, in microseconds a run. */
export type Timing = {
  readonly name: string;
  readonly median: number;
  /** The first and the third quartile. */
  readonly spread: readonly [number, number];
};

/** Times the candidates in turn. */
export async function measure(
  candidates: readonly Candidate[],
  { rounds = 30, batchMs = 4 }: { rounds?: number; batchMs?: number } = {},
): Promise<Timing[]> {
  const batches = await Promise.all(
    candidates.map((candidate) => batchSize(candidate, batchMs)),
  );
  const samples = candidates.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, candidate] of candidates.entries()) {
      const runs = batches[index] ?? 1;
      const start = performance.now();
      for (let run = 0; run < runs; run++) await candidate.run();
      samples[index]?.push((performance.now() - start) * 1000 / runs);
    }
  }
  return candidates.map(({ name }, index) => {
    const sorted = (samples[index] ?? []).sort((one, other) => one - other);
    return {
      name,
      median: at(sorted, 0.5),
      spread: [at(sorted, 0.25), at(sorted, 0.75)],
    };
  });
}

/** How many runs take about `batchMs`, found while warming up. */
async function batchSize(
  candidate: Candidate,
  batchMs: number,
): Promise<number> {
  for (let runs = 1;; runs *= 2) {
    const start = performance.now();
    for (let run = 0; run < runs; run++) await candidate.run();
    if (performance.now() - start >= batchMs || runs >= 1 << 16) return runs;
  }
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** Prints timings as a table, with ratios to the first. */
export function printTimings(title: string, timings: readonly Timing[]): void {
  const base = timings[0]?.median ?? Number.NaN;
  console.log(`\n${title}`);
  console.table(timings.map(({ name, median, spread }) => ({
    name,
    "median µs": round(median),
    "quartiles µs": spread.map(round).join(" … "),
    "ratio to first": round(median / base),
  })));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
