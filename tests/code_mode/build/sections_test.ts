import { assertEquals, assertThrows } from "@std/assert";
import { MeterError } from "../../../src/code_mode/build/meter_error.ts";
import { readSections } from "../../../src/code_mode/build/sections.ts";
import { named } from "../../../src/code_mode/build/writer.ts";
import { bodyOf, metered, raw, start } from "./modules.ts";

const memory = [5, 1, 0, 1] as const;
const nothing = raw();

function refusal(bytes: Uint8Array<ArrayBuffer>): string {
  return assertThrows(() => metered(bytes), MeterError).message;
}

function custom(name: string, ...content: number[]) {
  return [0, ...named(name), ...content] as const;
}

Deno.test("readSections: lists what there is, and where its content lies", () => {
  const bytes = raw([1, 0], custom("name", 5, 6), memory);
  assertEquals(readSections(bytes), [
    { id: 1, start: 10, end: 11 },
    { id: 0, start: 13, end: 20 },
    { id: 5, start: 22, end: 25 },
  ]);
  assertEquals(readSections(nothing), []);
});

Deno.test("meter: what is no module of the first version", () => {
  const cases: readonly (readonly [number[], string])[] = [
    [[], "Unexpected end, at byte 0"],
    [[0, 0x61, 0x73], "Unexpected end, at byte 3"],
    [[0, 0x61, 0x73, 0x6e], "Unknown file type 0x6e, at byte 3"],
    [[0, 0x61, 0x73, 0x6d, 2, 0, 0, 0], "Unknown version 0x02, at byte 4"],
    [[0, 0x61, 0x73, 0x6d, 1, 0, 1, 0], "Unknown version 0x01, at byte 6"],
    [[...nothing], "There is no memory, at byte 0"],
  ];
  for (const [bytes, message] of cases) {
    assertEquals(refusal(Uint8Array.from(bytes)), message);
  }
});

Deno.test("meter: sections that are unknown, twice there, or out of order", () => {
  const after = 8 + 5;
  assertEquals(
    refusal(raw(memory, [13, 0])),
    `Unknown section 0x0d, at byte ${after}`,
  );
  assertEquals(
    refusal(raw(memory, [0x7f, 0])),
    `Unknown section 0x7f, at byte ${after}`,
  );
  assertEquals(
    refusal(raw(memory, memory)),
    `Section 0x05 is out of order, at byte ${after}`,
  );
  assertEquals(
    refusal(raw(memory, [1, 0])),
    `Section 0x01 is out of order, at byte ${after}`,
  );
  // The count of the data stands before the code, whatever its number.
  assertEquals(
    refusal(raw(memory, [10, 0], [12, 0])),
    `Section 0x0c is out of order, at byte ${after + 3}`,
  );
  start(metered(raw(memory, [12, 0], [10, 0], [11, 0])), 1);
});

Deno.test("meter: a module cut anywhere but between sections", () => {
  const whole = bodyOf([0x03, 0x40, 0x0c, 0, 0x0b, 0x0b]);
  metered(whole);
  for (let length = 0; length < whole.length; length++) {
    refusal(whole.slice(0, length));
  }
});

Deno.test("meter: bytes after a section's or the module's last entry", () => {
  assertEquals(
    refusal(raw([5, 1, 0, 1, 0])),
    "A section is too long, at byte 13",
  );
  assertEquals(
    refusal(raw(memory, [10, 0, 7])),
    "The code is too long, at byte 16",
  );
  const trailing = Uint8Array.of(...raw(memory), 7);
  assertEquals(refusal(trailing), "Unexpected end, at byte 14");
  const more = Uint8Array.of(...raw(memory), 0, 0);
  assertEquals(refusal(more), "Unexpected end, at byte 15");
});

Deno.test("meter: a section longer than the module", () => {
  const bytes = Uint8Array.of(...nothing, 5, 0x84, 0x80, 0x00, 1, 0, 1);
  assertEquals(refusal(bytes), "Unexpected end within 4 bytes, at byte 12");
});

Deno.test("meter: custom sections that speak of code are refused", () => {
  // Offsets into the code would no longer be true.
  for (const name of ["metadata.code.branch_hint", "linking", "", "Name"]) {
    assertEquals(
      refusal(raw(memory, custom(name, 1, 2))),
      `Unknown custom section ${JSON.stringify(name)}, at byte 13`,
    );
  }
});

Deno.test("meter: harmless custom sections stay, at the end", () => {
  const module = new WebAssembly.Module(metered(raw(
    custom("producers", 0),
    memory,
    custom("target_features", 1),
    custom("producers", 2),
  )));
  const contents = ["producers", "target_features", "name"].map((name) =>
    WebAssembly.Module.customSections(module, name)
      .map((content) => [...new Uint8Array(content)])
  );
  assertEquals(contents, [[[0], [2]], [[1]], []]);
});
