import { assert, assertEquals, assertThrows } from "@std/assert";
import { MeterError } from "../../../src/code_mode/build/meter_error.ts";
import type { MeterOptions } from "../../../src/code_mode/build/meter.ts";
import { named } from "../../../src/code_mode/build/writer.ts";
import { metered, raw, start, wat } from "./modules.ts";

const memory = [5, 1, 0, 1] as const;

function refusal(
  module: string | Uint8Array<ArrayBuffer>,
  options: Partial<MeterOptions> = {},
): string {
  const bytes = typeof module === "string" ? wat(module) : module;
  return assertThrows(() => metered(bytes, options), MeterError).message;
}

/** What the meter adds to and keeps of a module's exports. */
function exportsOf(text: string): [name: string, kind: string][] {
  const module = new WebAssembly.Module(metered(wat(text)));
  return WebAssembly.Module.exports(module).map((one) => [one.name, one.kind]);
}

Deno.test("meter: one memory, of the module's own", () => {
  assertEquals(refusal(`(module)`), "There is no memory, at byte 0");
  assertEquals(
    refusal(raw([5, 2, 0, 1, 0, 1])),
    "There is a second memory, at byte 13",
  );
  assertEquals(
    refusal(`(module (import "env" "memory" (memory 1)))`),
    "Import env.memory is no function, at byte 11",
  );
});

Deno.test("meter: no memory that is shared, of 64 bits, or of odd pages", () => {
  for (const flags of [2, 3, 4, 5, 8, 0x80]) {
    const name = `0x${flags.toString(16).padStart(2, "0")}`;
    assertEquals(
      refusal(raw([5, 1, flags, 1, 1, 1])),
      `Unknown sort of limits ${name}, at byte 11`,
    );
  }
});

Deno.test("meter: the memory's maximum is the lower one", () => {
  const cases: readonly (readonly [string, number])[] = [
    ["1", 16],
    ["1 3", 3],
    ["1 16", 16],
    ["1 65536", 16],
    ["16", 16],
    ["0 0", 0],
  ];
  for (const [limits, maximum] of cases) {
    const text = `(module (memory (export "memory") ${limits})
      (func (export "grow") (param i32) (result i32)
        (memory.grow (local.get 0))))`;
    const instance = start(metered(wat(text)), 100_000);
    const pages = () => instance.memory.length / 65536;
    const missing = maximum - pages();
    assertEquals(instance.call("grow", missing + 1), { gave: -1 }, limits);
    assertEquals(instance.call("grow", missing), { gave: maximum - missing });
    assertEquals(instance.call("grow", 1), { gave: -1 });
    assertEquals(pages(), maximum);
  }
});

Deno.test("meter: a memory that begins with more than is allowed", () => {
  assertEquals(
    refusal(`(module (memory 17))`),
    "The memory begins with 17 pages, over 16, at byte 11",
  );
  assertEquals(
    refusal(`(module (memory 1 4))`, { maximumPages: 0 }),
    "The memory begins with 1 pages, over 0, at byte 11",
  );
});

Deno.test("meter: one mutable global at most, an i32", () => {
  const constant = "(global i64 (i64.const 1)) (global f32 (f32.const 1))";
  metered(wat(`(module (memory 1) ${constant})`));
  const two = wat(`(module (memory 1) (global (mut i32) (i32.const 0))
    (global i32 (i32.const 5)) (global (mut i32) (i32.const 0)))`);
  assertEquals(
    refusal(two),
    `A second mutable global, at byte ${two.length - 5}`,
  );
  for (const [type, code] of [["i64", 0x7e], ["f32", 0x7d], ["f64", 0x7c]]) {
    const bytes = wat(`(module (memory 1)
      (global (mut ${type}) (${type}.const 0)))`);
    const at = bytes.indexOf(Number(code), 13);
    assertEquals(
      refusal(bytes),
      `A mutable global of type 0x${Number(code).toString(16)}, at byte ${at}`,
    );
  }
  assertEquals(
    refusal(`(module (memory 1) (global (mut externref) (ref.null extern)))`),
    "A mutable global of type 0x6f, at byte 16",
  );
});

Deno.test("meter: an initial value with blocks, or that does not end", () => {
  const block = [6, 1, 0x7f, 0, 0x02, 0x40, 0x0b, 0x41, 0, 0x0b] as const;
  assertEquals(
    refusal(raw(memory, block)),
    "An initial value with blocks, at byte 20",
  );
  assertEquals(
    refusal(raw(memory, [6, 1, 0x7f, 0, 0x41, 0])),
    "Unexpected end, at byte 20",
  );
  metered(wat(
    `(module (memory 1) (global i32 (i32.add (i32.const 1) (i32.const 2))))`,
    { extended_const: true },
  ));
});

Deno.test("meter: exactly the imports that are expected, in their order", () => {
  const two = `(module (import "a" "b" (func)) (import "a" "c" (func))
    (memory 1))`;
  metered(wat(two), { imports: ["a.b", "a.c"] });
  const cases: readonly (readonly [string[], string])[] = [
    [[], "Unexpected import a.b, at byte 17"],
    [["a.b"], "Unexpected import a.c, at byte 23"],
    [["a.c", "a.b"], "Unexpected import a.b, at byte 17"],
    [["a.b", "a.c", "a.d"], "Missing import a.d, at byte 0"],
  ];
  for (const [imports, message] of cases) {
    assertEquals(refusal(two, { imports }), message);
  }
});

