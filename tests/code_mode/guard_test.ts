import { assert, assertEquals } from "@std/assert";
import { readMessage } from "../../src/code_mode/guard.ts";
import { longest, operation } from "../../src/code_mode/protocol.ts";

const state = { nextCallId: 3, calls: 5, lines: 10 };

type Raw = { op: number; id: number; text: string };

const valid: readonly Raw[] = [
  { op: operation.call, id: 3, text: '{"tool":"echo","input":{"a":[1,"x"]}}' },
  {
    op: operation.refused,
    id: 0,
    text: '{"tool":"echo","code":"encoding","message":"no"}',
  },
  { op: operation.text, id: 0, text: "hello" },
  { op: operation.console, id: 2, text: "line" },
  { op: operation.store, id: 0, text: '{"key":"k","value":{"a":1}}' },
  { op: operation.store, id: 0, text: '{"key":"k"}' },
  { op: operation.load, id: 0, text: "k" },
  { op: operation.budget, id: 0, text: "" },
  { op: operation.returned, id: 0, text: '{"a":1}' },
  { op: operation.returned, id: 0, text: "" },
  {
    op: operation.threw,
    id: 0,
    text: '{"name":"Error","message":"x","kind":"thrown","line":3}',
  },
];

const read = ({ op, id, text }: Raw) => readMessage(op, id, text, state);

Deno.test("readMessage: takes every message of the protocol", () => {
  assertEquals(valid.map((raw) => read(raw)), [
    { kind: "call", id: 3, tool: "echo", input: { a: [1, "x"] } },
    { kind: "refused", tool: "echo", code: "encoding", message: "no" },
    { kind: "text", text: "hello" },
    { kind: "console", level: "warn", text: "line" },
    { kind: "store", key: "k", json: '{"a":1}' },
    { kind: "store", key: "k", json: undefined },
    { kind: "load", key: "k" },
    { kind: "budget" },
    { kind: "returned", json: '{"a":1}' },
    { kind: "returned", json: undefined },
    {
      kind: "threw",
      error: { name: "Error", message: "x", kind: "thrown", line: 3 },
    },
  ]);
});

const forged: Readonly<Record<string, Raw>> = {
  "an unknown operation": { op: 99, id: 0, text: "" },
  "an operation that is no number": { op: NaN, id: 0, text: "" },
  "an id out of turn": { op: 1, id: 4, text: '{"tool":"a","input":1}' },
  "an id used before": { op: 1, id: 2, text: '{"tool":"a","input":1}' },
  "an id that is no integer": {
    op: 1,
    id: 3.5,
    text: '{"tool":"a","input":1}',
  },
  "an id where none belongs": { op: 3, id: 1, text: "" },
  "a key too many": { op: 1, id: 3, text: '{"tool":"a","input":1,"x":1}' },
  "a key too few": { op: 1, id: 3, text: '{"tool":"a"}' },
  "an inherited key": { op: 1, id: 3, text: '{"tool":"a","__proto__":1}' },
  "a tool that is no text": { op: 1, id: 3, text: '{"tool":1,"input":1}' },
  "a tool name too long": {
    op: 1,
    id: 3,
    text: `{"tool":"${"x".repeat(longest.tool + 1)}","input":1}`,
  },
  "text that is no JSON": { op: 1, id: 3, text: "{" },
  "two JSON texts": { op: 8, id: 0, text: "1 2" },
  "a value too deep": { op: 8, id: 0, text: "[".repeat(300) + "]".repeat(300) },
  "a level that does not exist": { op: 4, id: 5, text: "" },
  "a level below zero": { op: 4, id: -1, text: "" },
  "a budget with words": { op: 7, id: 0, text: "x" },
  "a line beyond the program": {
    op: 9,
    id: 0,
    text: '{"name":"E","message":"x","kind":"thrown","line":11}',
  },
  "a line that is undefined in JSON": {
    op: 9,
    id: 0,
    text: '{"name":"E","message":"x","kind":"thrown","line":null}',
  },
  "an error kind of the host's": {
    op: 9,
    id: 0,
    text: '{"name":"E","message":"x","kind":"fuel"}',
  },
};

