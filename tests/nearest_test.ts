import { assertEquals } from "@std/assert";
import { nearest } from "../src/nearest.ts";

const names = ["lookup", "save_file", "search-items", "get_weather", "ls"];

for (
  const [name, near] of [
    // One letter twice, left out, replaced, two swapped.
    ["lookupp", "lookup"],
    ["lokup", "lookup"],
    ["loakup", "lookup"],
    ["lookpu", "lookup"],
    // Another way of writing.
    ["saveFile", "save_file"],
    ["SAVE-FILE", "save_file"],
    ["search_items", "search-items"],
    ["functions.lookup", undefined],
    ["getWeatherr", "get_weather"],
    ["LS", "ls"],
    ["l", "ls"],
    // Another word.
    ["delete", undefined],
    ["weather_forecast", undefined],
    ["go", undefined],
    ["x", undefined],
    ["", undefined],
    ["日本語", undefined],
    ["__proto__", undefined],
  ] as const
) {
  Deno.test(`nearest() gives ${near ?? "nothing"} for ${JSON.stringify(name)}`, () => {
    assertEquals(nearest(name, names), near);
  });
}

Deno.test("nearest() gives the nearest of several, and the first of equals", () => {
  assertEquals(nearest("lookup", ["lockup", "lookups", "look_up"]), "look_up");
  assertEquals(nearest("lookup", ["lockup", "lookups"]), "lockup");
  assertEquals(nearest("lookup", ["lookups", "lockup"]), "lookups");
});

Deno.test("nearest() lets a third of the letters differ, and no more", () => {
  assertEquals(nearest("abcdefghi", ["abcdefxyz"]), "abcdefxyz");
  assertEquals(nearest("abcdefghi", ["abcdewxyz"]), undefined);
});

Deno.test("nearest() gives nothing for no names", () => {
  assertEquals(nearest("lookup", []), undefined);
});

Deno.test("nearest() takes a name of any length, and of any text", () => {
  assertEquals(nearest("lookup".repeat(100_000), names), undefined);
  assertEquals(nearest("\ud800lookup\n\0", names), "lookup");
});
