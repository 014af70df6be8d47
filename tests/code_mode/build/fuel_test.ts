import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Tariff } from "../../../src/code_mode/build/charge.ts";
import {
  fuelTrap,
  metered,
  plainTariff,
  type Running,
  stackTrap,
  start,
  type Value,
  wat,
} from "./modules.ts";

const most = 2 ** 31 - 1;

function running(
  text: string,
  fuel: number,
  tariff: Partial<Tariff> = {},
): Running {
  const options = { tariff: { ...plainTariff, ...tariff } };
  return start(metered(wat(text), options), fuel);
}

/** Bodies of functions that never end. */
const endlessLoops: Readonly<Record<string, string>> = {
  "br": `(loop (br 0))`,
  "br_if": `(loop (br_if 0 (i32.const 1)))`,
  "br_table": `(loop (br_table 0 0 (i32.const 7)))`,
  "br_table through blocks":
    `(loop $l (block (block (br_table 0 1 $l (i32.const 5)))) (br $l))`,
  "from within a block": `(loop $l (block (block (br $l))))`,
  "from within an if": `(loop $l (if (i32.const 1) (then (br $l))))`,
  "from within an else":
    `(loop $l (if (i32.const 0) (then (return)) (else (br $l))))`,
  "to the outer loop": `(loop $l (loop (br $l)))`,
  "to the outer loop, the inner one ends": `(loop $l (loop) (br $l))`,
  "to the inner loop": `(loop (loop $l (br $l)))`,
  "with parameters":
    `(i32.const 1) (i64.const 2) (loop $l (param i32 i64) (br $l))`,
  "with results": `(drop (loop $l (result i32) (br $l)))`,
  "a call a round": `(loop (call $leaf) (br 0))`,
  "an indirect call a round": `(loop (call_indirect (i32.const 0)) (br 0))`,
  "loads and stores":
    `(loop (i32.store (i32.const 0) (i32.load (i32.const 4))) (br 0))`,
  "memory that does not grow":
    `(loop (drop (memory.grow (i32.const 60000))) (br 0))`,
  "the stack pointer": `(loop (global.set $sp (i32.const 1)) (br 0))`,
  "sizes of zero":
    `(loop (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)) (br 0))`,
};

for (const [name, body] of Object.entries(endlessLoops)) {
  Deno.test(`fuel: ends a loop: ${name}`, () => {
    const instance = running(
      `(module (memory 1) (table 1 funcref) (elem (i32.const 0) $leaf)
        (global $sp (mut i32) (i32.const 0))
        (func $leaf) (func (export "run") ${body}))`,
      10_000,
    );
    assertEquals(instance.call("run"), fuelTrap);
    assert(instance.fuel < 0);
  });
}

/** Modules whose `run` calls itself without end. */
const endlessCalls: Readonly<Record<string, string>> = {
  "itself": `(func $run (export "run") (call $run))`,
  "itself, from within an if":
    `(func $run (export "run") (if (i32.const 1) (then (call $run))))`,
  "two in turn": `(func $a (export "run") (call $b)) (func $b (call $a))`,
  "three in turn, begun outside": `(func (export "run") (call $a))
    (func $a (call $b)) (func $b (call $c)) (func $c (call $a))`,
  "two cycles through one function":
    `(func $a (export "run") (call $b) (call $c))
    (func $b (call $a)) (func $c (call $a))`,
  "itself through a table": `(table 1 funcref) (elem (i32.const 0) $run)
    (func $run (export "run") (call_indirect (i32.const 0)))`,
  "another through a table, and back":
    `(table 2 funcref) (elem (i32.const 1) $b)
    (func $a (export "run") (call_indirect (i32.const 1)))
    (func $b (call $a))`,
  "through a table, by a type that is written twice":
    `(type $one (func)) (type $two (func)) (table 1 funcref)
    (elem (i32.const 0) $run)
    (func $run (export "run") (type $one)
      (call_indirect (type $two) (i32.const 0)))`,
  "from within a loop that runs once":
    `(func $a (export "run") (loop (call $b))) (func $b (call $a))`,
  "both from within loops":
    `(func $a (export "run") (loop (call $b))) (func $b (loop (call $a)))`,
  "many times each": `(func $run (export "run")
      (call $a) (call $a) (call $a)) (func $a (call $run) (call $run))`,
};

for (const [name, functions] of Object.entries(endlessCalls)) {
  const text = `(module (memory 1) ${functions})`;
  Deno.test(`fuel: ends recursion before the stack does: ${name}`, () => {
    const instance = running(text, 500, { entry: 1 });
    assertEquals(instance.call("run"), fuelTrap);
    assertEquals(instance.fuel, -1);
  });

  Deno.test(`fuel: leaves recursion to the stack where there is much: ${name}`, () => {
    const instance = running(text, most, { entry: 1 });
    assertEquals(instance.call("run"), { trap: stackTrap });
    assert(instance.fuel > 0);
  });
}

// The recursion is not deep, but would run for an age without a loop.
Deno.test("fuel: ends recursion that doubles at each step", () => {
  const fibonacci = `(module (memory 1)
    (func $f (export "run") (param i64) (result i64)
      (if (result i64) (i64.lt_u (local.get 0) (i64.const 2))
        (then (local.get 0))
        (else (i64.add
          (call $f (i64.sub (local.get 0) (i64.const 1)))
          (call $f (i64.sub (local.get 0) (i64.const 2))))))))`;
  const instance = running(fibonacci, 100_000, { entry: 1 });
  assertEquals(instance.call("run", 90n), fuelTrap);
  instance.fuel = 1000;
  assertEquals(instance.call("run", 10n), { gave: 55n });
  // fib(10) calls itself 177 times in all.
  assertEquals(instance.fuel, 1000 - 177);
});

