/**
 * `deno task soak`: runs cells and turns in one process, many of them, and
 * tells what became of memory and speed on the way. Fails where either drifts.
 *
 * Options: `--cells=N` and `--turns=N`.
 *
 * @module
 */

import { open } from "nanocode-wasm";
import type { BackendName } from "../../src/backends/backend.ts";
import { cell } from "../code_mode/cell_request.ts";
import { pool } from "../code_mode/cells.ts";
import { sse } from "../support/stream_server.ts";
import { wireEvents } from "../support/wire.ts";

/** What a stretch of the run took, and what the process then held. */
type Stretch = {
  readonly done: number;
  /** Milliseconds for one, on average. */
  readonly each: number;
  /** MiB: of the whole process, of the JavaScript heap in use. */
  readonly rss: number;
  readonly heap: number;
};

const stretches = 20;

/** The programs take turns, so that no image or instance stays the same for long. */
const programs = [
  "return 1 + 1",
  "return await Promise.all([1, 2, 3].map((n) => tools.echo({ n })))",
  "text('x'.repeat(1000)); console.log({ a: 1 }); return [...Array(500).keys()]",
  "store('k', 'v'.repeat(100)); return new Uint8Array(3e6).length",
  "try { await tools.fail({}) } catch (error) { return error.message }",
  "Object.prototype.then = 1; globalThis.leak = new Array(1e5).fill({}); throw new Error('x')",
  "const o = {}; for (let i = 0; i < 2000; i++) o['k' + i] = [i]; return JSON.stringify(o).length",
  "for (;;);",
];

async function runCell(index: number): Promise<void> {
  const program = programs[index % programs.length] ?? "";
  // The endless one ends early, or it would be all that is measured.
  const request = cell(program);
  const limits = { ...request.limits, fuel: 2_000_000 };
  await pool.run({ ...request, limits });
}

const streams: Record<BackendName, readonly string[]> = {
  openai: stepsOf("openai"),
  anthropic: stepsOf("anthropic"),
};

function stepsOf(backend: BackendName): string[] {
  const calls = Array.from({ length: 4 }, (_, index) => ({
    id: `call_${index}`,
    name: index === 3 ? "exec" : "lookup",
    arguments: index === 3
      ? '{"code":"return await tools.lookup({ key: \\"beta\\" })"}'
      : '{"key":"alpha"}',
  }));
  return [
    sse(wireEvents(backend, { calls })),
    sse(wireEvents(backend, { text: "done" })),
  ];
}

async function runTurn(index: number): Promise<void> {
  const backend: BackendName = index % 2 === 0 ? "openai" : "anthropic";
  let asked = 0;
  await using agent = await open({
    backend,
    model: "any",
    tools: [{
      name: "lookup",
      description: "Looks up.",
      parameters: { type: "object", properties: { key: { type: "string" } } },
    }],
  }, {
    apiKey: "any",
    fetch: () =>
      Promise.resolve(
        new Response(streams[backend][asked++ % 2], {
          headers: { "content-type": "text/event-stream" },
        }),
      ),
    tools: { call: (name, input) => Promise.resolve({ name, input }) },
  });
  const { receipts } = await agent.prompt("Look up").result();
  if (receipts.length !== 5) throw new Error(`${receipts.length} receipts`);
}

function collectGarbage(): void {
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") throw new Error("Run with --expose-gc");
  collect();
}

async function soak(
  name: string,
  count: number,
  run: (index: number) => Promise<void>,
): Promise<Stretch[]> {
  const found: Stretch[] = [];
  const share = Math.ceil(count / stretches);
  console.log(`\n${name.padStart(9)}   µs each   rss MiB   heap MiB`);
  for (let done = 0; done < count;) {
    const start = performance.now();
    const end = Math.min(done + share, count);
    const size = end - done;
    for (; done < end; done++) await run(done);
    const each = (performance.now() - start) / size;
    // What waits to be collected says nothing of what is held.
    collectGarbage();
    const { rss, heapUsed } = Deno.memoryUsage();
    const stretch = { done, each, rss: mebi(rss), heap: mebi(heapUsed) };
    found.push(stretch);
    console.log(
      `${String(done).padStart(9)} ${(each * 1000).toFixed(0).padStart(9)} ${
        stretch.rss.toFixed(0).padStart(9)
      } ${stretch.heap.toFixed(1).padStart(10)}`,
    );
  }
  return found;
}

/** What drifted between the second quarter and the last one; both are medians. */
function drift(name: string, found: readonly Stretch[]): string[] {
  const quarter = Math.floor(found.length / 4);
  const early = found.slice(quarter, 2 * quarter);
  const late = found.slice(-quarter);
  const grown = (pick: (stretch: Stretch) => number) =>
    median(late.map(pick)) / median(early.map(pick));
  const memory = grown(({ rss }) => rss);
  const time = grown(({ each }) => each);
  console.log(
    `${name}: the last quarter has ${
      memory.toFixed(2)
    } times the memory and takes ${
      time.toFixed(2)
    } times as long as the second`,
  );
  return [
    ...(memory > 1.15
      ? [`${name}: memory grew ${memory.toFixed(2)} times`]
      : []),
    ...(time > 1.5 ? [`${name}: slowed down ${time.toFixed(2)} times`] : []),
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function mebi(bytes: number): number {
  return bytes / 1024 / 1024;
}

function option(name: string, otherwise: number): number {
  const given = Deno.args.find((one) => one.startsWith(`--${name}=`));
  return given === undefined ? otherwise : Number(given.split("=")[1]);
}

const problems = [
  ...drift("cells", await soak("cells", option("cells", 100_000), runCell)),
  ...drift("turns", await soak("turns", option("turns", 10_000), runTurn)),
];
for (const problem of problems) console.error(problem);
Deno.exit(problems.length === 0 ? 0 : 1);
