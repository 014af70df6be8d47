import {
  assert,
  assertEquals,
  assertFalse,
  assertStrictEquals,
} from "@std/assert";
import {
  byteLength,
  cutToBytes,
  shorten,
  wellFormedJson,
} from "../src/text.ts";
import { seededRandom } from "./support/ambient.ts";

const encoder = new TextEncoder();
const pieces = [
  "a",
  "é",
  "\u07ff",
  "\u0800",
  "京",
  "🎉",
  "\u{103ff}",
  "\ud83d",
  "\udc00",
  "\n",
  "\uffff",
];

/** Texts of every width, with lone surrogates at every kind of place. */
function* samples(count: number): Generator<string> {
  const random = seededRandom(11);
  for (let sample = 0; sample < count; sample++) {
    const length = Math.floor(random() * 8);
    yield Array.from(
      { length },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join("");
  }
}

Deno.test("byteLength: is the size that UTF-8 takes", () => {
  for (const text of samples(500)) {
    assertStrictEquals(
      byteLength(text),
      encoder.encode(text).length,
      JSON.stringify(text),
    );
  }
  assertStrictEquals(byteLength(""), 0);
});

// R30
Deno.test("cutToBytes: gives the longest start that fits, whole characters only", () => {
  for (const text of samples(300)) {
    const size = byteLength(text);
    for (let limit = 0; limit <= size + 1; limit++) {
      const cut = cutToBytes(text, limit);
      assert(text.startsWith(cut));
      assert(byteLength(cut) <= limit, JSON.stringify([text, limit]));
      const next = [...text.slice(cut.length)][0];
      if (next !== undefined) assert(byteLength(cut + next) > limit);
    }
  }
});

Deno.test("cutToBytes: splits no pair of surrogates", () => {
  assertStrictEquals(cutToBytes("aaa🎉b", 6), "aaa");
  assertStrictEquals(cutToBytes("aaa🎉b", 7), "aaa🎉");
});

Deno.test("cutToBytes: gives nothing where nothing is allowed", () => {
  assertStrictEquals(cutToBytes("abc", 0), "");
  assertStrictEquals(cutToBytes("abc", -5), "");
  assertStrictEquals(cutToBytes("", 0), "");
});

Deno.test("shorten: leaves a short line as it is", () => {
  assertStrictEquals(shorten("exactly ten", 11), "exactly ten");
  assertStrictEquals(shorten("", 5), "");
});

Deno.test("shorten: says with an ellipsis that text is missing", () => {
  assertStrictEquals(shorten("exactly ten", 10), "exactly t…");
  assertStrictEquals(shorten("abc", 1), "…");
});

Deno.test("shorten: makes one line of many, without control characters", () => {
  assertStrictEquals(
    shorten("a\r\n\tb\u2028c\u2029d\u0000\u001b[31me\u007f\u0085f", 80),
    "a b c d [31me f",
  );
});

// R30
Deno.test("shorten: gives well-formed text, cut between characters", () => {
  assertStrictEquals(shorten("\ud83d x \udc00", 20), "\ufffd x \ufffd");
  assertStrictEquals(shorten("ab🎉cd", 4), "ab…");
  assertStrictEquals(shorten("ab🎉cd", 5), "ab🎉…");
  for (const text of samples(300)) {
    for (let limit = 1; limit < 10; limit++) {
      const short = shorten(text, limit);
      assert(short.length <= limit && short.isWellFormed());
    }
  }
});

Deno.test("wellFormedJson: replaces lone surrogates in values and names", () => {
  const json = JSON.stringify({ "k\udc00": ["a\ud83d", "🎉"] });
  assertEquals(JSON.parse(wellFormedJson(json)), {
    "k\ufffd": ["a\ufffd", "🎉"],
  });
});

Deno.test("wellFormedJson: leaves text that only looks like an escape", () => {
  for (const text of ["\\ud83d", "\\\\ud83d", '\\"\\udc00', "C:\\udder\\n"]) {
    const json = JSON.stringify({ text });
    assertStrictEquals(wellFormedJson(json), json);
  }
  const json = JSON.stringify("\\\ud83d");
  assertStrictEquals(JSON.parse(wellFormedJson(json)), "\\\ufffd");
});

Deno.test("wellFormedJson: makes any text's JSON well-formed, and no other change", () => {
  for (const text of samples(300)) {
    const json = wellFormedJson(JSON.stringify([text, { [text]: text }]));
    assertFalse(/\\ud/i.test(json));
    const clean = text.toWellFormed();
    assertEquals(JSON.parse(json), [clean, { [clean]: clean }]);
  }
});
