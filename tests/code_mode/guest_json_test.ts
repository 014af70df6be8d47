import { assertEquals } from "@std/assert";
import { parseGuestJson } from "../../src/code_mode/guest_json.ts";

Deno.test("parseGuestJson: gives the text and its value", () => {
  assertEquals(parseGuestJson('{"a":1}'), { text: '{"a":1}', value: { a: 1 } });
});

Deno.test("parseGuestJson: gives nothing for what is no JSON", () => {
  for (const text of ["", "{", "undefined", "{'a':1}", "1,"]) {
    assertEquals(parseGuestJson(text), undefined);
  }
});

Deno.test("parseGuestJson: takes 200 levels and no more", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assertEquals(parseGuestJson(nested(200))?.text, nested(200));
  assertEquals(parseGuestJson(nested(201)), undefined);
  assertEquals(parseGuestJson(`"${"[".repeat(500)}"`)?.value, "[".repeat(500));
  assertEquals(parseGuestJson(`["\\"${"[".repeat(500)}"]`)?.value, [
    `"${"[".repeat(500)}`,
  ]);
});

Deno.test("parseGuestJson: mends lone surrogates and leaves pairs alone", () => {
  assertEquals(parseGuestJson('["\\ud83c\\udf89","\\ud83c"]'), {
    text: '["🎉","\ufffd"]',
    value: ["🎉", "\ufffd"],
  });
});
