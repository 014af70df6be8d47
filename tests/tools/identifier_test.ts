import { assertEquals } from "@std/assert";
import { toIdentifier } from "../../src/tools/identifier.ts";

for (
  const [name, identifier] of [
    ["lookup", "lookup"],
    ["search-items", "search_items"],
    ["2fa", "_2fa"],
    ["-", "_"],
    ["delete", "delete_"],
    ["then", "then_"],
    ["constructor", "constructor_"],
    ["__proto__", "__proto___"],
    ["toString", "toString_"],
  ]
) {
  Deno.test(`toIdentifier() makes ${identifier} of ${name}`, () => {
    assertEquals(toIdentifier(String(name)), identifier);
  });
}

// R09
Deno.test("every name becomes an identifier that JavaScript takes", () => {
  for (
    const name of [
      "a",
      "if",
      "await",
      "9-9",
      "_",
      "a".repeat(64),
      "async",
      "yield",
    ]
  ) {
    new Function(`"use strict"; const ${toIdentifier(name)} = 1;`);
  }
});
