/**
 * What the meter costs: the same programs on the engine as it comes and on the
 * metered one, in turn, in one process.
 *
 * @module
 */

import { enginePath, sourcePath } from "../../src/code_mode/build/paths.ts";
import { BareEngine } from "./bare_engine.ts";
import {
  quantile,
  type Ratio,
  ratioOf,
  ratioText,
  rounded,
} from "./quantile.ts";

/** Each takes about a millisecond, so that most rounds are not interrupted. */
const programs: Readonly<Record<string, string>> = {
  "recursion": "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } f(20)",
  "numbers":
    "let x = 0; for (let i = 0; i < 2e4; i++) x = (x * 31 + i) % 65537",
  "objects and closures":
    "for (let i = 0; i < 500; i++) [{ a: i }, { a: 2 }].map(({ a }) => a + 1).filter((n) => n > 1)",
  "strings and regexes":
    "const s = 'foo=1; bar=22; '.repeat(200); for (let i = 0; i < 2; i++) s.replace(/(\\w+)=(\\d+)/g, '$2').split(';').join(',').toUpperCase()",
  "JSON":
    "const o = Array.from({ length: 200 }, (_, i) => ({ id: i, name: 'n' + i, tags: ['a', 'b'], price: i / 3 })); JSON.parse(JSON.stringify(o))",
  "sorts and maps":
    "const a = Array.from({ length: 300 }, (_, i) => i * 7919 % 300); const m = new Map(a.slice().sort((x, y) => x - y).map((v) => [v, v])); m.get(7)",
};

const mostRounds = 400;
const warmUps = 100;
/** How long all rounds may take together, on a busy machine. */
const mostMs = 15_000;

/** How one program fared. */
export type Overhead = {
  readonly name: string;
  /** On the plain engine. */
  readonly milliseconds: number;
  /** The metered engine's time over the plain one's. */
  readonly ratio: Ratio;
  /** The same of the fastest rounds alone. */
  readonly ratioOfFastest: number;
};

/** Measures each program on both engines in turn. */
export function measureOverhead(
  unmetered: WebAssembly.Module,
  metered: WebAssembly.Module,
): Overhead[] {
  const plain = new BareEngine(unmetered);
  const paid = new BareEngine(metered);
  const timings = Object.entries(programs).map(([name, program]) => ({
    name,
    source: `{ ${program} }`,
    plainMs: new Array<number>(),
    paidMs: new Array<number>(),
  }));
  // Compilers optimize late, and for all programs at once: so do the warm-ups.
  const end = performance.now() + mostMs;
  for (let round = -warmUps; round < mostRounds; round++) {
    if (round > warmUps && performance.now() > end) break;
    for (const { source, plainMs, paidMs } of timings) {
      // Whoever runs second finds a warmer machine: they take turns.
      const isSwapped = round % 2 === 0;
      const [first, second] = isSwapped ? [paid, plain] : [plain, paid];
      const one = first.run(source).milliseconds;
      const other = second.run(source).milliseconds;
      if (round < 0) continue;
      plainMs.push(isSwapped ? other : one);
      paidMs.push(isSwapped ? one : other);
    }
  }
  return timings.map(({ name, plainMs, paidMs }) => ({
    name,
    milliseconds: quantile(plainMs, 0.25),
    ratio: ratioOf(paidMs, plainMs),
    ratioOfFastest: quantile(paidMs, 0) / quantile(plainMs, 0),
  }));
}

/** Measures and prints. */
export async function benchMeter(): Promise<void> {
  const overheads = measureOverhead(
    await compile(sourcePath()),
    await compile(enginePath),
  );
  console.log("\nthe metered engine beside the plain one");
  console.table(
    overheads.map(({ name, milliseconds, ratio, ratioOfFastest }) => ({
      name,
      "plain ms": rounded(milliseconds),
      "metered, times plain (quartiles)": ratioText(ratio),
      "fastest rounds alone": rounded(ratioOfFastest),
    })),
  );
  const logs = overheads.map(({ ratio }) => Math.log(ratio.value));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  console.log(`geometric mean: ${rounded(Math.exp(mean))}`);
}

async function compile(path: URL): Promise<WebAssembly.Module> {
  return await WebAssembly.compile(await Deno.readFile(path));
}