const rounds = `(module (memory (export "memory") 1 1)
  (func $leaf (param i32) (result i32) (local.get 0))
  (func (export "loop") (param i32)
    (loop $l (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
  (func (export "nested") (param i32 i32) (local i32)
    (loop $one
      (local.set 2 (local.get 1))
      (loop $two
        (br_if $two (local.tee 2 (i32.sub (local.get 2) (i32.const 1)))))
      (br_if $one (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
  (func (export "straight") (param i32) (result i32)
    (block (if (local.get 0) (then (drop (call $leaf (i32.const 1))))))
    (call $leaf (local.get 0)))
  (func $down (export "down") (param i32)
    (if (local.get 0) (then
      (call $down (i32.sub (local.get 0) (i32.const 1))))))
  (func $ping (export "ping") (param i32)
    (if (local.get 0) (then (call $pong (local.get 0)))))
  (func $pong (param i32)
    (call $ping (i32.sub (local.get 0) (i32.const 1))))
  (func (export "fill") (param i32)
    (memory.fill (i32.const 0) (i32.const 7) (local.get 0)))
  (data $gone (i32.const 0) "")
  (func (export "init") (param i32)
    (memory.init $gone (i32.const 0) (i32.const 0) (local.get 0)))
  (func (export "copy") (param i32)
    (memory.copy (i32.const 1) (i32.const 0) (local.get 0))))`;

const costs: readonly (readonly [string, readonly Value[], number])[] = [
  ["straight", [5], 0],
  ["loop", [1], 3],
  ["loop", [1000], 3000],
  ["nested", [4, 5], 3 * (4 + 4 * 5)],
  ["down", [0], 10],
  ["down", [7], 80],
  // One of the two pays, once a turn.
  ["ping", [7], 80],
  ["fill", [0], 1],
  ["fill", [15], 1],
  ["fill", [16], 2],
  ["fill", [65536], 4097],
  ["copy", [4095], 256],
  ["init", [0], 1],
];

for (const [name, values, cost] of costs) {
  Deno.test(`fuel: ${name}(${values}) costs ${cost}, and not one less does`, () => {
    const tariff = { loop: () => 3, entry: 10 };
    const instance = running(rounds, cost, tariff);
    assert("gave" in instance.call(name, ...values));
    assertEquals(instance.fuel, 0);
    if (cost === 0) return;
    instance.fuel = cost - 1;
    assertEquals(instance.call(name, ...values), fuelTrap);
    assert(instance.fuel < 0);
  });
}

Deno.test("fuel: a size is paid for before anything is written", () => {
  const instance = running(rounds, 100);
  assertEquals(instance.call("fill", 65536), fuelTrap);
  assertEquals(instance.fuel, 100 - 4097);
  assert(instance.memory.every((byte) => byte === 0));
});

Deno.test("fuel: no size is so large that it gives fuel", () => {
  for (const size of [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 16, 2 ** 32 - 1]) {
    for (const sizeShift of [1, 2, 4, 31]) {
      const instance = running(rounds, 0, { sizeShift });
      const units = Math.floor(size / 2 ** sizeShift) + 1;
      for (const name of ["fill", "copy", "init"]) {
        instance.fuel = 0;
        assertEquals(instance.call(name, size), fuelTrap);
        assertEquals(instance.fuel, -units);
        instance.fuel = most;
        const end = instance.call(name, size);
        assertEquals(instance.fuel, most - units);
        const reason = most < units ? "unreachable" : "out of bounds";
        assertStringIncludes("trap" in end ? end.trap : "", reason);
      }
    }
  }
});

Deno.test("fuel: many large fills are as dear as their bytes", () => {
  const instance = running(
    `(module (memory 16) (func (export "run") (loop
      (memory.fill (i32.const 0) (i32.const 1) (i32.const 0x100000)) (br 0))))`,
    1_000_000,
  );
  assertEquals(instance.call("run"), fuelTrap);
  // 15 rounds of 1 + 65537 fit, the 16th's fill does not.
  assertEquals(instance.fuel, 1_000_000 - 16 * 65538);
});

Deno.test("fuel: the tariff sees a loop's own instructions and calls", () => {
  const seen: unknown[] = [];
  running(
    `(module (memory 1) (func $f) (func
      (loop) (loop (nop) (loop (drop (i32.const 1)) (call $f)) (nop))
      (loop (if (i32.const 1) (then (nop)) (else (nop))))
      (loop (drop (i32.div_u (i32.const 1) (i32.const 1))))
      (loop (drop (i64.rem_s (i64.const 1) (i64.const 1))))
      (loop (drop (i64.shl (i64.const 1) (i64.const 1))))
      (loop (block (call_indirect (i32.const 0)))))
      (table 1 funcref))`,
    0,
    {
      loop: ({ instructions, isHeavy }) => {
        seen.push([instructions, isHeavy]);
        return 1;
      },
    },
  );
  // The loop's own `end` counts, its `loop` counts for the one around it.
  assertEquals(seen, [
    [1, false],
    [4, false],
    [4, true],
    [7, false],
    [5, true],
    [5, true],
    [5, false],
    [5, true],
  ]);
});
