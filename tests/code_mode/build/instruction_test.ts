import { assert, assertEquals, assertThrows } from "@std/assert";
import { readInstruction } from "../../../src/code_mode/build/instruction.ts";
import { MeterError } from "../../../src/code_mode/build/meter_error.ts";
import { Reader } from "../../../src/code_mode/build/reader.ts";
import {
  bodyOf,
  type Features,
  firstDifference,
  metered,
  raw,
  start,
  wat,
} from "./modules.ts";

const end = 0x0b;

/** Every first byte that begins an instruction, with the shortest that may follow. */
function shortest(first: number): readonly number[] | undefined {
  if (first <= 0x01 || first === 0x05 || first === end) return [];
  if (first >= 0x02 && first <= 0x04) return [0x40];
  if (first === 0x0c || first === 0x0d || first === 0x10) return [0];
  if (first === 0x0e) return [0, 0];
  if (first === 0x0f || first === 0x1a || first === 0x1b) return [];
  if (first === 0x11) return [0, 0];
  if (first === 0x1c) return [1, 0x7f];
  if (first >= 0x20 && first <= 0x25) return [0];
  if (first >= 0x28 && first <= 0x3e) return [0, 0];
  if (first >= 0x3f && first <= 0x42) return [0];
  if (first === 0x43) return [0, 0, 0, 0];
  if (first === 0x44) return [0, 0, 0, 0, 0, 0, 0, 0];
  if (first >= 0x45 && first <= 0xc4) return [];
  if (first === 0xd0) return [0x70];
  if (first === 0xd1) return [];
  return first === 0xd2 ? [0] : undefined;
}

/** The same for what follows the prefix 0xfc. */
const prefixed: ReadonlyMap<number, readonly number[]> = new Map([
  ...Array.from({ length: 8 }, (_, at): [number, number[]] => [at, []]),
  [8, [0, 0]],
  [10, [0, 0]],
  [11, [0]],
  [16, [0]],
]);

function read(...bytes: number[]): number {
  const reader = new Reader(Uint8Array.from(bytes));
  readInstruction(reader);
  return reader.at;
}

function refusal(...bytes: number[]): string {
  return assertThrows(() => read(...bytes), MeterError).message;
}

Deno.test("readInstruction: knows every instruction's length, and no other byte", () => {
  for (let first = 0; first <= 0xff; first++) {
    if (first === 0xfc) continue;
    const rest = shortest(first);
    const name = `0x${first.toString(16).padStart(2, "0")}`;
    if (rest === undefined) {
      const message = refusal(first, 0, 0, 0);
      assertEquals(message, `Unknown instruction ${name}, at byte 0`);
    } else {
      assertEquals(read(first, ...rest, 0, 0, 0), 1 + rest.length, name);
      if (rest.length === 0) continue;
      const cut = refusal(first, ...rest.slice(0, -1));
      assert(cut.startsWith("Unexpected end"), `${name}: ${cut}`);
    }
  }
});

Deno.test("readInstruction: knows every instruction behind the prefix, and no other", () => {
  for (let second = 0; second < 600; second++) {
    const bytes = [0xfc, second & 0x7f | 0x80, second >> 7];
    const rest = prefixed.get(second);
    if (rest === undefined) {
      const name = `0xfc 0x${second.toString(16).padStart(2, "0")}`;
      const message = refusal(...bytes, 0, 0);
      assertEquals(message, `Unknown instruction ${name}, at byte 0`);
    } else assertEquals(read(...bytes, ...rest, 0, 0), 3 + rest.length);
  }
  assert(refusal(0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f).includes("0xffffffff"));
  assert(refusal(0xfc, 0xff, 0xff, 0xff, 0xff, 0x1f).includes("32 bits"));
});

Deno.test("readInstruction: br_table has one label more than it counts", () => {
  assertEquals(read(0x0e, 3, 0, 1, 2, 3, end), 6);
  assertEquals(read(0x0e, 1, 0x80, 0x00, 0x81, 0x80, 0x00, end), 7);
  assertEquals(refusal(0x0e, 2, 0, 1), "Unexpected end, at byte 4");
  const many = refusal(0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f, 0);
  assertEquals(many, "Unexpected end, at byte 7");
});

