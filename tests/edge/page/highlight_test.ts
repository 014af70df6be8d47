import { assertEquals } from "@std/assert";
import { lines, tokens } from "../../../edge/page/client/highlight.js";
import { seededRandom } from "../../support/ambient.ts";

function joined(code: string): string {
  return tokens(code).map(({ text }) => text).join("");
}

Deno.test("tokens: tells the kinds apart", () => {
  const code =
    'const a = await tools.look_up({ n: 0x1f }); // so\nreturn f(`x${a}`, "y");';
  assertEquals(
    tokens(code).filter(({ kind }) => kind !== "plain")
      .map(({ kind, text }) => `${kind} ${text}`),
    [
      "keyword const",
      "keyword await",
      "tool tools.look_up",
      "number 0x1f",
      "comment // so",
      "keyword return",
      "call f",
      "string `x${a}`",
      'string "y"',
    ],
  );
});

Deno.test("tokens: a keyword before a bracket is no call", () => {
  assertEquals(tokens("if (")[0], { kind: "keyword", text: "if" });
  assertEquals(tokens("if(")[0], { kind: "keyword", text: "if" });
});

Deno.test("tokens: together they are the program, whatever it is", () => {
  const parts = [
    "`",
    '"',
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "\n",
    "a",
    "tools.",
    "1",
    "${",
    "}",
    "\ud800",
    "😀",
    "é",
    "\u2028",
    "<img src=x>",
  ];
  const random = seededRandom(7);
  for (let round = 0; round < 2000; round++) {
    const code = Array.from(
      { length: Math.floor(random() * 20) },
      () => parts[Math.floor(random() * parts.length)],
    ).join("");
    assertEquals(joined(code), code);
  }
});

Deno.test("tokens: long hostile programs are told apart too", () => {
  for (const part of ["`", '"\\', "/*", "a", "a.", "tools.", " ", "1.", "\\"]) {
    const code = part.repeat(90_000 / part.length);
    assertEquals(joined(code), code);
  }
  assertEquals(tokens("a(".repeat(60_000)).length, 1);
});

Deno.test("lines: as many as the program has, whatever ends them", () => {
  const found = lines("`a\nb`\r\n\rc");
  assertEquals(
    found.map((line) => line.map(({ text }) => text).join("")),
    ["`a", "b`", "", "c"],
  );
  assertEquals(found[1], [{ kind: "string", text: "b`" }]);
});
