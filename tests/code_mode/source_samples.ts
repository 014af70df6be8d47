/** Programs as models write them: the data of the source tests. */

const FENCE = "```";

/** What it is, and the code; each gives 3. */
export const threes: readonly (readonly [string, string])[] = [
  ["a fenced return", `${FENCE}js\nreturn 3\n${FENCE}`],
  ["a fence with prose around", `So:\n\n${FENCE}js\nreturn 3\n${FENCE}\nDone.`],
  ["a fence after a single word", `Code\n${FENCE}js\nreturn 3\n${FENCE}`],
  ["a fence that is never closed", `${FENCE}js\nreturn 3`],
  ["a fence closed on the last line", `${FENCE}\nreturn 3${FENCE}`],
  ["a fence on one line", `${FENCE}js return 3${FENCE}`],
  ["a fence of tildes", `~~~typescript\nreturn 3 as number\n~~~`],
  [
    "the script among other blocks",
    `${FENCE}json\n{"a": 1}\n${FENCE}\n${FENCE}js\nreturn 3\n${FENCE}`,
  ],
  ["a fence inside a comment", `${FENCE}js\n/*\n${FENCE}\n*/\n3\n${FENCE}`],
  ["an async arrow", "async () => 3"],
  ["an arrow", "() => 3;"],
  ["an arrow with a comment", "() => 3 // three\n;"],
  ["a default export of an arrow", "export default async () => 3"],
  [
    "a default export of a function",
    "export default async function () { return 3 }",
  ],
  ["a default export with a name", "export default function go() { return 3 }"],
  [
    "a default export before the code it needs",
    "export default () => late\nconst late = 3",
  ],
  ["a default export of a value", "export default (3)"],
  ["a default export of a name", "const main = () => 3\nexport default main"],
  ["an uncalled main", "async function main(){return 3}"],
  ["an uncalled run", "function run() { return 3 }"],
  ["an uncalled function of any name", "async function go(){ return 3 }"],
  ["an uncalled arrow", "const main = async () => 3"],
  [
    "an uncalled function with its helper",
    "const main = () => one() + 2\nfunction one() { return 1 }",
  ],
  [
    "an uncalled function that calls itself",
    "function main(n = 2) { return n ? main(n - 1) : 3 }",
  ],
  ["a function without a name", "async function () { return 3 };"],
  ["a function that is returned", "return async () => 3;"],
  ["a name of a function at the end", "const m = async () => 3\nm"],
  ["an arrow assigned to nothing declared", "main = () => 3"],
  ["a trailing expression", "const x=1; x+2"],
  ["a trailing expression without semicolons", "const x = 1\nx\n  + 2\n"],
  ["a trailing await", "const f = async () => 3; await f()"],
  ["a trailing template", "const x = 3;\n`${x}`.length * x"],
  ["a trailing object in brackets", "({ a: 3 }).a;"],
  [
    "a trailing expression before a function",
    "three()\nfunction three() { return 3 }",
  ],
  ["an async IIFE", "(async()=>3)()"],
  [
    "an async IIFE with await",
    "await (async () => { await 1; return 3 })() // done\n;;",
  ],
  ["a call of main at the end", "async function main(){return 3} main();"],
  ["an awaited call of main", "async function main(){return 3}\nawait main()"],
  ["a returned promise", "return await Promise.resolve(3)"],
  ["an export", "export const x = 3; x"],
  ["an export list", "const x = 3; export { x }; x"],
  ["imports of globals", "import { tools, text } from 'nanocode'\n3"],
  ["HTML comments", "<!-- hi\n3 // <!-- x\n--> bye"],
  ["text like an HTML comment", "'<!-- a -->'.length - 7"],
  ["a hashbang", "#!/usr/bin/env node\nreturn 3"],
  ["a byte order mark", "\ufeffreturn 3"],
  ["a byte order mark and a hashbang", "\ufeff#!/usr/bin/env node\nreturn 3"],
  ["a directive", "'use strict'; const q = 3; q"],
  ["a require of its own", "const require = () => 3\nrequire('x')"],
  ["using", "{ using x = null }\nreturn 3"],
  [
    "annotations",
    "const n: number = 1; interface A{x:string}; return (n as number) + 2;",
  ],
  ["generics", "function f<T>(x: T): T { return x }; f<number>(3)"],
  [
    "generics that parse as comparisons",
    "const f = (x) => x\nreturn f<string>(3)",
  ],
  ["satisfies", "const o = {a: 3} satisfies {a: number}; o.a"],
  ["an enum", "enum E{A, B = 2, C, D = B | 1}; E.C"],
  [
    "an enum of strings",
    "enum E {\n  A = 'abc',\n  'b-c' = `x` as string,\n}\nE.A.length",
  ],
  ["an enum's names", "const enum E { A = 1 }\nE[1] === 'A' ? 3 : 0"],
  [
    "parameter properties",
    "class P { constructor(private readonly a: number, public b = 2) {}\n" +
    "get s(): number { return this.a + this.b } }\nnew P(1).s",
  ],
  [
    "parameter properties of a subclass",
    "class A { x = 1 }\nclass B extends A { constructor(protected y: number) { super() } }\n" +
    "const b = new B(2)\nb.x + b['y']",
  ],
  [
    "a result type on many lines",
    "import type {X} from 'y'; const g = async (x?: {a: number}): Promise<{\n a: number\n}> => { return 3 as any }\nawait g()",
  ],
  ["generics on many lines", "const f = async <\nT\n>(x: T) => x\nf(3)"],
  [
    "a cast before a line in brackets",
    "const f = (x: any) => x as any\n;[3].at(0)!",
  ],
  ["a cast that ends its statement", "const a = 1 as number\n(3)"],
  ["a type that ends a statement", "const a = 1\ntype T = 2\n(3)"],
  ["an assertion before", "return <any>3"],
  ["an assertion on many lines", "return <\nany\n>3"],
  ["a definite variable", "let y!: number; y = 3; y!"],
  [
    "a class with everything",
    "abstract class Q<T> extends Object implements I<T>, J {\n" +
    "  declare q: number; [k: string]: any\n" +
    "  private static readonly z: number = 3\n  x?: string\n  public *g() { yield Q.z }\n" +
    "  foo(): void;\n  foo(a?: any, ...b: T[]) {}\n  abstract m(): void\n" +
    "  override toString(this: Q<T>): string { return '3' }\n}\n" +
    "class R extends Q<number> {}\nconst [n] = new R().g()\nn",
  ],
  [
    "a catch with a type",
    "try { throw 3 } catch (e: unknown) { return e as number }",
  ],
  [
    "a this parameter",
    "function f(this: any, a: number) { return a } f.call(null, 3)",
  ],
  [
    "overloads",
    "function f(a: string): 1\nfunction f(a: any) { return 3 }\nf('')",
  ],
  [
    "declarations without code",
    "declare const a: string; declare function b(): void\n3",
  ],
  ["casts in a row", "const k = (3 as unknown as number) satisfies number\nk"],
  [
    "a cast in a loop",
    "let s = 0\nfor (const n of [1, 2] as const) s += n as number\ns",
  ],
  [
    "optional chains with types",
    "const o: any = { f: <T,>(x: T) => x }\no?.f!(3)",
  ],
  [
    "exported types",
    "export type A = 1\nexport interface B {}\nexport const c: A | 3 = 3\nc",
  ],
];

