/**
 * A load run as text.
 *
 * @module
 */

import { quantile } from "../bench/quantile.ts";
import type { LoadResult } from "./run.ts";

/** The lines that tell what a run showed. */
export function reportLines(
  { platform, problems, tookMs, seen, nothing, peaks }: LoadResult,
): string[] {
  const ends = seen.flatMap(({ endMs }) => endMs ?? []);
  const firsts = seen.flatMap(({ firstMs }) => firstMs ?? []);
  const byCourse = Map.groupBy(seen, ({ course }) => course);
  const each = [...byCourse].flatMap(([course, turns]) => {
    const times = turns.flatMap(({ endMs }) => endMs ?? []);
    return times.length === 0 ? [] : [line(`  ${course}`, times)];
  });
  const peak = peaks.map((bytes) =>
    bytes === undefined ? "not known" : (bytes / 1024 / 1024).toFixed(0)
  );
  return [
    `${platform}: ${seen.length} turns in ${peaks.length} rounds, ${
      seconds(tookMs)
    } s`,
    `  ${
      rate(seen.length, tookMs)
    } turns/s; peak memory after each round, MiB: ${peak.join(", ")}`,
    line("a route that does nothing", nothing.each),
    `  ${rate(nothing.each.length, nothing.tookMs)} requests/s`,
    line("a turn's first event", firsts),
    line("a turn's end", ends),
    ...each,
    problems.length === 0
      ? "Every turn ended once, with one terminal receipt for each call."
      : `${problems.length} problems:`,
    ...problems,
  ];
}

function line(what: string, samples: readonly number[]): string {
  const at = [0.5, 0.9, 0.99, 1].map((share) =>
    quantile(samples, share).toFixed(1).padStart(9)
  );
  return `${what.padEnd(44)} p50 p90 p99 max, ms:${at.join("")}`;
}

function rate(count: number, ms: number): string {
  return (count / ms * 1000).toFixed(0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
