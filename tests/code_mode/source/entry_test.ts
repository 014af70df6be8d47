import { assertEquals } from "@std/assert";
import { ran } from "./model_text.ts";

/** Blocks at the end, and what the program gives. */
const blocks: readonly (readonly [string, unknown])[] = [
  ["{ a: 1 }", { a: 1 }],
  ["{ a: 1, b: 2 }", { a: 1, b: 2 }],
  ["{ a: { b: 1 } }", { a: { b: 1 } }],
  ["const sum = 3\nconst a = 1\n\n{ sum, a }", { sum: 3, a: 1 }],
  ["const a: number = 3;\n{ a }", { a: 3 }],
  ["const n = 1;\n{ a: tools.echo(n) }", { a: 1 }],
  ["{}", null],
  ["const a = 1;\n{ a; }", null],
  ["{ const a = 1 }", null],
  ["if (true) { a: 1 }", null],
];

for (const [code, expected] of blocks) {
  Deno.test(`a block at the end that reads as an object is the value: ${JSON.stringify(code)}`, async () => {
    assertEquals((await ran(code)).value, expected);
  });
}
