/**
 * More programs that a metered module must run as the original does: traps,
 * numbers, code that never runs, what a module declares.
 *
 * @module
 */

import { type Program, Trap } from "./programs.ts";

export const morePrograms: readonly Program[] = [
  {
    name: "traps stay traps, each with its own message",
    text: `(module (memory 1)
      (type $none (func)) (type $other (func (param i32)))
      (table 2 funcref) (elem (i32.const 0) $f)
      (func $f (type $none))
      (func (export "unreachable") unreachable)
      (func (export "divide") (param i32 i32) (result i32)
        (i32.div_s (local.get 0) (local.get 1)))
      (func (export "remainder") (param i64 i64) (result i64)
        (i64.rem_u (local.get 0) (local.get 1)))
      (func (export "load") (param i32) (result i32)
        (i32.load offset=4 (local.get 0)))
      (func (export "truncate") (param f64) (result i32)
        (i32.trunc_f64_s (local.get 0)))
      (func (export "indirect") (param i32)
        (call_indirect (type $none) (local.get 0)))
      (func (export "wrong")
        (call_indirect (type $other) (i32.const 0) (i32.const 0)))
      (func (export "inLoop") (param i32) (result i32)
        (loop $l
          (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
          (br_if $l (i32.div_u (i32.const 6) (local.get 0))))
        (local.get 0)))`,
    calls: [
      ["unreachable", [], new Trap("unreachable")],
      ["divide", [1, 0], new Trap("divide by zero")],
      ["divide", [-(2 ** 31), -1], new Trap("divide result unrepresentable")],
      ["divide", [-7, 2], -3],
      ["remainder", [7n, 0n], new Trap("remainder by zero")],
      ["load", [65528], 0],
      ["load", [65529], new Trap("memory access out of bounds")],
      ["load", [-1], new Trap("memory access out of bounds")],
      [
        "truncate",
        [2 ** 31],
        new Trap("float unrepresentable in integer range"),
      ],
      ["truncate", [NaN], new Trap("float unrepresentable in integer range")],
      ["indirect", [0], undefined],
      ["indirect", [1], new Trap("null function")],
      ["indirect", [2], new Trap("table index is out of bounds")],
      ["wrong", [], new Trap("signature mismatch")],
      ["inLoop", [3], new Trap("divide by zero")],
      ["inLoop", [9], 8],
      ["inLoop", [0], -1],
    ],
  },
  {
    name: "constants of every type and length",
    text: `(module (memory 1)
      (func (export "i32") (result i32 i32 i32 i32 i32 i32)
        (i32.const 0) (i32.const 63) (i32.const 64) (i32.const -64)
        (i32.const 0x7fffffff) (i32.const 0x80000000))
      (func (export "i64") (result i64 i64 i64 i64)
        (i64.const -1) (i64.const 0x0b0b0b0b0b0b0b0b)
        (i64.const 0x7fffffffffffffff) (i64.const 0x8000000000000000))
      (func (export "f32") (result f32 f32 f32 f32)
        (f32.const -0) (f32.const inf) (f32.const 0x1p-149) (f32.const nan))
      (func (export "f64") (result f64 f64 f64 f64)
        (f64.const -inf) (f64.const 0x1p-1074) (f64.const nan)
        (f64.const 1.7976931348623157e308))
      (func (export "bits") (result i64 i32)
        (i64.reinterpret_f64 (f64.const nan:0x40b0b0b0b0303))
        (i32.reinterpret_f32 (f32.const nan:0x430b0b))))`,
    calls: [
      ["i32", [], [0, 63, 64, -64, 2 ** 31 - 1, -(2 ** 31)]],
      ["i64", [], [
        -1n,
        0x0b0b0b0b0b0b0b0bn,
        2n ** 63n - 1n,
        -(2n ** 63n),
      ]],
      ["f32", [], [-0, Infinity, 2 ** -149, NaN]],
      ["f64", [], [-Infinity, 2 ** -1074, NaN, 1.7976931348623157e308]],
      ["bits", [], [0x7ff40b0b0b0b0303n, 0x7fc30b0b]],
    ],
  },
  {
    name: "locals of every type, tees, globals, the one that changes",
    text: `(module (memory 1)
      (global $sp (mut i32) (i32.const 1024))
      (global $big i64 (i64.const -5)) (global $half f64 (f64.const 0.5))
      (global $none externref (ref.null extern))
      (func (export "push") (param $n i32) (result i32)
        (local $a i64) (local $b f32) (local $c f64) (local $d i32) (local $e i32)
        (global.set $sp (local.tee $d
          (i32.sub (global.get $sp) (local.get $n))))
        (local.get $d))
      (func (export "read") (result i32 i64 f64)
        (global.get $sp) (global.get $big) (global.get $half)))`,
    calls: [
      ["push", [16], 1008],
      ["push", [8], 1000],
      ["read", [], [1000, -5n, 0.5]],
    ],
  },
  {
    name: "code that never runs, with loops and sizes in it",
    text: `(module (memory 1)
      (func (export "run") (param i32) (result i32)
        (block $out
          (br_if $out (local.get 0))
          (return (i32.const 1))
          (loop $l (result i32) (unreachable) (memory.copy) (br $l)) (drop))
        (block (result i32)
          (br 0 (i32.const 2))
          (loop (result i32) (unreachable) (i32.add)))
        (return)
        (if (then (loop (br 0))) (else (br 0) (memory.fill)))
        (unreachable)))`,
    calls: [["run", [0], 1], ["run", [1], 2]],
  },
  {
    name: "calls in loops, and loops without rounds",
    text: `(module (memory 1)
      (func $add (param i32 i32) (result i32)
        (loop) (loop (nop)) (i32.add (local.get 0) (local.get 1)))
      (func (export "run") (param $n i32) (result i32) (local $sum i32)
        (loop $l
          (local.set $sum (call $add (local.get $sum) (local.get $n)))
          (if (i32.gt_s (local.get $n) (i32.const 0)) (then
            (local.set $n (i32.sub (local.get $n) (i32.const 1)))
            (br $l))))
        (local.get $sum)))`,
    calls: [["run", [100], 5050], ["run", [-3], -3]],
  },
  {
    name: "memory that grows within what is allowed, and data in it",
    text: `(module (memory (export "memory") 1 4)
      (data (i32.const 8) "\\ff\\fe") (data (i32.const 65535) "!")
      (func (export "size") (result i32) (memory.size))
      (func (export "grow") (param i32) (result i32)
        (memory.grow (local.get 0)))
      (func (export "store") (param i32 i32)
        (i64.store32 align=1 (local.get 0) (i64.extend_i32_s (local.get 1)))))`,
    calls: [
      ["store", [65536, 1], new Trap("memory access out of bounds")],
      ["grow", [2], 1],
      ["store", [65536, 1], undefined],
      ["grow", [2], -1],
      ["size", [], 3],
    ],
  },
  {
    name: "a function that has the type of the meter's own",
    text: `(module (memory (export "memory") 1)
      (table 1 funcref) (elem (i32.const 0) $twice)
      (func $twice (param i32) (result i32)
        (i32.shl (local.get 0) (i32.const 1)))
      (func (export "run") (param i32) (result i32)
        (memory.fill (i32.const 0) (i32.const 3) (i32.const 40))
        (call_indirect (param i32) (result i32) (local.get 0) (i32.const 0))))`,
    calls: [["run", [21], 42]],
  },
  {
    name: "more than 127 functions, a body over 127 bytes long",
    text: `(module (memory 1)
      ${
      Array.from(
        { length: 150 },
        (_, index) =>
          `(func $f${index} (result i32) (i32.const ${index * 100}))`,
      ).join("\n")
    }
      (func (export "run") (result i32) (local i32)
        (memory.fill (i32.const 0) (i32.const 1) (i32.const 16))
        (loop (local.set 0 (i32.const 0))
        ${
      Array.from(
        { length: 150 },
        (_, index) => `(local.set 0 (i32.add (local.get 0) (call $f${index})))`,
      ).join("\n")
    })
        (local.get 0)))`,
    calls: [["run", [], 100 * 150 * 149 / 2]],
  },
];
