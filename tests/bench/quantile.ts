/**
 * What many noisy samples come to.
 *
 * @module
 */

/** The sample that a share of all samples does not exceed. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}

/** How one candidate compares to another, both timed in the same rounds. */
export type Ratio = {
  /** Of the lower quartiles: what else the machine does only adds time. */
  readonly value: number;
  /** The first and the third quartile of the rounds' own ratios. */
  readonly spread: readonly [number, number];
};

/** Compares samples that were taken in the same rounds, in the same order. */
export function ratioOf(
  samples: readonly number[],
  base: readonly number[],
): Ratio {
  const ratios = samples.map((sample, round) =>
    sample / (base[round] ?? Number.NaN)
  );
  return {
    value: quantile(samples, 0.25) / quantile(base, 0.25),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
  };
}

/** Three digits that count. */
export function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A ratio and its spread as text. */
export function ratioText({ value, spread: [low, high] }: Ratio): string {
  return `${rounded(value)} (${rounded(low)} … ${rounded(high)})`;
}
