import { assertEquals } from "@std/assert";
import { run } from "../cells.ts";

type Described = readonly [name: string, message: string, line?: number];

/** Programs, and how their error reads. R40 */
const errors: readonly (readonly [string, Described])[] = [
  ["const missing = undefined;\nreturn missing.value", [
    "TypeError",
    "cannot read property 'value' of undefined",
    2,
  ]],
  ["\n\nthrow new TypeError('bad id')", ["TypeError", "bad id", 3]],
  ["await tools.echo(1);\nthrow new Error('late')", ["Error", "late", 2]],
  ["await tools.echo(1);\n\nawait tools.fail()", ["ToolError", "It broke", 3]],
  ["const f = () => {\n  throw new Error('deep')\n};\n[1].map(f)", [
    "Error",
    "deep",
    2,
  ]],
  ["JSON.parse('{')", [
    "SyntaxError",
    "Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    1,
  ]],
  ["\nreturn await Promise.reject(new RangeError('r'))", [
    "RangeError",
    "r",
    2,
  ]],
  ["throw 'plain'", ["ThrownValue", "plain"]],
  ["throw null", ["ThrownValue", "null"]],
  ["throw undefined", ["ThrownValue", "undefined"]],
  ["throw 7n", ["ThrownValue", "7n"]],
  ["throw Symbol('s')", ["ThrownValue", "Symbol(s)"]],
  ["return await Promise.reject({ code: 7 })", ["ThrownValue", '{"code":7}']],
  ["throw { name: 'Odd', message: 'like an error' }", ["Odd", "like an error"]],
  ["throw new Error('a', { cause: new TypeError('b', { cause: 'c' }) })", [
    "Error",
    "a (cause: TypeError: b) (cause: c)",
    1,
  ]],
  [
    "await Promise.any([tools.fail(), Promise.reject('x')])",
    [
      "AggregateError",
      "Several errors (errors: ToolError: It broke; x)",
      1,
    ],
  ],
  ["throw new Error('\\ud83d')", ["Error", "\ufffd", 1]],
  ["throw Object.assign(new Error('x'), { name: '' })", ["Error", "x", 1]],
  ["setTimeout(() => {\n  throw new Error('timer') }, 1); await tools.hang", [
    "Error",
    "timer",
    2,
  ]],
];

for (const [code, [name, message, line]] of errors) {
  Deno.test(`errors: describes ${JSON.stringify(code)}`, async () => {
    const body = code.includes("tools.hang")
      ? code.replace("tools.hang", "new Promise(() => {})")
      : code;
    const { error } = await run(body);
    assertEquals([error?.name, error?.message], [name, message]);
    assertEquals(error?.line, line);
  });
}

Deno.test("errors: a program that does not parse says where", async () => {
  const { outcome, error } = await run("const a = 1;\nlet b = ;\n");
  assertEquals([outcome, error?.kind, error?.line], ["threw", "syntax", 2]);
  assertEquals(error?.name, "SyntaxError");
});

Deno.test("errors: a program that does not end names its last line", async () => {
  const { error } = await run("if (true) {\n  text('a')");
  assertEquals([error?.kind, error?.line], ["syntax", 2]);
});

Deno.test("errors: hostile getters leave a description", async () => {
  const body =
    "throw Object.create(Error.prototype, { name: { get() { throw 1 } }, message: { get() { throw 2 } }, stack: { get() { throw 3 } } })";
  const { error } = await run(body);
  assertEquals([error?.kind, error?.name, error?.message], [
    "thrown",
    "Error",
    "",
  ]);
});

Deno.test("errors: a forged stack cannot name a line that does not exist", async () => {
  const body = "const e = new Error('x'); e.stack = 'at (cell:77:1)'; throw e";
  assertEquals((await run(body)).error?.line, undefined);
});

Deno.test("errors: names and messages have a bound", async () => {
  const body =
    "throw Object.assign(new Error('m'.repeat(1e5)), { name: 'n'.repeat(1e5) })";
  const { error } = await run(body);
  assertEquals([error?.name.length, error?.message.length], [200, 4000]);
});

Deno.test("errors: recursion is caught as a RangeError", async () => {
  // R37
  const body = "const f = () => f(); try { f() } catch (e) { return e.name }";
  assertEquals((await run(body)).value, '"RangeError"');
});

Deno.test("errors: recursion that is not caught is a typed error", async () => {
  // R37
  const { error } = await run("\nconst f = () => 1 + f();\nf()");
  assertEquals([error?.kind, error?.line], ["stack", 2]);
});
