import { assertEquals } from "@std/assert";
import { ran } from "./model_text.ts";

const User = "class User {}\nclass Admin {}\n";

/** Generic calls that parse as comparisons; each gives 3. */
const generic: readonly string[] = [
  'return tools.echo<"a" | null>(3)',
  `${User}return tools.echo<User | Admin>(3)`,
  `${User}return tools.echo<User>(3)`,
  "return tools.echo<unknown>(3)",
  "return tools.echo<1 | 2>(3)",
  'return [...new Set<"a" | "b">([3])][0]',
  "const cache = new Map<Key, Value>([[1, 3]])\nreturn cache.get(1)",
  "const run = (n) => n\nreturn run<In, Out>(3)",
  "return [1, 2].reduce<A & B>((a, b) => a + b, 0)",
  "const sql = ([text]) => text.length\nreturn sql<User>`abc`",
  "const sql = ([text]) => text.length\nreturn sql<A, B>`abc`",
  "const f = (n) => n\nconst g = f<User>\ng(3)",
  "const c = { a: (n) => n }\nreturn c.a<{ a: B }>(3)",
];

for (const code of generic) {
  Deno.test(`a generic call is a call: ${JSON.stringify(code)}`, async () => {
    const { value, notes } = await ran(code);
    assertEquals([value, notes], [3, ["Types were removed."]]);
  });
}

Deno.test("a generic call of a tool is made", async () => {
  const { calls } = await ran('await tools.echo<"a" | null>({ id: 1 })');
  assertEquals(calls, [["echo", { id: 1 }]]);
});

/** Comparisons of values. */
const comparisons: readonly (readonly [string, unknown])[] = [
  [
    "const [a, b, c, d] = [1, 2, 3, 4]\nconst f = (...x) => x\nreturn f(a < b, c > (d))",
    [true, false],
  ],
  [
    "const f = (a, b, c, d) => [a < b.n, c > (d)]\nreturn f(1, { n: 2 }, 3, 4)",
    [true, false],
  ],
  [
    "const f = (a, c) => [a < Infinity, c > (2)]\nreturn f(1, 3)",
    [true, true],
  ],
  [
    "const n = 3\nconst all = []\nfor (let i = 0; i < n; i++) all.push(() => (i))\nreturn all.map((f) => f())",
    [0, 1, 2],
  ],
  ["const [a, b, c] = [1, 2, 3]\nreturn a < b | c > (b)", 1],
  ["const f = (n) => [n < 10, 5 > (n)]\nreturn f(7)", [true, false]],
];

for (const [code, expected] of comparisons) {
  Deno.test(`a comparison stays one: ${JSON.stringify(code)}`, async () => {
    const { value, notes } = await ran(code);
    assertEquals([value, notes], [expected, []]);
  });
}
