import { parse } from "acorn";
import { assert, assertEquals, assertMatch, fail } from "@std/assert";
import { normalizeSource } from "../../src/code_mode/source.ts";
import { valueOf } from "./cells.ts";
import { attempts, threes } from "./source_samples.ts";

type Body = (...globals: unknown[]) => Promise<unknown>;

const AsyncFunction: new (...parts: string[]) => Body =
  Object.getPrototypeOf(async () => {}).constructor;

function ready(code: string): { body: string; notes: readonly string[] } {
  const result = normalizeSource(code);
  if (result.tag === "refused") fail(`${result.message}\n\nin: ${code}`);
  return result;
}

function refused(code: string) {
  const result = normalizeSource(code);
  if (result.tag === "ready") fail(`Expected a refusal of: ${code}`);
  return result;
}

/** Runs a body as the sandbox does: in an async function, closed on a new line. */
function run(code: string): Promise<unknown> {
  const names = ["tools", "text", "console"];
  const { body } = ready(code);
  return new AsyncFunction(...names, `${body}\n`)(
    { three: () => Promise.resolve(3) },
    () => {},
    { log() {} },
  );
}

/** The line, counted from 1, of the thrown error in the body. */
async function lineOfThrow(code: string): Promise<number> {
  const { body } = ready(code);
  const at = body.split("\n").findIndex((line) => line.includes("throw "));
  await new AsyncFunction(`${body}\n`)().then(
    () => fail("Expected the code to throw"),
    () => {},
  );
  return at + 1;
}

// R43, R44
for (const [title, code] of threes) {
  Deno.test(`normalizeSource gives the value of ${title}`, async () => {
    assertEquals(await run(code), 3);
    assertEquals(await run(code.replaceAll("\n", "\r\n")), 3);
  });
}

// R43, R44
Deno.test("normalizeSource makes what the sandbox's engine takes too", async () => {
  for (const [title, code] of threes) {
    const { body } = ready(code.replace("tools.three()", "tools.echo(3)"));
    assertEquals(await valueOf(body), 3, title);
  }
});

// R43
Deno.test("normalizeSource keeps strings, templates and expressions as they are", async () => {
  const fence = "```";
  const text = [
    "const a = `return 1 \\`\\`\\`js`;",
    "const b = '```js\\nimport x from \"y\"\\n```';",
    "const c = /return|```|import/.source;",
    "/*",
    fence,
    "*/",
    "const d = `${[1].map((n) => `<${n}>`)}`",
    "[a, b, c, d].join('|')",
  ].join("\n").replace("`${[1]", "`${[1]");
  const expected = [
    "return 1 ```js",
    '```js\nimport x from "y"\n```',
    "return|```|import",
    "<1>",
  ].join("|");
  const bare = text.replace("`)}`\n[a", "`)}`;\n[a");
  assertEquals(await run(bare), expected);
  assertEquals(await run(`${fence}js\n${bare}\n${fence}`), expected);
});

Deno.test("normalizeSource keeps every line where the model wrote it", async () => {
  const fence = "```";
  const code = "const a: {\n  b: number\n} = { b: 1 }\nthrow new Error('x')";
  const text = `First this:\n\n${fence}ts\n${code}\n${fence}\nand so on.`;
  assertEquals(await lineOfThrow("throw new Error('x')"), 1);
  assertEquals(await lineOfThrow(code), 4);
  assertEquals(await lineOfThrow(text), 7);
  assertEquals(await lineOfThrow(text.replaceAll("\n", "\r\n")), 7);
});

Deno.test("normalizeSource leaves plain programs alone", () => {
  for (
    const body of [
      "return 3",
      "if (true) { 3 }",
      "for (const x of [1]) x",
      "const a = await tools.a({});\nreturn a.b;",
      "if (a) return 1;\na + 1",
      "{ let a = 1 }",
      "let a = 1, b = a < 2, c = 3 > (b)",
    ]
  ) assertEquals(normalizeSource(body), { tag: "ready", body, notes: [] });
});

Deno.test("normalizeSource gives no value to statements that have none", async () => {
  assertEquals(await run("if (true) { 3 }"), undefined);
  assertEquals(await run("for (const x of [1]) { x }"), undefined);
  assertEquals(await run("if (false) return 1;\n3"), undefined);
});

Deno.test("normalizeSource does not call helpers that nothing needs", async () => {
  assertEquals(await run("const n = 1; const add = (x) => x + n;"), undefined);
  const { notes } = ready("function a() {}\nfunction b() {}");
  assertMatch(notes.join(), /Nothing calls these functions: a, b/);
  assertEquals(
    await run("for (;;) break; function helper() { return 1 }"),
    undefined,
  );
});

Deno.test("normalizeSource hands the globals to functions that expect them", async () => {
  assertEquals(await run("async ({ tools }) => tools.three()"), 3);
  assertEquals(await run("async (tools, { text }) => tools.three()"), 3);
  assertEquals(
    await run("async function main(tools) { return tools.three() }"),
    3,
  );
});

Deno.test("normalizeSource waits for a main function that is called with void", async () => {
  const main = "async function main() { await null; return 3 }";
  assertEquals(await run(`${main}\nvoid main();`), 3);
});

