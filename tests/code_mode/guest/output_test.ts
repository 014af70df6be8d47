import { assertEquals } from "@std/assert";
import { defaultCellLimits } from "../../support/cell_limits.ts";
import { run } from "../cells.ts";

const consoleOf = async (body: string) => (await run(body)).console;

Deno.test("text: writes texts as they are and the rest as JSON", async () => {
  const { text } = await run(
    "text('a', 1, { b: [2] }); text(undefined); text(null)",
  );
  assertEquals(text, 'a 1 {"b":[2]}\nundefined\nnull');
});

Deno.test("text: refuses what JSON cannot carry", async () => {
  const { error } = await run("text({ a: 1n })");
  assertEquals(error?.kind, "thrown");
  assertEquals(error?.message.startsWith("text.a is a BigInt"), true);
});

Deno.test("text: mends lone surrogates", async () => {
  // R30
  assertEquals((await run("text('\\ud83d', '\\u{1f389}')")).text, "\ufffd 🎉");
});

Deno.test("text: is cut at its limit, and says so", async () => {
  const limits = { ...defaultCellLimits, outputBytes: 4 };
  const { text, textTruncated } = await run("text('abcdef'); text('g')", {
    limits,
  });
  assertEquals([text, textTruncated], ["abcd", true]);
});

Deno.test("console: is cut at its limit, and says so", async () => {
  const limits = { ...defaultCellLimits, consoleBytes: 10 };
  const body = "for (let i = 0; i < 1000; i++) console.log('line', i)";
  const result = await run(body, { limits });
  assertEquals([result.console, result.consoleTruncated], [
    "line 0\nlin",
    true,
  ]);
});

/** What each call prints. */
const printed: Readonly<Record<string, string>> = {
  "console.log('a', 1, { b: [2] }, [3], null, undefined, true)":
    'a 1 {"b":[2]} [3] null undefined true',
  "console.log(1n, Symbol('s'), () => 1)": "1n Symbol(s) [function]",
  "console.log(new Error('x'), new Map([['a', 1]]), new Set([1]))":
    'Error: x {"a":1} [1]',
  "const a = {}; a.a = a; console.log(a)":
    "[value.a refers back to an object that contains it (a cycle)]",
  "console.log(Promise.resolve(1))": "[value is a promise: await it first]",
  "console.log({ get a() { throw 1 } })": "[value.a could not be read: 1]",
  "console.log()": "",
  "console.info('i'); console.debug('d')": "i\nd",
  "console.warn('w'); console.error('e')": "[warn] w\n[error] e",
  "console.trace('t'); console.dir({ a: 1 }, { depth: 1 }); console.dirxml(1)":
    't\n{"a":1}\n1',
  "console.table([{ a: 1 }, { a: 2 }]); console.table(1)":
    '0: {"a":1}\n1: {"a":2}\n1',
  "console.group('g'); console.log('in'); console.groupEnd(); console.groupEnd(); console.log('out')":
    "g\n  in\nout",
  "console.groupCollapsed(); console.log('in')": "  in",
  "console.assert(true, 'no'); console.assert(false, 'yes'); console.assert()":
    "[error] Assertion failed: yes\n[error] Assertion failed:",
  "console.count(); console.count('a'); console.count(); console.countReset(); console.count()":
    "default: 1\na: 1\ndefault: 2\ndefault: 1",
  "console.time('t'); console.timeLog('t', 'x'); console.timeEnd('t'); console.timeStamp(); console.clear()":
    "t: 0 ms x\nt: 0 ms",
  "const { log } = console; log('loose')": "loose",
};

for (const [code, expected] of Object.entries(printed)) {
  Deno.test(`console: prints ${code}`, async () => {
    assertEquals(await consoleOf(code), expected);
  });
}