for (const [title, raw] of Object.entries(forged)) {
  Deno.test(`readMessage: refuses ${title}`, () => {
    assertEquals(read(raw), undefined);
  });
}

Deno.test("readMessage: refuses a call beyond the limit", () => {
  const text = '{"tool":"a","input":1}';
  const last = { nextCallId: 6, calls: 5, lines: 1 };
  assertEquals(readMessage(operation.call, 6, text, last), undefined);
});

Deno.test("readMessage: mends lone surrogates in values and keys", () => {
  // R30
  const text = '{"tool":"a","input":{"\\udc00":"\\ud83d","b":"\\\\ud800"}}';
  assertEquals(readMessage(operation.call, 3, text, state), {
    kind: "call",
    id: 3,
    tool: "a",
    input: { "\ufffd": "\ufffd", b: "\\ud800" },
  });
});

Deno.test("readMessage: keeps __proto__ as plain data", () => {
  // R31
  const text =
    '{"tool":"a","input":{"__proto__":{"admin":true},"x":"\\ud800"}}';
  const message = readMessage(operation.call, 3, text, state);
  assert(message?.kind === "call");
  const { input } = message;
  assert(typeof input === "object" && input !== null);
  assert(Object.hasOwn(input, "__proto__"));
  assert(!("admin" in input));
});

Deno.test("readMessage: whatever a message is turned into, only exact messages pass", () => {
  const random = generator(7);
  for (let round = 0; round < 20_000; round++) {
    const raw = valid[Math.floor(random() * valid.length)];
    if (raw === undefined) continue;
    assert(read(raw) !== undefined);
    assertExact(read(mutate(raw, random)));
  }
});

/** The keys each message may have, and no others. */
const keys: Readonly<Record<string, readonly string[]>> = {
  call: ["kind", "id", "tool", "input"],
  refused: ["kind", "tool", "code", "message"],
  text: ["kind", "text"],
  console: ["kind", "level", "text"],
  store: ["kind", "key", "json"],
  load: ["kind", "key"],
  budget: ["kind"],
  returned: ["kind", "json"],
  threw: ["kind", "error"],
};

function assertExact(message: ReturnType<typeof read>): void {
  if (message === undefined) return;
  assertEquals(Object.keys(message), [...(keys[message.kind] ?? [])]);
  if (message.kind === "call") assertEquals(message.id, state.nextCallId);
  if (message.kind === "returned" && message.json !== undefined) {
    JSON.parse(message.json);
  }
  if (message.kind !== "threw") return;
  const { name, line } = message.error;
  assert(typeof name === "string" && name.length <= longest.errorName);
  assert(line === undefined || (line >= 1 && line <= state.lines));
}

function mutate(raw: Raw, random: () => number): Raw {
  const at = Math.floor(random() * (raw.text.length + 1));
  const junk = [
    '"',
    "{",
    "}",
    "[",
    "1",
    ",",
    ":",
    "\\",
    "\\ud800",
    "__proto__",
  ];
  const piece = junk[Math.floor(random() * junk.length)] ?? "";
  switch (Math.floor(random() * 6)) {
    case 0:
      return { ...raw, op: Math.floor(random() * 12) };
    case 1:
      return { ...raw, id: Math.floor(random() * 8) - 1 };
    case 2:
      return { ...raw, text: raw.text.slice(0, at) };
    case 3:
      return {
        ...raw,
        text: raw.text.slice(0, at) + piece + raw.text.slice(at),
      };
    case 4:
      return { ...raw, text: raw.text.slice(0, at) + raw.text.slice(at + 1) };
    default:
      return { ...raw, text: raw.text.replace(/"\w+"/, `"${piece}"`) };
  }
}

function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
