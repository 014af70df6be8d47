import { assertEquals } from "@std/assert";
import { judgePattern } from "../../../src/tools/schema/pattern.ts";

function limitOf(pattern: string): number | undefined {
  const verdict = judgePattern(pattern);
  return verdict.tag === "accepted" ? verdict.maxLength : undefined;
}

for (
  const pattern of [
    "^a+$",
    "^[a-z0-9]+(?:-[a-z0-9]+)*$",
    "^([a-z0-9]+-)*[a-z0-9]+$",
    "^\\w+@\\w+\\.\\w+$",
    "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "^(?=.*[A-Z])(?=.*\\d).+$",
    "^(\\d{1,3}\\.){3}\\d{1,3}$",
    "^(?:a|b|c)+$",
    "^\\p{L}+$",
    "foo|bar",
    "^[^\\]\\-]+\\u{1F600}?\\x41\\cA$",
    "^[\\ud83d\\ude00]+$",
    "",
    // Repetitions with few ways to read one text, however they nest.
    "^(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,7}:)$",
    "^#(?:[0-9a-f]{3}){1,2}$",
    "^(?:a?)*$",
    "^(?:(?:a?)*b)*$",
    // Each of several alternatives is anchored.
    "^$|^(?:[a-z]{4})*(?:[a-z]{2}==|[a-z]{3}=)?$",
    "^(?!-)[a-z0-9-]+(?<!-)$",
    "foo.{0,5}bar",
  ]
) {
  Deno.test(`a pattern with one way to match judges texts of any length: ${pattern}`, () => {
    assertEquals(limitOf(pattern), Infinity);
  });
}

for (
  const pattern of [
    "^(a+)+$",
    "(a|a)*$",
    "(a*)*b",
    "(.*a){20}",
    "^(a{1,2})*$",
    "(x+x+)+y",
    "^(a|b|ab)*c$",
    "^(?=(a+)+$)",
    "^(.+)\\1$",
    "a.*b.*c.*d.*e",
    "^(?:[a-z]{1,64}){1,64}$",
    "a{1,6}".repeat(60),
    // Without any repetition that has no bound.
    `^${"a{1,6}".repeat(20)}$`,
    "^(?:(?:a{1,6}){1,6}){1,4}$",
    `^${"(?:a|b|ab)".repeat(40)}$`,
    // Rounds that must be, and may read nothing.
    "^(?:a?){30}$",
    `^${"(?:a?|b?)".repeat(40)}$`,
    // Classes that are larger than their parts say.
    "^(?:[^\\p{L}]|1)+$",
    "^(?:\\ud83d\\ude00|😀)+$",
    "^(?i:(?:a|A)+)$",
    "^(?:.(?<=(?:a|a){0,30}))+$",
    "(?:".repeat(3_000) + ")".repeat(3_000),
  ]
) {
  Deno.test(`a pattern that could backtrack without end is refused: ${pattern.slice(0, 30)}`, () => {
    assertEquals(limitOf(pattern), undefined);
  });
}

for (
  const [pattern, limit] of [
    ["^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", 10_000],
    ["^\\s*(.*?)\\s*$", 400],
    ["a+$", 10_000],
    ["^.*foo.*$", 10_000],
    ["^(?:(?!x.*y).)*$", 10_000],
    [`^${"a{1,6}".repeat(8)}$`, 400],
  ] as const
) {
  Deno.test(`a pattern of polynomial cost judges texts up to a length: ${pattern}`, () => {
    assertEquals(limitOf(pattern), limit);
  });
}

Deno.test("what was accepted matches its longest text quickly enough to be run here", () => {
  for (
    const pattern of [
      "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
      "^\\s*(.*?)\\s*$",
      "a+$",
    ]
  ) {
    const limit = limitOf(pattern) ?? 0;
    for (
      const text of [
        "a@" + ".a".repeat(limit / 2 - 2) + "@",
        " ".repeat(limit - 1) + "\n",
      ]
    ) {
      new RegExp(pattern, "u").test(text.slice(0, limit));
    }
  }
});
