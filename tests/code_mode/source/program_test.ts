import { assertEquals, assertMatch } from "@std/assert";
import { ran } from "./model_text.ts";

/** What is wrong, the text, and what the message says. */
const refusals: readonly (readonly [string, string, RegExp])[] = [
  [
    "a brace too many between statements",
    "if (a) { b() }\n}\nreturn 1",
    /^Syntax error: A closing bracket has no opening one \(line 2, column 1\)/,
  ],
  [
    "a brace too many at the end",
    "for (const a of b) { await c(a) }}\n",
    /no opening one \(line 1, column 34\)/,
  ],
  [
    "a brace too many in TypeScript",
    "const x: number = 1\n}\nconst y = 2",
    /no opening one \(line 2, column 1\)/,
  ],
  [
    "await without a value",
    "const x = await;",
    /`await` needs a value behind it \(line 1, column 16\)/,
  ],
  [
    "await in a plain function",
    "a.map((x) => { await b() })",
    /write `async` before the function around it/,
  ],
  [
    "a constant without a value",
    "const x;",
    /^Syntax error: The declaration lacks its value \(line 1, column 8\)/,
  ],
  [
    "a constant without a value among types",
    "let y: number = 1;\nconst x;",
    /^Syntax error: The declaration lacks its value \(line 2, column 8\)/,
  ],
  [
    "a typed constant without a value",
    "const x: number;",
    /^Syntax error: The declaration lacks its value \(line 1, column 16\)/,
  ],
];

for (const [title, code, message] of refusals) {
  Deno.test(`the place and the reason are told of ${title}`, async () => {
    assertMatch((await ran(code)).refusal ?? "", message);
  });
}

Deno.test("types are said to be removed only where some were", async () => {
  assertEquals((await ran("{ a: 1, b: 2 }")).notes, []);
  assertEquals((await ran("const string = 2; return 1 < string")).notes, []);
  assertEquals((await ran("{ a: 1 as number, b: 2 }")).notes, [
    "Types were removed.",
  ]);
});

/** TypeScript's types in places where other readings are near; each gives 3. */
const typed: readonly string[] = [
  "const f = (n: number): (number | null) => n\nf(3)",
  "const f = (g: () => number): (() => number) => { return g }\nf(() => 3)()",
  "return [3].map((n): (number | string) => n)[0]",
  "class A { f = (n: number): (number | string) => n }\nnew A().f(3)",
  "const f: (n: number, m?: string) => (number | null) = (n) => n\nf(3)",
  "const f: ({ n }: { n: number }) => number = ({ n }) => n\nf({ n: 3 })",
  "const f: (...n: number[]) => number = (...n) => n.length\nf(0, 0, 0)",
  "const f: ((n) => number) | null = (n) => n\nf(3)",
  "type F = (this: any, n) => (number)\nconst f: (F)[] = [(n) => n]\nf[0](3)",
  "const m = new Map<string, number> as any\nm.size + 3",
  "const m = new Map<string, number> satisfies object\nm.size + 3",
  "const m: boolean = new Map<string, number> instanceof Map\nm ? 3 : 0",
  "const m: boolean = 'a' in new Map<string, number>()\nm ? 0 : 3",
  "const f = async as => as\nawait f(3)",
  "const f = async of => of\nawait f(3)",
  "const f: any = async satisfies => satisfies\nawait f(3)",
];

for (const code of typed) {
  Deno.test(`types are taken out of ${JSON.stringify(code)}`, async () => {
    assertEquals((await ran(code)).value, 3);
  });
}
