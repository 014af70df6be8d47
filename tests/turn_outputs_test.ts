// What the model is told of a turn's calls, and what it cannot make the host
// read, on both backends.

import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { HostFailure } from "nanocode-wasm";
import { call, onBoth, told } from "./support/turn_bench.ts";

// R28
for (
  const [what, value, text] of [
    ["undefined", undefined, "null"],
    ["null", null, "null"],
    ["an empty text", "", '""'],
    ["a blank text", "  ", '"  "'],
    ["an empty list", [], "[]"],
  ] as const
) {
  onBoth(
    `a tool that gives ${what} has an output to read`,
    async ({ opened }) => {
      const { agent, sent } = await opened([
        { calls: [call("ping", "{}")] },
        { text: "done" },
      ], () => Promise.resolve(value));
      await agent.prompt("Go").result();
      assertEquals(told(sent[1]).map(({ text }) => text), [text]);
    },
  );
}

// R29
onBoth(
  "a result over budget.outputBytes is cut for the model, and whole for the host",
  async ({ opened }) => {
    const rows = Array.from({ length: 50_000 }, (_, row) => ({ row }));
    const { agent, sent } = await opened(
      [
        { calls: [call("ping", "{}")] },
        { text: "done" },
        { text: "still here" },
      ],
      () => Promise.resolve(rows),
      { budget: { outputBytes: 1_000 } },
    );
    const { receipts: [receipt] } = await agent.prompt("Go").result();
    assertEquals(receipt?.output, rows);
    assertEquals([receipt?.truncated, receipt?.outputBytes], [
      true,
      JSON.stringify(rows).length,
    ]);
    assertEquals((await agent.prompt("Again").result()).text, "still here");
    for (const request of sent.slice(1)) {
      const [output] = told(request);
      assert(output !== undefined && output.text.length <= 1_000);
      assertStringIncludes(
        output.text,
        `[truncated: ${receipt?.outputBytes} bytes in all`,
      );
    }
  },
);

// R30
onBoth(
  "no request holds a lone surrogate, wherever one came from",
  async ({ opened }) => {
    const { agent, sent } = await opened([
      {
        text: "\udc00 I look",
        calls: [
          call("lookup", '{"key":"\\ud83d"}', "c1"),
          call("lookup", '{"key":"name"}', "c2"),
          call("lookup", '{"key":"throw"}', "c3"),
          call("lookup", '{"key":"long"}', "c4"),
          call("\ud83d", "{}", "c5"),
        ],
      },
      { text: "done" },
    ], (_name, input) => {
      const { key } = Object(input);
      if (key === "throw") throw new Error("no \ud83d");
      if (key === "name") return Promise.resolve({ "\udc00": "a\ud83d" });
      return Promise.resolve(key === "long" ? "🎉".repeat(500) : key);
    }, { budget: { outputBytes: 301 }, instructions: "Be \ud83d brief" });
    await agent.prompt("Go \ud83d").result();
    const texts: string[] = [];
    JSON.stringify(sent[1]?.body, (key, value) => {
      texts.push(key, ...(typeof value === "string" ? [value] : []));
      return value;
    });
    assertEquals(texts.filter((text) => !text.isWellFormed()), []);
    for (const part of ["Be \ufffd brief", "Go \ufffd", "🎉", "no \ufffd"]) {
      assert(texts.some((text) => text.includes(part)), part);
    }
    assertEquals(told(sent[1]).length, 5);
  },
);

// R31
for (
  const text of [
    '{"key":"a","__proto__":{"admin":true}}',
    '{"key":"a","constructor":{"prototype":{"admin":true}}}',
    '{"key":"a","more":[{"__proto__":{"admin":true}}]}',
  ]
) {
  onBoth(
    `an input that could change a prototype is refused on both surfaces: ${text}`,
    async ({ opened }) => {
      let ran = 0;
      const code = `return await tools.lookup(JSON.parse(${
        JSON.stringify(text)
      })).catch((error) => [error.code, error.message]);`;
      const { agent } = await opened(
        [
          {
            calls: [
              call("lookup", text),
              call("exec", JSON.stringify({ code })),
            ],
          },
          { text: "done" },
        ],
        () => Promise.resolve(++ran),
        { surfaces: ["direct", "code"] },
      );
      const { receipts } = await agent.prompt("Go").result();
      const ends = receipts.filter(({ tool }) => tool === "lookup")
        .map(({ outcome, error }) => [outcome, error?.code, error?.message]);
      assertEquals([ends.length, ran], [2, 0]);
      assertEquals(ends[0], ends[1]);
      assertEquals(ends[0]?.slice(0, 2), ["rejected", "invalid_input"]);
      assertEquals("admin" in {}, false);
    },
  );
}

// R31
onBoth(
  "a provider's error changes no prototype",
  async ({ opened }) => {
    const evil =
      '{"error":{"message":"no","__proto__":{"admin":true}},"__proto__":{"admin":true}}';
    const { agent } = await opened(
      [() => new Response(evil, { status: 400 })],
      () => Promise.resolve(),
    );
    const failure = await assertRejects(
      () => agent.prompt("Go").result(),
      HostFailure,
    );
    assertEquals([failure.status, "admin" in failure, "admin" in {}], [
      400,
      false,
      false,
    ]);
  },
);
