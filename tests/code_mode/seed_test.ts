import { assertEquals, assertNotEquals } from "@std/assert";
import { seedWords } from "../../src/code_mode/seed.ts";

Deno.test("seedWords: equal seeds give equal words", () => {
  assertEquals(seedWords("turn 1"), seedWords("turn 1"));
  assertEquals(seedWords(7), seedWords(7));
});

Deno.test("seedWords: different seeds give different words", () => {
  assertNotEquals(seedWords("turn 1"), seedWords("turn 2"));
  assertNotEquals(seedWords(7), seedWords("7"));
});
