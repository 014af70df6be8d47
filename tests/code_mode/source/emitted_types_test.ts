import { assertEquals } from "@std/assert";
import { ran } from "./model_text.ts";

/** TypeScript that is code, and what TypeScript itself makes of it. */
const emitted: readonly (readonly [string, unknown])[] = [
  ["enum Role { Role, Admin = Role } return Role", {
    0: "Admin",
    Role: 0,
    Admin: 0,
  }],
  ["enum R { A, B = R.A + 4, C } return R.C", 5],
  [
    "const cfg = { default: 5 }; enum X { default, Y = cfg.default } return X.Y",
    5,
  ],
  ["enum A { 'x' = 1, y = x } return A", { 1: "y", x: 1, y: 1 }],
  ["enum E { A = 'a', B = `${A}b` } return E", { A: "a", B: "ab" }],
  [
    "class P { x = 1; constructor(private readonly a: number, public b = 2) {} }\nreturn Object.entries(new P(3))",
    [["a", 3], ["b", 2], ["x", 1]],
  ],
  [
    "class A { x = 1 }\nclass B extends A {\nz = 4; constructor(protected y: number) { super() } }\nreturn Object.entries(new B(2))",
    [["x", 1], ["y", 2], ["z", 4]],
  ],
];

for (const [code, expected] of emitted) {
  Deno.test(`types that are code are kept: ${code}`, async () => {
    assertEquals((await ran(code)).value, expected);
  });
}
