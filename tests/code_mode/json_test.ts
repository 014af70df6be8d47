import { assertEquals } from "@std/assert";
import { isRecord, parseJson } from "../../src/code_mode/json.ts";

Deno.test("parseJson: gives the text and its value", () => {
  assertEquals(parseJson('{"a":1}'), { text: '{"a":1}', value: { a: 1 } });
});

Deno.test("parseJson: gives nothing for what is no JSON", () => {
  for (const text of ["", "{", "undefined", "{'a':1}", "1,"]) {
    assertEquals(parseJson(text), undefined);
  }
});

Deno.test("parseJson: takes 200 levels and no more", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assertEquals(parseJson(nested(200))?.text, nested(200));
  assertEquals(parseJson(nested(201)), undefined);
  assertEquals(parseJson(`"${"[".repeat(500)}"`)?.value, "[".repeat(500));
  assertEquals(parseJson(`["\\"${"[".repeat(500)}"]`)?.value, [
    `"${"[".repeat(500)}`,
  ]);
});

Deno.test("parseJson: mends lone surrogates and leaves pairs alone", () => {
  assertEquals(parseJson('["\\ud83c\\udf89","\\ud83c"]'), {
    text: '["🎉","\ufffd"]',
    value: ["🎉", "\ufffd"],
  });
});

Deno.test("isRecord: tells objects from the rest", () => {
  assertEquals([{}, [], null, "x", 1].map(isRecord), [
    true,
    false,
    false,
    false,
    false,
  ]);
});
