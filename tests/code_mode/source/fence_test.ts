import { assertEquals, assertMatch } from "@std/assert";
import { ran } from "./model_text.ts";

const FENCE = "```";
const sample = `${FENCE}js\nawait tools.echo({ id: 666 })\n${FENCE}`;

/** Programs that hold a fence, and how they are refused. */
const programs: readonly (readonly [string, string, RegExp])[] = [
  [
    "a template",
    `const text = \`\n${sample}\n\`;\nreturn text`,
    /each backtick as \\` \(line 2/,
  ],
  [
    "a template of a program that is wrong elsewhere",
    `const a = = 1;\nconst text = \`\n${sample}\n\`;\nreturn text`,
    /Unexpected token \(line 1, column 11\)/,
  ],
  [
    "a template whose outside parses",
    `const a = \`\n${sample}\``,
    /each backtick as \\` \(line 2/,
  ],
  [
    "a comment",
    `/* For example\n${sample}\n*/\nconst x = 1;\nconst x = 2`,
    /'x' has already been declared \(line 7/,
  ],
  [
    "a comment in a fence",
    `${FENCE}js\n/*\n${sample}\n*/\nconst x = = 1\n${FENCE}`,
    /\(line/,
  ],
  [
    "code before it",
    `const a = 1;\n${sample}`,
    /Code stands outside .*\(line 2/,
  ],
  [
    "code after it",
    `${sample}\nreturn 2`,
    /Code stands outside .*\(line 4, column 1/,
  ],
  [
    "a function around it",
    `function f() {\n${sample}\n}`,
    /Code stands outside/,
  ],
  [
    "a call among the prose",
    `First this\nawait tools.echo({})\nand then\n${sample}`,
    /Unexpected token \(line 1, column 7\)/,
  ],
];

for (const [title, code, message] of programs) {
  Deno.test(`a fence is not run in the place of the program around it: ${title}`, async () => {
    const { refusal, calls } = await ran(code);
    assertEquals(calls, []);
    assertMatch(refusal ?? "", message);
  });
}

/** Prose as it stands around a block. */
const prose = [
  "Note: this uses `Promise.all`, see (1).",
  "Well, done!",
  "- the first;\n- the second;\n1. with {",
  "Result (draft)",
  "I'll get it as asked; it's quick",
  `${FENCE}json\n{ "a": 1 }\n${FENCE}`,
  "// The code:",
];

for (const text of prose) {
  Deno.test(`prose around a fence is no code: ${JSON.stringify(text)}`, async () => {
    const code = `${FENCE}js\nreturn 9\n${FENCE}`;
    assertEquals((await ran(`${text}\n${code}`)).value, 9);
    assertEquals((await ran(`${code}\n${text}`)).value, 9);
  });
}

for (
  const code of [
    `return 9\n${FENCE}`,
    `return await tools.echo(9)\n${FENCE}\n`,
    `${FENCE}js\nreturn 9\n${FENCE}\n${FENCE}\n`,
    "return 9\n~~~",
  ]
) {
  Deno.test(`a closing fence too many is removed: ${JSON.stringify(code)}`, async () => {
    const { value, notes } = await ran(code);
    assertEquals(value, 9);
    assertEquals(notes, ["The Markdown around the code was removed."]);
  });
}
