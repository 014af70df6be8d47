import { parse } from "acorn";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { test } from "../../support/permissions.ts";
import { SyntaxFailure } from "../../../src/code_mode/syntax/syntax_failure.ts";
import { ProgramReader } from "../../../src/code_mode/syntax/program.ts";
import { stripTypes } from "../../../src/code_mode/source/typescript.ts";
import { nodesIn, walk } from "../../../src/code_mode/syntax/syntax_tree.ts";

const root = new URL("../../../", import.meta.url);

/** Our own files: real programs, with most of the language in them. */
function* filesIn(folder: string, end: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, root))) {
    if (isDirectory) yield* filesIn(`${folder}${name}/`, end);
    else if (name.endsWith(end)) {
      yield Deno.readTextFileSync(new URL(`${folder}${name}`, root));
    }
  }
}

function outline(
  statements: Iterable<{ type: string; start: number; end: number }>,
) {
  return [...statements].map(({ type, start, end }) => [type, start, end]);
}

function read(text: string, typed = false) {
  return nodesIn(new ProgramReader(text, typed).program()["body"]);
}

function expected(text: string) {
  return parse(text, {
    ecmaVersion: 2026,
    sourceType: "script",
    allowReturnOutsideFunction: true,
    allowImportExportEverywhere: true,
  }).body;
}

test("a program has the statements that another parser finds", () => {
  let seen = 0;
  for (const text of filesIn("edge/page/client/", ".js")) {
    seen++;
    assertEquals(outline(read(text)), outline(expected(text)));
  }
  assert(seen > 5);
});

test("a program with types is one without them once they are gone", () => {
  let seen = 0;
  for (const folder of ["src/", "edge/", "tests/code_mode/"]) {
    for (const text of filesIn(folder, ".ts")) {
      const stripped = stripTypes(text);
      if (stripped.tag !== "stripped") throw new Error(text.slice(0, 200));
      seen++;
      assertEquals(stripped.code.split("\n").length, text.split("\n").length);
      parse(stripped.code, { ecmaVersion: 2026, sourceType: "module" });
    }
  }
  assert(seen > 100);
});

const programs: readonly string[] = [
  "a = b / c / d; e = /[/\\]]/g.test(f) / 2",
  "if (a) /b/.exec(c)\nelse { d }",
  "x = a ? (b) : c => d; y = a ? b => c : d",
  "x = a ? (b, c) => d : (e)",
  "`a${`b${c}`}` + d`e`.f",
  "async = 1; async(); async () => 1; async x => x; async\n(x)",
  "async function* f() { for await (const x of y) yield* x }",
  "label: for (;;) { continue label }",
  "for (const [a, { b = 1, ...c }] of d) ;",
  "for (let in a) ; for (var x = (1 in y); ;) break",
  "let a; let\nb; var let_ = 1",
  "class A extends (B, C) { static #x = 1; get; set; static; async\nm() {} }",
  "class A { static { this.x = 1 } get a() { return 1 } *[b]() {} 'c' = 1 }",
  "({ a, b: 1, [c]: 2, get d() { return 1 }, async *e() {}, ...f, async: 1 })",
  "[a, , b = 1, ...c] = d; ({ a, b: c = 1 } = e)",
  "new a.b().c; new (a())(); new a",
  "a?.b?.[c]?.(d); a ?. 5 : 1 ? 2 : 3".replace("a ?. 5 : 1 ? 2 : 3", "a?.5:1"),
  "a ** -b; -(a ** b); a ?? b; typeof void delete a.b",
  "a\n++b\nc",
  "return\n1",
  "yield = 1; function* g() { yield\n1; yield /a/ }",
  "await_ => 1; x = await\n/ 1 / 2",
  "do a(); while (b) c()",
  "switch (a) { case 1: { b } default: c }",
  "try { a } catch { b } finally { c }",
  "0x1F + 0b1 + 0o7 + 1_000n + .5e-3 + 5. + 1..a",
  "\\u0061bc = '\\u0061'",
  "import a, { b as c } from 'd'; export { a as default }; export * as e from 'f'",
  "import * as a from 'b' with { type: 'json' }; export default class {}",
];

for (const text of programs) {
  test(`a program has its statements: ${text.replaceAll("\n", " ↵ ")}`, () => {
    assertEquals(outline(read(text)), outline(expected(text)));
    assertEquals(outline(read(text, true)), outline(expected(text)));
  });
}

const refused: readonly string[] = [
  "a b",
  "a +* b",
  "1 = 2",
  "f() = 1",
  "a++ = 1",
  "(a, b) = 1",
  "{ a",
  "a }",
  "'a\nb'",
  "`a${b",
  "/a\nb/",
  "/(/",
  "/a/gg",
  "3a",
  "\\x",
  "/* a",
  "const a",
  "let a; let a",
  "class A {} let A",
  "throw\na",
  "for (const a of b",
  "if a { b }",
  "a => {}()",
  "a?.`b`",
  "new a?.b",
  "import 'a",
  "x = { a b }",
  "async () => { function f() { await x } }",
];

for (const text of refused) {
  test(`no program: ${text.replaceAll("\n", " ↵ ")}`, () => {
    assertThrows(() => expected(text));
    assertThrows(() => read(text), SyntaxFailure);
  });
}

test("a reading that is taken back leaves no trace", () => {
  const [statement] = read("(a, b = (c, d = (e))) + 1");
  const names: unknown[] = [];
  if (statement) {
    walk(statement, (node) => {
      if (node.type === "Identifier") names.push(node["name"]);
    });
  }
  assertEquals(names, ["a", "b", "c", "d", "e"]);
});
