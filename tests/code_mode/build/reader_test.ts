import { assert, assertEquals, assertThrows } from "@std/assert";
import { hex, MeterError } from "../../../src/code_mode/build/meter_error.ts";
import { Reader } from "../../../src/code_mode/build/reader.ts";

function over(...bytes: number[]): Reader {
  return new Reader(Uint8Array.from(bytes));
}

function refusal(read: () => unknown): string {
  return assertThrows(read, MeterError).message;
}

Deno.test("Reader.u32: every length, padded or not", () => {
  const cases: readonly (readonly [number[], number])[] = [
    [[0x00], 0],
    [[0x7f], 127],
    [[0x80, 0x01], 128],
    [[0xe5, 0x8e, 0x26], 624485],
    [[0x83, 0x80, 0x80, 0x80, 0x00], 3],
    [[0xff, 0xff, 0xff, 0xff, 0x07], 2 ** 31 - 1],
    [[0x80, 0x80, 0x80, 0x80, 0x08], 2 ** 31],
    [[0xff, 0xff, 0xff, 0xff, 0x0f], 2 ** 32 - 1],
  ];
  for (const [bytes, value] of cases) {
    const reader = over(...bytes, 0x99);
    assertEquals(reader.u32(), value);
    assertEquals(reader.at, bytes.length);
  }
});

Deno.test("Reader.u32: refuses what is longer or larger than 32 bits", () => {
  const message = "A number does not fit 32 bits, at byte 1";
  for (
    const bytes of [
      [0x80, 0x80, 0x80, 0x80, 0x10],
      [0xff, 0xff, 0xff, 0xff, 0x7f],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x00],
    ]
  ) {
    const reader = over(0, ...bytes);
    reader.byte();
    assertEquals(refusal(() => reader.u32()), message);
  }
  const cut = over(0x80, 0x80);
  assertEquals(refusal(() => cut.u32()), "Unexpected end, at byte 2");
});

Deno.test("Reader.skipSigned: passes over, and tells the sign", () => {
  const cases: readonly (readonly [number[], boolean])[] = [
    [[0x00], false],
    [[0x3f], false],
    [[0x40], true],
    [[0x7f], true],
    [[0xff, 0x00], false],
    [[0xff, 0x7f], true],
    [[0x80, 0x80, 0x80, 0x80, 0x78], true],
  ];
  for (const [bytes, isNegative] of cases) {
    const reader = over(...bytes, 0x99);
    assertEquals(reader.skipSigned(5), isNegative);
    assertEquals(reader.at, bytes.length);
  }
  const long = over(0x80, 0x80, 0x80, 0x80, 0x80, 0x00);
  assertEquals(
    refusal(() => long.skipSigned(5)),
    "A number is over 5 bytes long, at byte 0",
  );
  assertEquals(
    refusal(() => over(0x80).skipSigned(5)),
    "Unexpected end, at byte 1",
  );
});

Deno.test("Reader: never reads beyond its end, though there are more bytes", () => {
  const reader = new Reader(Uint8Array.of(1, 2, 3, 4), 1, 3);
  assertEquals([reader.byte(), reader.isDone], [2, false]);
  assertEquals([reader.byte(), reader.isDone], [3, true]);
  assertEquals(refusal(() => reader.byte()), "Unexpected end, at byte 3");
  assertEquals(
    refusal(() => reader.skip(1)),
    "Unexpected end within 1 bytes, at byte 3",
  );
  reader.skip(0);
});

Deno.test("Reader.sized: gives a part, whose offsets are the whole's", () => {
  const reader = over(0, 2, 7, 8, 9);
  reader.byte();
  const part = reader.sized();
  assertEquals([part.at, reader.at], [2, 4]);
  assertEquals([part.byte(), part.byte(), part.isDone], [7, 8, true]);
  assertEquals(refusal(() => part.byte()), "Unexpected end, at byte 4");
  assertEquals(
    refusal(() => over(0xff, 0xff, 0xff, 0xff, 0x0f, 1).sized()),
    "Unexpected end within 4294967295 bytes, at byte 5",
  );
});

Deno.test("Reader.name: UTF-8, as it stands", () => {
  const bytes = [...new TextEncoder().encode("\ufeffé😀")];
  assertEquals(over(bytes.length, ...bytes).name(), "\ufeffé😀");
  assertEquals(over(0).name(), "");
  assertEquals(
    refusal(() => over(2, 0xc3, 0x28).name()),
    "A name is not UTF-8, at byte 1",
  );
  assertEquals(
    refusal(() => over(3, 0x61).name()),
    "Unexpected end within 3 bytes, at byte 1",
  );
});

Deno.test("Reader.expect, Reader.finish: name what is there instead", () => {
  const reader = over(0x0a, 0);
  assertEquals(
    refusal(() => reader.expect(0, "memory")),
    "Unknown memory 0x0a, at byte 0",
  );
  assertEquals(
    refusal(() => reader.finish("A section")),
    "A section is too long, at byte 1",
  );
  reader.expect(0, "memory");
  reader.finish("A section");
});

Deno.test("MeterError: holds the offset, also as a number", () => {
  const error = new MeterError("Too odd", 17);
  assertEquals([error.name, error.offset], ["MeterError", 17]);
  assertEquals(error.message, "Too odd, at byte 17");
  assert(error instanceof Error);
  assertEquals([hex(0), hex(0x7f), hex(0x1234)], ["0x00", "0x7f", "0x1234"]);
});
