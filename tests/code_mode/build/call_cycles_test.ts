import { assert, assertEquals } from "@std/assert";
import { entriesToPay } from "../../../src/code_mode/build/call_cycles.ts";
import type { Declarations } from "../../../src/code_mode/build/declarations.ts";
import { readDeclarations } from "../../../src/code_mode/build/declarations.ts";
import { scanCode } from "../../../src/code_mode/build/scan.ts";
import { readSections } from "../../../src/code_mode/build/sections.ts";
import { wat } from "./modules.ts";
import { randomFrom } from "./random.ts";

/** The functions that pay in a module, imported ones not numbered. */
function paid(functions: string): number[] {
  const bytes = wat(`(module ${functions} (memory 1))`);
  const sections = readSections(bytes);
  const declared = readDeclarations(bytes, sections);
  return [...entriesToPay(declared, scanCode(bytes, sections))].sort();
}

Deno.test("entriesToPay: none without a cycle, however often they call", () => {
  assertEquals(paid(``), []);
  assertEquals(paid(`(func)`), []);
  assertEquals(
    paid(
      `(func $a (call $b) (call $c) (call $b)) (func $b (call $c)) (func $c)`,
    ),
    [],
  );
});

Deno.test("entriesToPay: one that calls itself, those before and after not", () => {
  assertEquals(
    paid(`(func (call $a)) (func $a (call $a) (call $b)) (func $b)`),
    [1],
  );
});

Deno.test("entriesToPay: one of a cycle is enough", () => {
  const three = `(func $a (call $b)) (func $b (call $c)) (func $c (call $a))`;
  assertEquals(paid(three).length, 1);
});

Deno.test("entriesToPay: one pays for all cycles that go through it", () => {
  assertEquals(
    paid(`(func $a (call $hub)) (func $b (call $hub)) (func $c (call $hub))
      (func $hub (call $a) (call $b) (call $c))`),
    [3],
  );
});

Deno.test("entriesToPay: cycles without a function in common each have one", () => {
  assertEquals(
    paid(
      `(func $a (call $a)) (func $b (call $a) (call $c)) (func $c (call $c))`,
    ),
    [0, 2],
  );
});

Deno.test("entriesToPay: a call within a loop is paid for by the loop", () => {
  assertEquals(paid(`(func $a (loop (call $a)))`), []);
  assertEquals(
    paid(`(func $a (loop (block (if (i32.const 1) (then (call $a))))))`),
    [],
  );
  assertEquals(paid(`(func $a (loop (loop)) (call $a))`), [0]);
  assertEquals(paid(`(func $a (block (loop) (call $a)))`), [0]);
  assertEquals(
    paid(`(func $a (if (i32.const 1) (then (loop)) (else (call $a))))`),
    [0],
  );
  assertEquals(paid(`(func $a (loop (call $b))) (func $b (call $a))`), []);
});

Deno.test("entriesToPay: through a table, any of the right type in it may come", () => {
  const table =
    `(table 4 funcref) (type $v (func)) (type $i (func (param i32)))`;
  const call = `(call_indirect (type $v) (i32.const 0))`;
  const inTable = (names: string) => `(elem (i32.const 0) ${names})`;
  assertEquals(paid(`${table} ${inTable("$a")} (func $a ${call})`), [0]);
  assertEquals(paid(`${table} (func $a ${call})`), []);
  assertEquals(
    paid(`${table} ${inTable("$b")} (func $a ${call}) (func $b (param i32))`),
    [],
  );
  assertEquals(
    paid(`${table} ${inTable("$b")} (func $a ${call}) (func $b (call $a))`)
      .length,
    1,
  );
  assertEquals(
    paid(`${table} (type $same (func)) ${inTable("$a")}
      (func $a (type $same) ${call})`),
    [0],
  );
  assertEquals(paid(`${table} ${inTable("$a")} (func $a (loop ${call}))`), []);
  assertEquals(
    paid(`${table} ${inTable("$b $a")} (elem (i32.const 2) $b $c)
      (func $a) (func $b) (func $c ${call})`),
    [2],
  );
});

Deno.test("entriesToPay: imported functions end a chain, and do not shift it", () => {
  const imports = `(import "a" "b" (func $x)) (import "a" "c" (func $y))`;
  assertEquals(paid(`${imports} (func $a (call $x) (call $y))`), []);
  assertEquals(paid(`${imports} (func (call $x)) (func $b (call $b))`), [1]);
  assertEquals(
    paid(`${imports} (table 2 funcref) (elem (i32.const 0) $x $y)
      (func (call_indirect (i32.const 0)))`),
    [],
  );
  assertEquals(
    paid(`${imports} (table 2 funcref) (elem (i32.const 0) $x $b)
      (func) (func $b (call_indirect (i32.const 0)))`),
    [1],
  );
});

/** Bodies that call as a graph says, each function by number. */
function payersIn(calls: readonly (readonly number[])[]): Set<number> {
  const declared: Declarations = {
    types: [">"],
    imports: [],
    functionTypes: calls.map(() => ">"),
    memory: { at: 0, minimum: 1, maximum: undefined },
    globals: 0,
    mutableGlobal: undefined,
    exports: [],
    tableFunctions: new Set(),
    startFunctions: [],
  };
  return entriesToPay(
    declared,
    calls.map((callees) => ({
      ...{ start: 0, code: 0, end: 0, loops: [] },
      ...{ otherCalls: [], sized: [], sizes: [], grows: [] },
      calls: callees.map((index) => ({ isIndirect: false, index })),
    })),
  );
}

/** What can be reached from where, by calls that enter none of `without`. */
function reachable(
  calls: readonly (readonly number[])[],
  from: number,
  without: ReadonlySet<number>,
): Set<number> {
  const seen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const callee of calls[at] ?? []) {
      if (seen.has(callee) || without.has(callee)) continue;
      seen.add(callee);
      open.push(callee);
    }
  }
  return seen;
}

Deno.test("entriesToPay: leaves no cycle unpaid in any of 500 graphs", () => {
  const random = randomFrom(7);
  let withCycles = 0;
  for (let round = 0; round < 500; round++) {
    const size = 1 + random(14);
    const calls = Array.from(
      { length: size },
      () => Array.from({ length: random(3) }, () => random(size)),
    );
    const hasCycle = (without: ReadonlySet<number>) =>
      calls.some((_, index) => reachable(calls, index, without).has(index));
    const payers = payersIn(calls);
    assert(!hasCycle(payers), JSON.stringify(calls));
    assertEquals(payers.size > 0, hasCycle(new Set()), JSON.stringify(calls));
    if (payers.size > 0) withCycles++;
  }
  assert(withCycles > 100 && withCycles < 450, String(withCycles));
});
