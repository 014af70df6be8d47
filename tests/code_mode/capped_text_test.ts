import { assertEquals } from "@std/assert";
import { CappedText } from "../../src/code_mode/capped_text.ts";

function collect(limit: number, ...lines: string[]): [string, boolean] {
  const text = new CappedText(limit);
  for (const line of lines) {
    text.add(line, new TextEncoder().encode(line).length);
  }
  return [text.toString(), text.truncated];
}

Deno.test("CappedText: keeps what fits", () => {
  assertEquals(collect(5, "ab", "cd"), ["ab\ncd", false]);
});

Deno.test("CappedText: cuts the line that does not fit, and drops the rest", () => {
  assertEquals(collect(4, "ab", "cd", "e"), ["ab\nc", true]);
});

Deno.test("CappedText: never cuts inside a character", () => {
  // R30
  assertEquals(collect(5, "ab🎉🎉"), ["ab", true]);
  assertEquals(collect(6, "ab🎉🎉"), ["ab🎉", true]);
});

Deno.test("CappedText: keeps nothing within no bytes", () => {
  assertEquals(collect(0, "a"), ["", true]);
  assertEquals(collect(0, ""), ["", false]);
});
