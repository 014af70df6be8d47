/**
 * Cells of this package beside those of others, in one run.
 *
 * @module
 */

import { quantile, ratioOf, ratioText, rounded } from "../quantile.ts";
import peers from "../peers/deno.json" with { type: "json" };
import type { Contestant } from "./child.ts";
import { raceFirstCells, raceWorkloads } from "./contest.ts";
import type { Standing } from "./lane.ts";

const config = new URL("../peers/deno.json", import.meta.url);

/** This package first: all others are compared to it. */
const contestants: readonly Contestant[] = [
  { name: "nanocode-wasm", script: script("./pool.ts") },
  { name: "nanocode-wasm, a turn with exec", script: script("./exec.ts") },
  { name: "run", script: script("../peers/run.ts"), config },
  {
    name: "@tanstack/ai-isolate-quickjs",
    script: script("../peers/tanstack.ts"),
    config,
  },
  {
    name: "quickjs-wasi, created per cell",
    script: script("../peers/wasi.ts"),
    config,
  },
  {
    name: "quickjs-emscripten, runtime per cell",
    script: script("../peers/emscripten.ts"),
    config,
  },
];

function script(path: string): URL {
  return new URL(path, import.meta.url);
}

/** Runs the contest, and prints it. */
export async function benchCells(): Promise<void> {
  const packages = Object.values(peers.imports);
  console.log(`\npeers, on Deno ${Deno.version.deno}: ${packages.join(", ")}`);
  for (const { workload, standings } of await raceWorkloads(contestants)) {
    print(workload, standings);
  }
  const firstCells = await raceFirstCells(contestants);
  print("loading: import and compile", firstCells.map(({ load }) => load));
  print("first cell after load", firstCells.map(({ first }) => first));
}

function print(title: string, standings: readonly Standing[]): void {
  const [ours] = standings;
  const base = ours !== undefined && "samples" in ours ? ours.samples : [];
  console.log(`\n${title}`);
  const failures: string[] = [];
  console.table(contestants.flatMap(({ name }, index) => {
    const standing = standings[index] ?? { failed: "Not run" };
    if ("failed" in standing) {
      failures.push(`${name}: ${standing.failed}`);
      return [];
    }
    const { samples } = standing;
    return [{
      name,
      "lower quartile ms": rounded(quantile(samples, 0.25)),
      "fastest … median ms": `${rounded(quantile(samples, 0))} … ${
        rounded(quantile(samples, 0.5))
      }`,
      "times ours (quartiles)": ratioText(ratioOf(samples, base)),
    }];
  }));
  for (const failure of failures) console.log(failure);
}
