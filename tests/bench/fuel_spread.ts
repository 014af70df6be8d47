/**
 * How evenly fuel stands for time: nanoseconds a unit over programs that are
 * busy with unlike things.
 *
 * @module
 */

import { enginePath } from "../../src/code_mode/build/paths.ts";
import { BareEngine } from "./bare_engine.ts";
import { quantile, rounded } from "./quantile.ts";
import { type Spinning, spinning } from "./spinning.ts";

/** What a unit took in one program. */
export type UnitTime = { readonly name: string; readonly nanoseconds: number };

const fuel = 5_000_000;
const mostRounds = 6;
const leastRounds = 2;
/** How long all rounds may take together, on a busy machine. */
const mostMs = 12_000;

/** Measures a unit in each program; the fastest of several rounds counts. */
export function measureUnits(metered: WebAssembly.Module): UnitTime[] {
  const fastest = new Map<Spinning, number>();
  // All of them once, and again: an interruption hits each only once.
  const end = performance.now() + mostMs;
  for (let round = 0; round < mostRounds; round++) {
    if (round >= leastRounds && performance.now() > end) break;
    for (const program of spinning) {
      const time = unitTime(metered, program);
      fastest.set(program, Math.min(time, fastest.get(program) ?? Infinity));
    }
  }
  return [...fastest].map(([{ name }, nanoseconds]) => ({ name, nanoseconds }))
    .toSorted((one, other) => one.nanoseconds - other.nanoseconds);
}

/** An engine that ran out of fuel is dead: each run needs its own. */
function unitTime(
  metered: WebAssembly.Module,
  { name, source, bytes }: Spinning,
): number {
  const engine = new BareEngine(metered);
  // Memory that is used for the first time costs the system's time, not ours.
  if (bytes !== undefined) engine.run(`new Uint8Array(${bytes}).fill(1)`);
  const { milliseconds, units, end } = engine.run(source, fuel);
  if (end !== "fuel") throw new Error(`${name} ended: ${end}`);
  return milliseconds * 1e6 / units;
}

/** Measures and prints. */
export async function benchFuel(): Promise<void> {
  const times = measureUnits(
    await WebAssembly.compile(await Deno.readFile(enginePath)),
  );
  const values = times.map(({ nanoseconds }) => nanoseconds);
  const logs = values.map((value) => Math.log(value));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  console.log(`\nnanoseconds a unit of fuel, over ${times.length} programs`);
  console.table([{
    "geometric mean": rounded(Math.exp(mean)),
    "5 %": rounded(quantile(values, 0.05)),
    "25 %": rounded(quantile(values, 0.25)),
    "median": rounded(quantile(values, 0.5)),
    "75 %": rounded(quantile(values, 0.75)),
    "95 %": rounded(quantile(values, 0.95)),
  }]);
  console.log(`cheapest: ${listed(times.slice(0, 5))}`);
  console.log(`dearest: ${listed(times.slice(-5))}`);
}

function listed(times: readonly UnitTime[]): string {
  return times.map(({ name, nanoseconds }) => `${name} ${rounded(nanoseconds)}`)
    .join(", ");
}