Deno.test("readInstruction: numbers may be padded, up to their longest form", () => {
  assertEquals(read(0x10, 0x81, 0x80, 0x80, 0x80, 0x00, end), 6);
  assertEquals(read(0x41, 0xff, 0xff, 0xff, 0xff, 0x7f, end), 6);
  assertEquals(read(0x42, ...Array(9).fill(0x80), 0x00, end), 11);
  assertEquals(read(0x28, 0x82, 0x00, 0x80, 0x80, 0x00, end), 6);
  const long = "A number is over 5 bytes long, at byte 1";
  assertEquals(refusal(0x41, ...Array(5).fill(0x80), 0), long);
  const longer = "A number is over 10 bytes long, at byte 1";
  assertEquals(refusal(0x42, ...Array(10).fill(0x80), 0), longer);
  const large = "A number does not fit 32 bits, at byte 1";
  assertEquals(refusal(0x10, 0x80, 0x80, 0x80, 0x80, 0x10), large);
});

Deno.test("readInstruction: a block's type is a known one or a type's index", () => {
  for (const type of [0x40, 0x7f, 0x7e, 0x7d, 0x7c, 0x70, 0x6f, 0, 0x3f]) {
    assertEquals(read(0x02, type, end), 2);
  }
  assertEquals(read(0x03, 0xc0, 0x00, end), 3);
  assertEquals(read(0x04, 0x80, 0x80, 0x80, 0x80, 0x00, end), 6);
  for (const type of [0x7b, 0x64, 0x63, 0x6e, 0x69, 0x41]) {
    const message = `Unknown type 0x${type.toString(16)}, at byte 1`;
    assertEquals(refusal(0x02, type, 0x70), message);
  }
  assertEquals(refusal(0x02, 0xe3, 0x7f, 0), "Unknown type 0xe3, at byte 1");
});

Deno.test("readInstruction: only null functions and null externals", () => {
  assertEquals([read(0xd0, 0x70, 0), read(0xd0, 0x6f, 0)], [2, 2]);
  for (const type of [0x69, 0x6e, 0x73, 0, 0x80]) {
    assert(refusal(0xd0, type, 0).startsWith("Unknown type 0x"));
  }
});

Deno.test("readInstruction: no memory but the first", () => {
  for (const instruction of [[0x3f], [0x40], [0xfc, 11], [0xfc, 8, 0]]) {
    const message = `Unknown memory 0x01, at byte ${instruction.length}`;
    assertEquals(refusal(...instruction, 1), message);
  }
  assertEquals(refusal(0xfc, 10, 0, 1), "Unknown memory 0x01, at byte 3");
  assertEquals(refusal(0xfc, 10, 1, 0), "Unknown memory 0x01, at byte 2");
  // The bit that says which memory, and the one that orders accesses.
  for (const alignment of [0x40, 0x42, 0x20, 5]) {
    const message = `Unknown alignment ${alignment}, at byte 1`;
    assertEquals(refusal(0x28, alignment, 0, 0), message);
  }
});

// The heads of two blocks, which both take three bytes. Read as if they took
// two, they turn an endless loop into an indirect call.
Deno.test("meter: a loop cannot hide behind a type that takes more bytes", () => {
  const types = Array.from({ length: 18 }, () => [0x60, 0, 0]).flat();
  const body = [
    ...[0, 0x02, 0x63, 0x02, 0x01, 0xd0, 0x02, end, 0x1a],
    ...[0x02, 0x63, 0x11, 0x03, 0x40, 0x0c, 0, end, 0xd0, 0x11, end, 0x1a],
    end,
  ];
  const module = raw(
    ...[[1, 18, ...types], [3, 1, 0], [4, 1, 0x70, 0, 1], [
      5,
      1,
      0,
      1,
    ]] as const,
    [10, 1, body.length, ...body],
  );
  assert(WebAssembly.validate(module));
  assertThrows(() => metered(module), MeterError, "Unknown type 0x63");
});