/** What it is, the code, and what the message says. */
export const attempts: readonly (readonly [string, string, RegExp])[] = [
  [
    "an import",
    "const a = 1\nimport fs from 'fs'",
    /^This `import` cannot run: there are no modules here; .*\(line 2, column 1\)/,
  ],
  ["an import for effect", "import 'x'", /no modules here/],
  [
    "a require",
    "const a = 1\nconst fs = require('fs')",
    /^This `require` cannot run: .*\(line 2, column 12\)/,
  ],
  [
    "a dynamic import",
    "const x = await import('x')",
    /^This `import\(\)` cannot run/,
  ],
  ["import.meta", "return import.meta.url", /^This `import\.meta` cannot run/],
  [
    "an export from elsewhere",
    "export * from 'x'",
    /^This `export … from` cannot run/,
  ],
  ["export =", "export = 3", /no modules/],
  ["import =", "import a = require('a')", /no modules/],
  [
    "await in a plain function",
    "items.map((x) => { await tools.x() })",
    /write `async` before/,
  ],
  [
    "code that ends early",
    "if (a) {\n  foo(",
    /ends too early: .*\(line 2, column 7\)/,
  ],
  [
    "a closing bracket too many",
    "a }); foo(); (async()=>{",
    /no opening one \(line 1, column 3\)/,
  ],
  [
    "a function that closes its own",
    "}(), function () {",
    /no opening one \(line 1, column 1\)/,
  ],
  ["text escaped twice", "const x = 1;\\nreturn x", /escaped twice/],
  ["curly quotes", "return \u201chi\u201d", /straight quotes/],
  [
    "a namespace",
    "namespace N { const x = 1 }",
    /`namespace` is not supported: use an object/,
  ],
  ["a decorator", "@dec class A {}", /Decorators are not supported/],
  [
    "two declarations",
    "let x = 1\nlet x = 2",
    /already been declared \(line 2, column 5\)/,
  ],
  ["prose", "Here is what I would do", /Unexpected token \(line 1, column 6\)/],
  [
    "another language",
    `${FENCE}python\nprint('x')\nfor x in y:\n${FENCE}`,
    /line 3/,
  ],
  [
    "several blocks",
    `${FENCE}js\nreturn 1\n${FENCE}\nor\n${FENCE}js\nreturn 2\n${FENCE}`,
    /holds 2 blocks .*\(line 6/,
  ],
  ["a missing type", "const n: = 1", /Unexpected token \(line 1, column 10\)/],
];
