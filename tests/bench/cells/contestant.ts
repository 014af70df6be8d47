/**
 * The side of the contest that runs in a process of its own, one a sandbox: a
 * crash there is a result, not the end of the run.
 *
 * It takes orders and gives reports as lines of JSON.
 *
 * @module
 */

import { quantile } from "../quantile.ts";
import { workloads } from "./workloads.ts";

/** Runs a program in a fresh world, and gives what it returned. */
export type RunCell = (source: string) => Promise<unknown>;

/** Run a workload a number of times. */
export type Order = { readonly workload: number; readonly runs: number };

/**
 * How long that took, or why it cannot be done. Of several runs the median
 * counts: whatever interrupts the process hits few of them.
 */
export type Report =
  | { readonly milliseconds: number }
  | { readonly failed: string };

/** Marks a line as a report: libraries may print, too. */
export const reportMark = "\u0001";

/**
 * Loads a sandbox, and runs what is ordered until the orders end.
 *
 * @param load Imports and compiles all that can be before the first program.
 */
export async function serve(load: () => Promise<RunCell>): Promise<void> {
  const start = performance.now();
  let run: RunCell;
  try {
    run = await load();
  } catch (reason) {
    return say({ failed: describe(reason) });
  }
  say({ milliseconds: performance.now() - start });
  for await (const line of lines(Deno.stdin.readable)) {
    const order: Order = JSON.parse(line);
    say(await obey(run, order));
  }
  // Sandboxes that keep threads would keep the process.
  Deno.exit(0);
}

async function obey(run: RunCell, { workload, runs }: Order): Promise<Report> {
  const { source, expected } = workloads[workload] ?? {};
  if (source === undefined) return { failed: `No workload ${workload}` };
  try {
    const times: number[] = [];
    let value: unknown;
    while (times.length < runs) {
      const start = performance.now();
      value = await run(source);
      times.push(performance.now() - start);
    }
    const milliseconds = quantile(times, 0.5);
    if (value === expected) return { milliseconds };
    return { failed: `A wrong result: ${JSON.stringify(value)}` };
  } catch (reason) {
    return { failed: describe(reason) };
  }
}

function describe(reason: unknown): string {
  return reason instanceof Error
    ? `${reason.name}: ${reason.message}`
    : `Threw ${JSON.stringify(reason)}`;
}

function say(report: Report): void {
  console.log(reportMark + JSON.stringify(report));
}

/** The lines of a stream. */
export async function* lines(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}