Deno.test("meter: imports that are no functions", () => {
  for (
    const what of [
      "global i32",
      "global (mut i32)",
      "table 1 funcref",
      "memory 1",
    ]
  ) {
    const message = refusal(`(module (import "a" "b" (${what})))`, {
      imports: ["a.b"],
    });
    assertEquals(message, "Import a.b is no function, at byte 11");
  }
  const tag = raw([2, 1, ...named("a"), ...named("b"), 4, 0, 0], memory);
  assertEquals(refusal(tag), "Import a.b is no function, at byte 11");
});

Deno.test("meter: types other than functions of plain values", () => {
  for (const sort of [0x5e, 0x5f, 0x50, 0x4e, 0x40]) {
    assertEquals(
      refusal(raw([1, 1, sort, 0, 0], memory)),
      `Unknown sort of type 0x${sort.toString(16)}, at byte 11`,
    );
  }
  for (const type of [0x7b, 0x63, 0x64, 0x6e]) {
    assertEquals(
      refusal(raw([1, 1, 0x60, 1, type, 0], memory)),
      `Unknown type 0x${type.toString(16)}, at byte 13`,
    );
  }
});

Deno.test("meter: segments that are passive, declared, or not of functions", () => {
  const table = `(memory 1) (table 1 funcref) (func $f)`;
  for (
    const [segment, sort] of [
      ["(elem func $f)", 1],
      ["(elem declare func $f)", 3],
      ["(elem (i32.const 0) funcref (ref.null func))", 4],
      ["(table 1 funcref) (elem (table 1) (i32.const 0) func $f)", 2],
    ] as const
  ) {
    const message = refusal(`(module ${table} ${segment})`);
    const expected = `Unknown sort of element segment 0x0${sort}, at byte `;
    assert(message.startsWith(expected), message);
  }
  assert(
    refusal(`(module (memory 1) (data "x"))`)
      .startsWith("Unknown sort of data segment 0x01, at byte "),
  );
  assertEquals(
    refusal(raw(memory, [11, 1, 2, 0, 0x41, 0, 0x0b, 0])),
    "Unknown sort of data segment 0x02, at byte 16",
  );
});

Deno.test("meter: tables with a first value for all are refused", () => {
  const filled = [4, 1, 0x40, 0, 0x70, 0, 1, 0xd0, 0x70, 0x0b] as const;
  assertEquals(refusal(raw(filled, memory)), "Unknown type 0x40, at byte 11");
});

Deno.test("meter: exports stay; the fuel, the pages and the stack pointer are added", () => {
  const module = (rest: string) =>
    `(module (memory (export "memory") 1) ${rest})`;
  const own = [["memory", "memory"]];
  const added = ["fuel", "pages", "page_limit"].map((name) => [name, "global"]);
  const pointer = ["__stack_pointer", "global"];
  assertEquals<unknown>(exportsOf(module("")), [...own, ...added]);
  const global = "(global (mut i32) (i32.const 7))";
  assertEquals<unknown>(exportsOf(module(global)), [...own, ...added, pointer]);
  assertEquals<unknown>(
    exportsOf(module(`${global} (export "__stack_pointer" (global 0))`)),
    [...own, pointer, ...added],
  );
});

Deno.test("meter: of the exports only those stay that are named", () => {
  const bytes = wat(`(module (memory (export "memory") 1)
    (func (export "one") (result i32) (i32.const 1))
    (func (export "two") (result i32) (i32.const 2)))`);
  const kept = metered(bytes, { exports: ["two", "none"] });
  assertEquals(
    WebAssembly.Module.exports(new WebAssembly.Module(kept))
      .map(({ name }) => name),
    ["two", "fuel", "pages", "page_limit"],
  );
  assertEquals(start(kept, 0).call("two"), { gave: 2 });
});

Deno.test("meter: the added exports are the globals that they say", () => {
  const instance = start(
    metered(wat(`(module (memory 1) (global i64 (i64.const 1))
      (global $sp (mut i32) (i32.const 7)) (global f32 (f32.const 1))
      (func (export "push") (result i32)
        (global.set $sp (i32.add (global.get $sp) (i32.const 1)))
        (loop) (global.get $sp)))`)),
    10,
  );
  instance.global("__stack_pointer").value = 100;
  assertEquals(instance.call("push"), { gave: 101 });
  assertEquals(instance.global("__stack_pointer").value, 101);
  assertEquals(instance.fuel, 9);
});

Deno.test("meter: names that the meter needs are taken", () => {
  const taken = (...exports: string[]) =>
    refusal(`(module (memory 1) (global (mut i32) (i32.const 0))
      (global i32 (i32.const 0)) (func $f) ${exports.join(" ")})`);
  const pointer = `(export "__stack_pointer" (global 0))`;
  for (const name of ["fuel", "pages", "page_limit"]) {
    const own = `(export "${name}" (func $f))`;
    for (const exports of [[own], [pointer, own], [own, pointer]]) {
      const message = taken(...exports);
      assert(
        message.startsWith(`The module already exports ${name}, at`),
        message,
      );
    }
  }
  for (const what of ["(global 1)", "(func $f)", "(memory 0)"]) {
    const message = taken(`(export "__stack_pointer" ${what})`);
    assert(message.startsWith("Unknown export __stack_pointer, at"), message);
  }
});
