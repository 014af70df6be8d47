import { assert, assertEquals } from "@std/assert";
import { readDeclarations } from "../../../src/code_mode/build/declarations.ts";
import { reachableFunctions } from "../../../src/code_mode/build/reachable.ts";
import { scanCode } from "../../../src/code_mode/build/scan.ts";
import { readSections } from "../../../src/code_mode/build/sections.ts";
import { meter } from "../../../src/code_mode/build/meter.ts";
import { tariff } from "../../../src/code_mode/build/tariff.ts";
import { disassemble, wat } from "./modules.ts";

const module = wat(`(module
  (import "env" "host" (func $host))
  (memory 1)
  (table funcref (elem $held))
  (func $first (call $host) (call $inner))
  (func $inner (loop (call $looped)))
  (func $looped)
  (func $held)
  (func $second (call $onlySecond))
  (func $onlySecond (call $second))
  (func $never (call $first))
  (func $started)
  (start $started)
  (export "first" (func $first))
  (export "second" (func $second)))`);

function reached(exports: readonly string[]): number[] {
  const sections = readSections(module);
  const declared = readDeclarations(module, sections);
  const bodies = scanCode(module, sections);
  return [...reachableFunctions(declared, bodies, exports)].sort();
}

Deno.test("reachableFunctions follows exports, calls, loops, tables and the start", () => {
  assertEquals(reached(["first"]), [0, 1, 2, 3, 7]);
  assertEquals(reached([]), [3, 7]);
});

Deno.test("reachableFunctions follows every export that stays", () => {
  assertEquals(reached(["first", "second"]), [0, 1, 2, 3, 4, 5, 7]);
});

Deno.test("reachableFunctions keeps a function that is only named", () => {
  const naming = wat(
    `(module (memory 1) (func $a) (func (drop (ref.func $a)))
      (elem declare func $a) (export "b" (func 1)))`,
    { reference_types: true },
  );
  // A declared segment is refused before, so only the code is read here.
  const bodies = scanCode(naming, readSections(naming));
  assertEquals(bodies[1]?.otherCalls, [{ isIndirect: false, index: 0 }]);
});

Deno.test("the meter drops the code of what no kept export reaches, and nothing else", () => {
  const source = wat(`(module
    (memory 1)
    (func (export "kept") (param i32) (result i32)
      local.get 0 call $double)
    (func $double (param i32) (result i32)
      local.get 0 i32.const 2 i32.mul)
    (func (export "dropped") (result i32)
      i32.const 41 i32.const 1 i32.add))`);
  const metered = (exports: readonly string[]) =>
    meter(source, { maximumPages: 2, imports: [], exports, tariff });
  const small = metered(["kept"]);
  const { kept } = new WebAssembly.Instance(new WebAssembly.Module(small))
    .exports;
  assert(typeof kept === "function");
  assertEquals(kept(21), 42);
  assert(!disassemble(small).includes("i32.const 41"));
  const { dropped } = new WebAssembly.Instance(
    new WebAssembly.Module(metered(["kept", "dropped"])),
  ).exports;
  assert(typeof dropped === "function");
  assertEquals(dropped(), 42);
});

Deno.test("the meter keeps all code where no exports are chosen", () => {
  const source = wat(`(module
    (memory 1)
    (func $unused (result i32) i32.const 41))`);
  const metered = meter(source, { maximumPages: 2, imports: [], tariff });
  assert(disassemble(metered).includes("i32.const 41"));
});
