import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { MeterError } from "../../../src/code_mode/build/meter_error.ts";
import {
  firstDifference,
  fuelTrap,
  metered,
  plainTariff,
  raw,
  start,
  wat,
} from "./modules.ts";
import { morePrograms } from "./more_programs.ts";
import { programs, Trap } from "./programs.ts";

const plenty = 2 ** 31 - 1;
const allPrograms = [...programs, ...morePrograms];

for (const { name, text, calls } of allPrograms) {
  Deno.test(`meter: leaves what a program does: ${name}`, () => {
    const bytes = wat(text);
    const original = start(bytes, plenty);
    const paid = start(metered(bytes), plenty);
    for (const [callee, values, gives] of calls) {
      const call = `${callee}(${values.join(", ")})`;
      const end = original.call(callee, ...values);
      if (gives instanceof Trap) {
        assertStringIncludes("trap" in end ? end.trap : "", gives.reason, call);
      } else assertEquals(end, { gave: gives }, call);
      assertEquals(paid.call(callee, ...values), end, call);
      assertEquals(firstDifference(paid.memory, original.memory), -1, call);
    }
  });
}

Deno.test("meter: gives the same bytes each time, and leaves the source's", () => {
  for (const { name, text } of allPrograms) {
    const bytes = wat(text);
    const before = bytes.slice();
    assertEquals(firstDifference(metered(bytes), metered(bytes)), -1, name);
    assertEquals(firstDifference(bytes, before), -1, name);
  }
});

Deno.test("meter: imported functions are called as before, in their order", () => {
  const bytes = wat(`(module
    (import "env" "log" (func $log (param i32)))
    (import "other" "next" (func $next (param i64) (result i64)))
    (memory 1)
    (table 2 funcref) (elem (i32.const 0) $log $own)
    (func $own (param i32) (call $log (i32.mul (local.get 0) (i32.const 100))))
    (func (export "run") (param $n i32) (result i64)
      (memory.fill (i32.const 0) (i32.const 0) (i32.const 64))
      (call $log (local.get $n))
      (loop $l
        (call_indirect (param i32) (local.get $n)
          (i32.and (local.get $n) (i32.const 1)))
        (br_if $l (local.tee $n (i32.sub (local.get $n) (i32.const 1)))))
      (call $next (i64.const 41))))`);
  const imports = ["env.log", "other.next"];
  const runs = [bytes, metered(bytes, { imports })].map((module) => {
    const seen: unknown[] = [];
    const running = start(module, plenty, {
      env: { log: (value: number) => seen.push(value) },
      other: { next: (value: bigint) => value + 1n },
    });
    return { end: running.call("run", 3), seen };
  });
  const expected = { end: { gave: 42n }, seen: [3, 300, 2, 100] };
  assertEquals(runs, [expected, expected]);
});

Deno.test("meter: imports may all come from another module afterwards", () => {
  const text = (second: string) =>
    wat(`(module
      (import "env" "one" (func $one (result i32)))
      (import "other" "${second}" (func $two (param i32) (result i32)))
      (memory 1)
      (func (export "run") (result i32) (call $two (call $one))))`);
  const options = { imports: ["env.one", "other.two"], importModule: "./é.js" };
  const running = start(metered(text("two"), options), 0, {
    "./é.js": { one: () => 5, two: (value: number) => value * 2 },
  });
  assertEquals(running.call("run"), { gave: 10 });
  assertThrows(
    () =>
      metered(text("one"), { ...options, imports: ["env.one", "other.one"] }),
    MeterError,
    "A second import one, at byte ",
  );
});

Deno.test("meter: what an import throws comes out, and the fuel stays as it was", () => {
  class Thrown extends Error {}
  const bytes = wat(`(module (import "env" "f" (func $f)) (memory 1)
    (func (export "run") (loop (call $f))))`);
  const running = start(metered(bytes, { imports: ["env.f"] }), 10, {
    env: {
      f: () => {
        throw new Thrown();
      },
    },
  });
  assertThrows(() => running.call("run"), Thrown);
  assertEquals(running.fuel, 9);
});

Deno.test("meter: a start function runs while there is no fuel yet", () => {
  const quiet = wat(`(module (memory (export "memory") 1)
    (func $f (i32.store8 (i32.const 1) (i32.const 7))) (start $f))`);
  assertEquals(start(metered(quiet), 0).memory[1], 7);
  const busy = wat(`(module (memory 1) (func $f (loop)) (start $f))`);
  start(busy, 0);
  assertThrows(() => start(metered(busy), 0), WebAssembly.RuntimeError);
});

Deno.test("meter: a module without functions, exports, types", () => {
  const running = start(metered(wat(`(module (memory 1))`)), 5);
  assertEquals(running.fuel, 5);
  const exports = WebAssembly.Module.exports(
    new WebAssembly.Module(metered(wat(`(module (memory 1) (func (loop)))`))),
  );
  assertEquals(
    exports.map(({ name }) => name),
    ["fuel", "pages", "page_limit"],
  );
});

Deno.test("meter: sections that are there and empty", () => {
  const empty = (...ids: number[]) => ids.map((id) => [id, 0] as const);
  const memory = [5, 1, 0, 1] as const;
  start(
    metered(raw(...empty(1, 2, 3, 4), memory, ...empty(6, 7, 9, 10, 11))),
    1,
  );
});

Deno.test("meter: a trapped run can go on once there is fuel", () => {
  const bytes = wat(`(module (memory 1)
    (func (export "run") (param i32) (result i32)
      (loop $l (br_if $l (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
      (i32.const 9)))`);
  const running = start(metered(bytes), 3);
  assertEquals(running.call("run", 4), fuelTrap);
  assertEquals(running.fuel, -1);
  assertEquals(running.call("run", 1), fuelTrap);
  running.fuel = 4;
  assertEquals(running.call("run", 4), { gave: 9 });
  assertEquals(running.fuel, 0);
});

Deno.test("meter: a module that is not valid is refused", () => {
  const invalid = raw(
    ...[[1, 1, 0x60, 0, 1, 0x7f], [3, 1, 0], [5, 1, 0, 1]] as const,
    [10, 1, 2, 0, 0x0b],
  );
  assertThrows(
    () => metered(invalid),
    MeterError,
    "The module is not valid, at byte 0",
  );
  const more = [[5, 1, 0, 1], [10, 1, 2, 0, 0x0b]] as const;
  assertThrows(() => metered(raw(...more)), MeterError, "is not valid");
});

Deno.test("meter: what it made is checked too", () => {
  assertThrows(
    () => metered(wat(`(module (memory 1))`), { maximumPages: 65537 }),
    MeterError,
    "The module is not valid once it is metered",
  );
});

Deno.test("meter: a tariff that would take nothing, or give, is refused", () => {
  const bytes = wat(`(module (memory 1)
    (func $f (call $f)) (func (loop)
      (memory.fill (i32.const 0) (i32.const 0) (i32.const 0))))`);
  for (const units of [0, -1, 0.5, NaN, 2 ** 31, Infinity]) {
    for (const tariff of [{ loop: () => units }, { entry: units }]) {
      assertThrows(
        () => metered(bytes, { tariff: { ...plainTariff, ...tariff } }),
        RangeError,
        `Units must be a whole number from 1 on: ${units}`,
      );
    }
  }
  for (const sizeShift of [0, -1, 1.5, NaN, 32]) {
    assertThrows(
      () => metered(bytes, { tariff: { ...plainTariff, sizeShift } }),
      RangeError,
      `Size shift must be from 1 to 31: ${sizeShift}`,
    );
  }
});