const refused: readonly (readonly [
  name: string,
  text: string,
  bytes: readonly number[],
  features?: Features,
])[] = [
  ["return_call", `(return_call $f)`, [0x12, 0], { tail_call: true }],
  [
    "return_call_indirect",
    `(return_call_indirect (i32.const 0))`,
    [0x13, 0, 0],
    { tail_call: true },
  ],
  ["try", `(try (do) (catch_all))`, [0x06, 0x40], { exceptions: true }],
  [
    "try_table",
    `(block (try_table (catch_all 0)))`,
    [0x1f, 0x40],
    { exceptions: true },
  ],
  [
    "SIMD",
    `(drop (i8x16.splat (i32.const 0)))`,
    [0xfd, 0x0f],
    { simd: true },
  ],
  [
    "atomics",
    `(drop (i32.atomic.load (i32.const 0)))`,
    [0xfe, 0x10],
    { threads: true },
  ],
  [
    "table.set",
    `(table.set (i32.const 0) (ref.null func))`,
    [0x26, 0],
  ],
  [
    "table.grow",
    `(drop (table.grow (ref.null func) (i32.const 0)))`,
    [0xfc, 0x0f],
  ],
  [
    "table.fill",
    `(table.fill (i32.const 0) (ref.null func) (i32.const 0))`,
    [0xfc, 0x11],
  ],
  [
    "table.copy",
    `(table.copy (i32.const 0) (i32.const 0) (i32.const 0))`,
    [0xfc, 0x0e],
  ],
  [
    "table.init",
    `(table.init $e (i32.const 0) (i32.const 0) (i32.const 0))`,
    [0xfc, 0x0c],
  ],
  ["elem.drop", `(elem.drop $e)`, [0xfc, 0x0d]],
  ["data.drop", `(data.drop $d)`, [0xfc, 0x09]],
];

for (const [name, text, bytes, features] of refused) {
  Deno.test(`meter: refuses ${name}, and says where`, () => {
    const module = wat(
      `(module (memory 1) (table 1 funcref)
        (elem $e (i32.const 0) $f) (data $d (i32.const 0) "x")
        (func $f ${text}))`,
      features,
    );
    const error = assertThrows(() => metered(module), MeterError);
    const words = bytes[0] === 0xfc ? bytes : bytes.slice(0, 1);
    const code = words.map((byte) => `0x${byte.toString(16).padStart(2, "0")}`);
    assertEquals(
      error.message,
      `Unknown instruction ${code.join(" ")}, at byte ${error.offset}`,
    );
    assertEquals(
      [...module.subarray(error.offset, error.offset + bytes.length)],
      bytes,
    );
  });
}

Deno.test("meter: a body that goes on after its end, or has none", () => {
  const more = bodyOf([end, 0x01, end]);
  assertThrows(
    () => metered(more),
    MeterError,
    `Code after a function's end, at byte ${more.length - 2}`,
  );
  const none = bodyOf([0x01, 0x02, 0x40, end]);
  assertThrows(
    () => metered(none),
    MeterError,
    `Unexpected end, at byte ${none.length}`,
  );
});

Deno.test("meter: padded sizes and indices run as they are", () => {
  const body = [
    ...[0x81, 0x00, 0x81, 0x80, 0x00, 0x7f],
    ...[0x03, 0x40, 0x41, 0x80, 0x80, 0x00, 0x41, 0x81, 0x00, 0x41, 0x10],
    ...[0xfc, 0x8b, 0x80, 0x00, 0x00, end, end],
  ];
  const module = raw(
    ...[[1, 0x81, 0x00, 0x60, 0, 0], [
      3,
      0x81,
      0x80,
      0x00,
      0x80,
      0x00,
    ]] as const,
    ...[[5, 1, 0, 1], [7, 1, 1, 0x66, 0, 0x80, 0x00]] as const,
    [10, 0x81, 0x00, 0x80 | body.length, 0x80, 0x00, ...body],
  );
  const original = start(module, 0);
  const paid = start(metered(module), 3);
  assertEquals(original.call("f"), { gave: undefined });
  assertEquals(paid.call("f"), { gave: undefined });
  assertEquals(paid.fuel, 0);
  assertEquals(firstDifference(original.memory, paid.memory), -1);
});
