/**
 * Cold start: from the start of a process to the end of its first program, on
 * Deno and on a local workerd, in turn.
 *
 * @module
 */

import { quantile, rounded } from "../quantile.ts";
import type { FirstCells } from "./first_cells.ts";
import { askWorker, bundleWorker } from "./workerd.ts";

const rounds = 15;

/** Milliseconds by what they were spent on. */
type Times = Readonly<Record<string, number>>;

/** Times both in turn, and prints. */
export async function benchCold(): Promise<void> {
  const folder = await Deno.makeTempDir();
  const onDeno: Times[] = [];
  const onWorkerd: Times[] = [];
  try {
    await bundleWorker(folder);
    for (let round = 0; round < rounds; round++) {
      onDeno.push(await timeDeno());
      onWorkerd.push(await timeWorkerd(folder));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  print(`a first program on Deno ${Deno.version.deno}`, onDeno);
  print("a first program on a local workerd", onWorkerd);
}

async function timeDeno(): Promise<Times> {
  const start = performance.now();
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", new URL("./process.ts", import.meta.url).href],
    stdin: "null",
    stderr: "inherit",
  }).output();
  const total = performance.now() - start;
  if (!success) throw new Error("The process failed");
  const told: FirstCells & { readonly compiled: number } = JSON.parse(
    new TextDecoder().decode(stdout),
  );
  const { compiled, opened, first, second } = told;
  return {
    "the process, its modules": total - compiled - opened - first - second,
    "the engine read and compiled": compiled,
    "tools opened": opened,
    "first program": first,
    "second program": second,
    "all": total,
  };
}

async function timeWorkerd(folder: string): Promise<Times> {
  const start = performance.now();
  const { listening, opened, first, second } = await askWorker(folder);
  const total = performance.now() - start;
  return {
    "the process, the isolate, the engine compiled": listening,
    "the request, its way": total - listening - opened - first - second,
    "tools opened": opened,
    "first program": first,
    "second program": second,
    "all": total,
  };
}

function print(title: string, all: readonly Times[]): void {
  console.log(`\n${title}, ms`);
  console.table(
    Object.keys(all[0] ?? {}).map((part) => {
      const samples = all.map((times) => times[part] ?? Number.NaN);
      return {
        part,
        "lower quartile": rounded(quantile(samples, 0.25)),
        "fastest … median": `${rounded(quantile(samples, 0))} … ${
          rounded(quantile(samples, 0.5))
        }`,
      };
    }),
  );
}
