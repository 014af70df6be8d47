/**
 * Programs that a metered module must run as the original does.
 *
 * @module
 */

import type { Value } from "./modules.ts";

/** A module's text, and calls of its exports with what each gives. */
export type Program = {
  readonly name: string;
  readonly text: string;
  readonly calls: readonly (readonly [
    callee: string,
    values: readonly Value[],
    gives: unknown,
  ])[];
};

/** For a call that traps: a part of the message. */
export class Trap {
  constructor(readonly reason: string) {}
}

export const programs: readonly Program[] = [
  {
    name: "nested loops",
    // The sum of i * j * k, all three from n down to 1.
    text: `(module (memory 1)
      (func (export "run") (param $n i32) (result i32)
        (local $i i32) (local $j i32) (local $k i32) (local $sum i32)
        (local.set $i (local.get $n))
        (loop $one
          (local.set $j (local.get $n))
          (loop $two
            (local.set $k (local.get $n))
            (loop $three
              (local.set $sum (i32.add (local.get $sum) (i32.mul
                (local.get $i) (i32.mul (local.get $j) (local.get $k)))))
              (br_if $three (local.tee $k
                (i32.sub (local.get $k) (i32.const 1)))))
            (br_if $two (local.tee $j
              (i32.sub (local.get $j) (i32.const 1)))))
          (br_if $one (local.tee $i
            (i32.sub (local.get $i) (i32.const 1)))))
        (local.get $sum)))`,
    calls: [["run", [1], 1], ["run", [3], 216], ["run", [10], 55 ** 3]],
  },
  {
    name: "blocks and loops with parameters and results",
    // Fibonacci: the pair of numbers stays on the stack from round to round.
    text: `(module (memory 1)
      (func (export "run") (param $n i32) (result i32 i32)
        (local $a i32) (local $b i32)
        (i32.const 0) (i32.const 1)
        (block $out (param i32 i32) (result i32 i32)
          (br_if $out (i32.eqz (local.get $n)))
          (loop $next (param i32 i32) (result i32 i32)
            (local.set $b) (local.set $a)
            (local.set $n (i32.sub (local.get $n) (i32.const 1)))
            (local.get $b) (i32.add (local.get $a) (local.get $b))
            (br_if $next (local.get $n))))))`,
    calls: [["run", [0], [0, 1]], ["run", [1], [1, 1]], ["run", [10], [
      55,
      89,
    ]]],
  },
  {
    name: "a loop's result taken on its way out",
    text: `(module (memory 1)
      (func (export "run") (param $n i32) (result i64)
        (block $out (result i64)
          (loop $next (result i64)
            (br_if $out (i64.extend_i32_u (local.get $n))
              (i32.gt_u (local.get $n) (i32.const 99)))
            (drop)
            (local.set $n (i32.add (local.get $n) (i32.const 7)))
            (br $next)))))`,
    calls: [["run", [0], 105n], ["run", [100], 100n]],
  },
  {
    name: "br_table, to a loop's head, out of loops, with a value",
    text: `(module (memory 1)
      (func (export "run") (param $what i32) (result i32) (local $rounds i32)
        (block $out (result i32)
          (loop $outer (result i32)
            (local.set $rounds (i32.add (local.get $rounds) (i32.const 1)))
            (loop $inner (result i32)
              (local.set $rounds (i32.add (local.get $rounds) (i32.const 10)))
              (block $again (block $restart (block $leave
                (br_table $leave $restart $again $leave (local.get $what)))
                (br $out (local.get $rounds)))
                (local.set $what (i32.const 0)) (br $outer))
              (local.set $what (i32.const 1)) (br $inner))))
        (i32.const 1000) (i32.add)))
      `,
    calls: [
      ["run", [0], 1011],
      ["run", [1], 1022],
      ["run", [2], 1032],
      ["run", [3], 1011],
      ["run", [-1], 1011],
    ],
  },
  {
    name: "if and else, with and without results and parameters",
    text: `(module (memory 1)
      (func (export "run") (param $n i32) (result i32)
        (if (i32.eqz (local.get $n)) (then (return (i32.const -1))))
        (local.get $n)
        (if (param i32) (result i32) (i32.and (local.get $n) (i32.const 1))
          (then (i32.const 3) (i32.mul) (i32.const 1) (i32.add))
          (else (i32.const 1) (i32.shr_u)))))`,
    calls: [["run", [0], -1], ["run", [7], 22], ["run", [8], 4]],
  },
  {
    name: "recursion: self, mutual, deep, through a table",
    text: `(module (memory 1)
      (type $step (func (param i64) (result i64)))
      (table 3 funcref) (elem (i32.const 1) $down $stop)
      (func $factorial (export "factorial") (param i64) (result i64)
        (if (result i64) (i64.le_u (local.get 0) (i64.const 1))
          (then (i64.const 1))
          (else (i64.mul (local.get 0)
            (call $factorial (i64.sub (local.get 0) (i64.const 1)))))))
      (func $isEven (export "isEven") (param i32) (result i32)
        (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 1))
          (else (call $isOdd (i32.sub (local.get 0) (i32.const 1))))))
      (func $isOdd (param i32) (result i32)
        (if (result i32) (i32.eqz (local.get 0)) (then (i32.const 0))
          (else (call $isEven (i32.sub (local.get 0) (i32.const 1))))))
      (func $ackermann (export "ackermann") (param i32 i32) (result i32)
        (if (i32.eqz (local.get 0))
          (then (return (i32.add (local.get 1) (i32.const 1)))))
        (call $ackermann (i32.sub (local.get 0) (i32.const 1))
          (if (result i32) (local.get 1)
            (then (call $ackermann (local.get 0)
              (i32.sub (local.get 1) (i32.const 1))))
            (else (i32.const 1)))))
      (func $down (export "down") (param i64) (result i64)
        (i64.add (i64.const 2) (call_indirect (type $step)
          (i64.sub (local.get 0) (i64.const 1))
          (select (i32.const 2) (i32.const 1)
            (i64.le_s (local.get 0) (i64.const 1))))))
      (func $stop (param i64) (result i64) (i64.const 100)))`,
    calls: [
      ["factorial", [20n], 2432902008176640000n],
      ["isEven", [501], 0],
      ["isEven", [1000], 1],
      ["ackermann", [2, 3], 9],
      ["down", [50n], 200n],
    ],
  },
  {
    name: "memory.fill, memory.copy, also where they overlap, memory.init",
    text: `(module (memory (export "memory") 1)
      (data $gone (i32.const 100) "abcdef")
      (func (export "fill") (param i32 i32 i32)
        (memory.fill (local.get 0) (local.get 1) (local.get 2)))
      (func (export "copy") (param i32 i32 i32)
        (memory.copy (local.get 0) (local.get 1) (local.get 2)))
      (func (export "init") (param i32 i32 i32)
        (memory.init $gone (local.get 0) (local.get 1) (local.get 2))))`,
    calls: [
      ["fill", [10, 7, 20], undefined],
      ["copy", [102, 100, 4], undefined],
      ["copy", [15, 12, 20], undefined],
      ["fill", [65536, 1, 0], undefined],
      ["fill", [65530, 1, 7], new Trap("memory access out of bounds")],
      ["fill", [0, 1, -1], new Trap("memory access out of bounds")],
      ["copy", [0, 65535, 2], new Trap("memory access out of bounds")],
      ["init", [0, 0, 0], undefined],
      ["init", [0, 0, 1], new Trap("memory access out of bounds")],
    ],
  },
  {
    name: "a size that is a loop's parameter, and one in code that never runs",
    text: `(module (memory (export "memory") 1)
      (func (export "run") (param i32)
        (local.get 0) (i32.const 9) (i32.const 3)
        (loop (param i32 i32 i32) memory.fill)
        (return) (memory.fill)
        (loop (br 0))))`,
    calls: [["run", [50], undefined]],
  },
  {
    name: "select with a type, references, a table that is read",
    text: `(module (memory 1) (table $t 2 funcref) (elem (i32.const 1) $f)
      (func $f (export "f") (result i32) (i32.const 5))
      (func (export "pick") (param i32) (result f32)
        (select (result f32) (f32.const 1.5) (f32.const -0) (local.get 0)))
      (func (export "isNull") (param i32) (result i32)
        (ref.is_null (select (result funcref)
          (table.get $t (local.get 0)) (ref.null func) (local.get 0))))
      (func (export "isRefNull") (result i32) (ref.is_null (ref.func $f)))
      (func (export "size") (result i32) (table.size $t)))`,
    calls: [
      ["pick", [1], 1.5],
      ["pick", [0], -0],
      ["isNull", [0], 1],
      ["isNull", [1], 0],
      ["isNull", [2], new Trap("table index is out of bounds")],
      ["isRefNull", [], 0],
      ["size", [], 2],
    ],
  },
  {
    name: "sign extension and saturating truncation",
    text: `(module (memory 1)
      (func (export "extend") (param i64) (result i32 i32 i64 i64 i64)
        (i32.extend8_s (i32.wrap_i64 (local.get 0)))
        (i32.extend16_s (i32.wrap_i64 (local.get 0)))
        (i64.extend8_s (local.get 0)) (i64.extend16_s (local.get 0))
        (i64.extend32_s (local.get 0)))
      (func (export "saturate") (param f64)
        (result i32 i32 i32 i32 i64 i64 i64 i64) (local $f f32)
        (local.set $f (f32.demote_f64 (local.get 0)))
        (i32.trunc_sat_f32_s (local.get $f)) (i32.trunc_sat_f32_u (local.get $f))
        (i32.trunc_sat_f64_s (local.get 0)) (i32.trunc_sat_f64_u (local.get 0))
        (i64.trunc_sat_f32_s (local.get $f)) (i64.trunc_sat_f32_u (local.get $f))
        (i64.trunc_sat_f64_s (local.get 0)) (i64.trunc_sat_f64_u (local.get 0))))`,
    calls: [
      ["extend", [0x80808080n], [
        -128,
        -32640,
        -128n,
        -32640n,
        -2139062144n,
      ]],
      ["saturate", [NaN], [0, 0, 0, 0, 0n, 0n, 0n, 0n]],
      ["saturate", [-Infinity], [
        ...[-(2 ** 31), 0, -(2 ** 31), 0],
        ...[-(2n ** 63n), 0n, -(2n ** 63n), 0n],
      ]],
      ["saturate", [-1.5], [-1, 0, -1, 0, -1n, 0n, -1n, 0n]],
    ],
  },
];
