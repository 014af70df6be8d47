import { assertEquals } from "@std/assert";
import { Reader } from "../../../src/code_mode/build/reader.ts";
import {
  named,
  signed,
  unsigned,
  Writer,
} from "../../../src/code_mode/build/writer.ts";

const edges = Array.from({ length: 32 }, (_, bit) => 2 ** bit)
  .flatMap((power) => [power - 1, power, power + 1]);

Deno.test("unsigned: as short as can be, and read back as it was", () => {
  for (const value of [...edges, 2 ** 32 - 1]) {
    const bytes = unsigned(value);
    const reader = new Reader(Uint8Array.from(bytes));
    assertEquals(reader.u32(), value);
    reader.finish("The number");
    const bits = Math.max(1, Math.ceil(Math.log2(value + 1)));
    assertEquals(bytes.length, Math.ceil(bits / 7), String(value));
  }
  assertEquals(unsigned(624485), [0xe5, 0x8e, 0x26]);
});

/** Decodes by the definition: seven bits each, the last one's top one is the sign. */
function decoded(bytes: readonly number[]): number {
  const sum = bytes.reduce(
    (sum, byte, index) => sum + (byte & 0x7f) * 128 ** index,
    0,
  );
  const isNegative = ((bytes.at(-1) ?? 0) & 0x40) !== 0;
  return isNegative ? sum - 128 ** bytes.length : sum;
}

Deno.test("signed: every 32-bit integer's edge is read back as it was", () => {
  const values = edges.filter((value) => value < 2 ** 31);
  for (const value of [...values, ...values.map((one) => -one), -(2 ** 31)]) {
    const bytes = signed(value);
    assertEquals(decoded(bytes), value === 0 ? 0 : value);
    assertEquals(bytes.findIndex((byte) => byte < 0x80), bytes.length - 1);
  }
  assertEquals(signed(63), [0x3f]);
  assertEquals(signed(64), [0xc0, 0x00]);
  assertEquals(signed(-64), [0x40]);
  assertEquals(signed(-65), [0xbf, 0x7f]);
  assertEquals(signed(-123456), [0xc0, 0xbb, 0x78]);
});

Deno.test("named: the length counts bytes, not characters", () => {
  assertEquals(named("é"), [2, 0xc3, 0xa9]);
  assertEquals(named(""), [0]);
  const long = "x".repeat(200);
  assertEquals(named(long).slice(0, 3), [0xc8, 0x01, 0x78]);
});

Deno.test("Writer: joins its pieces; what was sized keeps its own", () => {
  const inner = new Writer();
  inner.push([1, 2]);
  inner.push(Uint8Array.of(3));
  const outer = new Writer();
  outer.push([9]);
  outer.pushSized(inner);
  outer.pushSized(new Writer());
  inner.push([4]);
  assertEquals(outer.length, 6);
  assertEquals([...outer.join()], [9, 3, 1, 2, 3, 0]);
  assertEquals([...inner.join()], [1, 2, 3, 4]);
});

Deno.test("Writer: holds as many pieces as a large function has", () => {
  const inner = new Writer();
  const piece = Uint8Array.of(1);
  for (let count = 0; count < 200_000; count++) inner.push(piece);
  const outer = new Writer();
  outer.pushSized(inner);
  assertEquals(outer.join().length, 200_000 + 3);
});
