import {
  assert,
  assertEquals,
  assertFalse,
  assertNotEquals,
  assertStrictEquals,
  assertStringIncludes,
  fail,
} from "@std/assert";
import {
  copyJson,
  isDeeper,
  isRecord,
  type Json,
  maxDepth,
  parseBounded,
  parseJson,
} from "../src/json.ts";
import { seededRandom } from "./support/ambient.ts";

function reasonOf(text: string, parse = parseJson): string {
  const parsed = parse(text);
  if (parsed.tag === "parsed") fail(`Parsed: ${text.slice(0, 80)}`);
  return parsed.reason;
}

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

Deno.test("isRecord: tells objects with keys from the rest", () => {
  assert(isRecord({}) && isRecord(Object.create(null)));
  for (const other of [[], null, undefined, "x", 1, () => {}]) {
    assertFalse(isRecord(other));
  }
});

Deno.test("parseJson: gives the value of JSON text", () => {
  assertEquals(parseJson(' {"a":[1,null,"\\ud83c\\udf89"]}\n'), {
    tag: "parsed",
    value: { a: [1, null, "🎉"] },
  });
  const zero = parseJson("-0");
  assertStrictEquals(zero.tag === "parsed" && zero.value, -0);
});

// R31
Deno.test("parseJson: keeps keys that name prototypes as own data", () => {
  const parsed = parseJson('{"__proto__":{"admin":true},"constructor":1}');
  assert(parsed.tag === "parsed" && isRecord(parsed.value));
  assertEquals(Object.keys(parsed.value), ["__proto__", "constructor"]);
  assertStrictEquals(parsed.value.admin, undefined);
  assertStrictEquals(Object.getPrototypeOf(parsed.value), Object.prototype);
});

const places: readonly (readonly [text: string, reason: string])[] = [
  ["", "the text ends too early at line 1, column 1 (of 0 characters)"],
  ['{"a":"he', "the text ends too early at line 1, column 9 (of 8 characters)"],
  ['{"a', "the text ends too early at line 1, column 4 (of 3 characters)"],
  ["[1,", "the text ends too early at line 1, column 4 (of 3 characters)"],
  ['{"a":1', "the text ends too early at line 1, column 7 (of 6 characters)"],
  ['"\\u00e', "the text ends too early at line 1, column 7 (of 6 characters)"],
  ['"\\', "the text ends too early at line 1, column 3 (of 2 characters)"],
  [
    "[1,\n 2,\n  oops]",
    "unexpected text at line 3, column 3 (of 15 characters)",
  ],
  ['{"a":1,}', "unexpected text at line 1, column 8 (of 8 characters)"],
  ["[1 2]", "unexpected text at line 1, column 4 (of 5 characters)"],
  ['{"a" 1}', "unexpected text at line 1, column 6 (of 7 characters)"],
  ["{a:1}", "unexpected text at line 1, column 2 (of 5 characters)"],
  ["{} {}", "unexpected text at line 1, column 4 (of 5 characters)"],
  ["[1}", "unexpected text at line 1, column 3 (of 3 characters)"],
  ["01", "unexpected text at line 1, column 2 (of 2 characters)"],
  ['{"\\x":1}', "unexpected text at line 1, column 3 (of 8 characters)"],
  ['"a\nb"', "unexpected text at line 1, column 3 (of 5 characters)"],
  ["\ufeff{}", "unexpected text at line 1, column 1 (of 3 characters)"],
  ["NaN", "unexpected text at line 1, column 1 (of 3 characters)"],
  ["undefined", "unexpected text at line 1, column 1 (of 9 characters)"],
];

for (const [text, reason] of places) {
  Deno.test(`parseJson: says where ${JSON.stringify(text)} stops being JSON`, () => {
    assertStrictEquals(reasonOf(text), reason);
  });
}

Deno.test("parseJson: finds the first wrong character wherever it stands", () => {
  const random = seededRandom(7);
  const text = '{"a":[1,-2.5e3,{"b":"x\\n\\u00e9"}],"c":{},"d":[[],"é"]}';
  assert(parseJson(text).tag === "parsed");
  for (let round = 0; round < 300; round++) {
    const at = Math.floor(random() * text.length);
    const broken = text.slice(0, at) + "\u0001" + text.slice(at);
    const column = Number(/column (\d+)/.exec(reasonOf(broken))?.[1]);
    // An escape or a number is read as one.
    assert(column <= at + 1 && column > at - 6, `${at}: column ${column}`);
  }
});

Deno.test("parseJson: says of every cut of a text that it ends too early", () => {
  const text = '{"a":[1,22,{"b":"x\\n\\u00e9\\\\"}],"c":{ } , "d":[[],"é"]}';
  for (let length = 0; length < text.length; length++) {
    assertStringIncludes(reasonOf(text.slice(0, length)), "ends too early");
  }
});

Deno.test("parseJson: never repeats the text, and never overflows", () => {
  assertFalse(reasonOf('{"key":"s3cret" s3cret}').includes("s3cret"));
  for (const unit of ["a", "\\n", '",\\"'.slice(2)]) {
    const long = `["${unit.repeat(12_000_000 / unit.length)}`;
    assertStringIncludes(reasonOf(long), "ends too early at line 1");
    assertStringIncludes(reasonOf(`${long}" x`), "unexpected text at line 1");
  }
  assertStringIncludes(reasonOf("[".repeat(300_000)), "column 300001");
  assertStringIncludes(reasonOf('{"a":'.repeat(100_000)), "column 500001");
});

Deno.test("parseBounded: takes as many levels as the runtime can copy, no more", () => {
  assertStrictEquals(parseBounded(nested(maxDepth)).tag, "parsed");
  for (const levels of [maxDepth + 1, 100_000]) {
    assertStringIncludes(
      reasonOf(nested(levels), parseBounded),
      `nests more than ${maxDepth} levels`,
    );
  }
  const brackets = JSON.stringify("[{".repeat(maxDepth + 1));
  assertStrictEquals(parseBounded(brackets).tag, "parsed");
  assertStringIncludes(reasonOf("{", parseBounded), "ends too early");
});

Deno.test("isDeeper: counts arrays and objects alike", () => {
  const value: Json = [{ a: [1] }];
  assertFalse(isDeeper(value, 3));
  assert(isDeeper(value, 2));
  assertFalse(isDeeper("x", 0));
  assertFalse(isDeeper(null, 0));
});

Deno.test("copyJson: gives equal data that shares nothing", () => {
  const value: Json = { a: [1, { b: null }], c: "x", d: -0 };
  const copy = copyJson(value);
  assertEquals(copy, value);
  assert(isRecord(copy) && Array.isArray(copy.a));
  copy.a.push(2);
  assertNotEquals(copy, value);
  assertStrictEquals(copyJson(null), null);
});

// R31
Deno.test("copyJson: keeps an own __proto__ as data where assigning one sets it", () => {
  const text = '{"a":{"__proto__":{"admin":true}}}';
  const value: Json = JSON.parse(text);
  // As on other platforms; Deno leaves this accessor out.
  Object.defineProperty(Object.prototype, "__proto__", {
    configurable: true,
    set(prototype: object) {
      Object.setPrototypeOf(this, prototype);
    },
  });
  try {
    const copy = copyJson(value);
    assertStrictEquals(JSON.stringify(copy), text);
    assert(isRecord(copy) && isRecord(copy.a));
    assertStrictEquals(copy.a.admin, undefined);
    assertStrictEquals(Object.getPrototypeOf(copy.a), Object.prototype);
  } finally {
    Reflect.deleteProperty(Object.prototype, "__proto__");
  }
});