Deno.test("normalizeSource says what it changed", () => {
  assertEquals(ready("```js\nreturn 3\n```").notes, [
    "The Markdown around the code was removed.",
  ]);
  assertEquals(ready("const a: number = 3; return a").notes, [
    "Types were removed.",
  ]);
  assertEquals(ready("import { tools } from 'tools'\nreturn 3").notes, [
    "Module syntax was removed.",
  ]);
  assertEquals(ready("function main() { return 3 }").notes, [
    "Nothing called main, so it was called at the end.",
  ]);
});

// R43
Deno.test("normalizeSource refuses text without code", () => {
  const message =
    "The code is empty. Write JavaScript, and `return` the value that you need";
  for (
    const code of ["", " \n\t", "// later", "```js\n```", "type A = 1", ";"]
  ) {
    assertEquals(normalizeSource(code), { tag: "refused", message });
  }
});

// R40
Deno.test("normalizeSource shows where a syntax error is", () => {
  assertEquals(normalizeSource("const a = 1;\nconst b = ;\n"), {
    tag: "refused",
    message: "Syntax error: Unexpected token (line 2, column 11)\n" +
      "const b = ;\n" +
      "          ^",
    line: 2,
    column: 11,
  });
});

Deno.test("normalizeSource counts lines of the whole text in a fence", () => {
  const { line, column, message } = refused(
    "Well:\n```js\nlet a = 1\n  a +* 2\n```",
  );
  assertEquals([line, column], [4, 6]);
  assertMatch(message, /\n {2}a \+\* 2\n {5}\^$/);
});

Deno.test("normalizeSource shortens the line that it shows", () => {
  const { message } = refused(
    `${"a".repeat(5000)} = = 1 ${"b".repeat(5000)}`,
  );
  const [, shown, caret] = message.split("\n");
  assert(shown !== undefined && shown.length < 110);
  assertEquals(shown[caret?.indexOf("^") ?? -1], "=");
});

for (const [title, code, message] of attempts) {
  Deno.test(`normalizeSource explains ${title}`, () => {
    assertMatch(refused(code).message, message);
  });
}

Deno.test("normalizeSource refuses nesting that no parser follows", () => {
  const floods = [
    "(",
    "[",
    "{",
    "f(a=>",
    "!",
    "a?b:",
    "`${",
    "if(a)",
    "1+",
    "a=>",
  ];
  for (const flood of floods) {
    const { message } = refused(flood.repeat(1e5));
    assertMatch(message, /nested too deeply|ends too early/);
  }
  assertMatch(refused("(".repeat(1e5) + ")".repeat(1e5)).message, /too deeply/);
  // Each level could be read in two ways.
  ready("<T>(".repeat(60) + "1" + ")".repeat(60));
});

Deno.test("normalizeSource reads a megabyte", () => {
  assertEquals(normalizeSource("a;".repeat(5e5)).tag, "ready");
  assertEquals(normalizeSource("function f(){}\n".repeat(6e4)).tag, "ready");
  assertEquals(normalizeSource(`return "${"x".repeat(1e6)}"`).tag, "ready");
  assertEquals(
    normalizeSource("{let a: T = b as U}\n".repeat(2e4)).tag,
    "ready",
  );
});

// R43: the mutation loop, after the same check of the unchanged samples.
Deno.test("normalizeSource never throws, and what it makes is a body", () => {
  const random = generator(7);
  const samples = [...threes, ...attempts].map(([, code]) => code);
  for (const sample of samples) checkBody(sample);
  const seen = { refused: 0, whole: 0, left: 0 };
  for (let round = 0; round < 12_000; round++) {
    seen[checkBody(mutate(samples, random))]++;
  }
  assert(seen.whole > 2000, `Only ${seen.whole} mutations were accepted`);
  assert(seen.left < seen.whole / 100, `${seen.left} were left to the engine`);
});

/**
 * Whether the text was accepted; then it is one function's body, or breaks one
 * of the rules that are left to the engine, which refuses it as a whole.
 */
function checkBody(code: string): "refused" | "whole" | "left" {
  const result = normalizeSource(code);
  assertEquals(normalizeSource(code), result);
  if (result.tag === "refused") return "refused";
  try {
    const text = `(async function () {${result.body}\n})`;
    const { body } = parse(text, { ecmaVersion: 2026, sourceType: "script" });
    assertEquals(body.length, 1);
    return "whole";
  } catch (error) {
    if (isRefused(result.body)) return "left";
    fail(`${error}\n\nfrom: ${JSON.stringify(code)}\nmade: ${result.body}`);
  }
}

function isRefused(body: string): boolean {
  try {
    new AsyncFunction(`${body}\n`);
    return false;
  } catch (error) {
    return error instanceof SyntaxError;
  }
}

function mutate(samples: readonly string[], random: (n: number) => number) {
  const pick = () => samples[random(samples.length)] ?? "";
  let code = pick();
  for (let step = random(3); step >= 0; step--) {
    const at = random(code.length + 1);
    const to = at + random(6);
    const other = pick();
    const from = random(other.length);
    const inserts = [
      "",
      "",
      other.slice(from, from + random(12)),
      "\n;`'\"(){}[]<>=!?:/\\*.,#@"[random(26)] ?? "",
      [
        " as T",
        ": T",
        "<T>",
        "return ",
        "export ",
        "async ",
        "```\n",
      ][random(7)] ?? "",
    ];
    code = code.slice(0, at) + (inserts[random(inserts.length)] ?? "") +
      code.slice(random(2) === 0 ? at : to);
  }
  return random(5) === 0 ? `${code}\n${pick()}` : code;
}

/** Small random numbers, the same on every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
