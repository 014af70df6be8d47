/**
 * `deno task bench`: all figures in one run, or only the named parts of them:
 * `deno task bench cells meter`.
 *
 * @module
 */

import { writeEngine } from "../../src/code_mode/build/write_engine.ts";
/** Loaded one by one: what one part has loaded must not slow the next. */
const parts: Readonly<Record<string, () => Promise<void>>> = {
  cells: async () => await (await import("./cells/main.ts")).benchCells(),
  meter: async () => await (await import("./meter_overhead.ts")).benchMeter(),
  fuel: async () => await (await import("./fuel_spread.ts")).benchFuel(),
  direct: async () => await (await import("./direct.ts")).benchDirect(),
  cold: async () => await (await import("./cold/main.ts")).benchCold(),
  memory: async () => await (await import("./memory.ts")).benchMemory(),
};

const wanted = Deno.args.length === 0 ? Object.keys(parts) : Deno.args;
await writeEngine();
for (const name of wanted) {
  const part = parts[name];
  if (part === undefined) {
    throw new Error(
      `No part ${name}: there are ${Object.keys(parts).join(", ")}`,
    );
  }
  await part();
}
