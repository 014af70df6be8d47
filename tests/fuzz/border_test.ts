// The border between guest and host, from both sides: programs that do odd
// things, hosts that answer oddly, and messages in any order.

import { assert, assertEquals } from "@std/assert";
import type {
  CellCall,
  CellCallOutcome,
  CellRequest,
  CellResult,
} from "../../src/code_mode/cell.ts";
import { Journal } from "../../src/code_mode/journal.ts";
import type { CellLimits } from "../../src/code_mode/limits.ts";
import { defaultCellLimits } from "../support/cell_limits.ts";
import { operation } from "../../src/code_mode/protocol.ts";
import { cell, pool } from "../code_mode/cells.ts";
import { seededRandom } from "../support/ambient.ts";
import { mutated } from "../support/mutation.ts";
import { randomProgram } from "./programs.ts";

const limits: CellLimits = {
  ...defaultCellLimits,
  fuel: 8_000_000,
  memoryBytes: 4 * 1024 * 1024,
  calls: 6,
  outputBytes: 2_000,
  consoleBytes: 1_000,
  storeBytes: 500,
};

/** How the host answers a call: the same for the same program. */
function answer(
  { id, name, input }: CellCall,
  random: () => number,
): Promise<CellCallOutcome> {
  if (name === "hang") return new Promise(() => {});
  if (name === "echo" && id % 2 === 0) {
    return Promise.resolve({ ok: true, json: JSON.stringify(input) });
  }
  const json = JSON.stringify(mutated({ a: [1, { b: "c" }] }, random));
  if (name === "echo" || name === "find-items") {
    return Promise.resolve({ ok: true, json });
  }
  const error = { name: "ToolError", code: "x", message: json };
  return Promise.resolve({ ok: false, error: { ...error, retryable: true } });
}

/** Fires once everything that waits for a promise has gone on. */
function soon(_ms: number, fire: () => void): () => void {
  let cancelled = false;
  void (async () => {
    for (let tick = 0; tick < 100; tick++) await Promise.resolve();
    if (!cancelled) fire();
  })();
  return () => cancelled = true;
}

type Seen = { readonly result: CellResult; readonly calls: CellCall[] };

async function runOnce(body: string, seed: number): Promise<Seen> {
  const random = seededRandom(seed);
  const calls: CellCall[] = [];
  const request: CellRequest = cell(body, {
    limits,
    stored: { key: '{"kept":true}' },
    timer: soon,
    call: (made) => {
      calls.push(made);
      return answer(made, random);
    },
  });
  return { result: await pool.run(request), calls };
}

function assertWhole({ result, calls }: Seen, body: string): void {
  const { error, outcome, text, value } = result;
  assertEquals(outcome === "returned", error === undefined, body);
  // A fault of the engine's, or of the prelude's, has no other excuse.
  assert(error?.kind !== "engine", `${JSON.stringify(error)} for ${body}`);
  if (value !== undefined) JSON.parse(value);
  for (const json of Object.values(result.stored)) {
    if (json !== null) JSON.parse(json);
  }
  const ids = calls.map(({ id }) => id);
  const unstarted = result.unstartedCalls.map(({ id }) => id);
  const made = [...ids, ...unstarted];
  assertEquals(made, made.map((_, index) => index + 1), body);
  assert(made.length <= limits.calls, body);
  assert(result.unfinishedCalls.every((id) => ids.includes(id)), body);
  assert(result.refusedCalls.length <= limits.calls, body);
  assert(text.isWellFormed() && result.console.isWellFormed(), body);
  assert(text.length <= limits.outputBytes, body);
  assert(result.console.length <= limits.consoleBytes, body);
  assert(result.fuelUsed <= limits.fuel, body);
}

const untouched = `return [
  Object.getOwnPropertyNames(globalThis).length,
  JSON.stringify({ a: [1] }),
  await tools.echo({ b: 2 }),
  load("key"),
  Object.keys(Object.prototype).length + Array.prototype.push.length,
]`;

Deno.test("runCell: whatever a program does, its cell ends whole, and the next one sees nothing of it", async () => {
  const random = seededRandom(3);
  const fresh = await runOnce(untouched, 1);
  assertEquals(fresh.result.outcome, "returned");
  const ends: Record<string, number> = {};
  for (let round = 0; round < 1_000; round++) {
    const body = randomProgram(random);
    const seen = await runOnce(body, round);
    assertWhole(seen, body);
    const end = seen.result.error?.kind ?? seen.result.outcome;
    ends[end] = (ends[end] ?? 0) + 1;
    if (round % 10 === 0) {
      assertEquals(await runOnce(body, round), seen, body);
      assertEquals(await runOnce(untouched, 1), fresh, body);
    }
  }
  console.log(`cells: ${JSON.stringify(ends)}`);
  for (const kind of ["returned", "thrown", "fuel", "wait", "syntax"]) {
    assert(Object.hasOwn(ends, kind), `none ended by ${kind}`);
  }
});

const messages: readonly (readonly [op: number, text: string])[] = [
  [operation.call, '{"tool":"echo","input":[1]}'],
  [operation.refused, '{"tool":"echo","code":"encoding","message":"no"}'],
  [operation.text, "x".repeat(300)],
  [operation.console, "line".repeat(50)],
  [operation.store, `{"key":"k","value":"${"v".repeat(90)}"}`],
  [operation.store, '{"key":"other"}'],
  [operation.load, "k"],
  [operation.budget, ""],
  [operation.returned, '{"a":1}'],
  [operation.threw, '{"name":"E","message":"m","kind":"thrown"}'],
];

Deno.test("Journal: takes messages in any order within its limits, and none after the end", () => {
  const random = seededRandom(4);
  for (let round = 0; round < 500; round++) {
    const made: number[] = [];
    const journal = new Journal(
      cell("", { limits }),
      1,
      ({ id }) => made.push(id),
    );
    let taken = 0;
    let ended = false;
    for (let count = 0; count < 40; count++) {
      const [op, text] = messages[Math.floor(random() ** 1.2 * 10)] ?? [0, ""];
      const guess = random() < 0.9 ? made.length + 1 : count;
      const id = op === operation.call ? guess : 0;
      const { ok } = journal.take(op, id, text, text.length, 1);
      assert(!(ok && ended), "a message was taken after the end");
      if (ok) taken++;
      ended ||= journal.end !== undefined;
    }
    assert(taken > 0);
    assertEquals(made, made.map((_, index) => index + 1));
    assert(made.length <= limits.calls);
    assert(journal.refused.length <= limits.calls);
    const stored = JSON.stringify(journal.stored);
    assert(stored.length <= limits.storeBytes + 50);
    assert(`${journal.text}`.length <= limits.outputBytes);
    assert(`${journal.console}`.length <= limits.consoleBytes);
  }
});
