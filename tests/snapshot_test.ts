import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { backendNames } from "../src/backends/backend.ts";
import type { Json } from "../src/json.ts";
import { checkSnapshot } from "../src/snapshot.ts";
import { error, receipt, snapshotFor, step } from "./support/snapshot.ts";

const valid = snapshotFor("openai");

for (const backend of backendNames) {
  Deno.test(`checkSnapshot: takes a whole snapshot of ${backend}`, () => {
    const snapshot = snapshotFor(backend);
    const check = checkSnapshot(snapshot, backend);
    assertEquals(check, { tag: "accepted", snapshot: Object(snapshot) });
  });
}

Deno.test("checkSnapshot: takes a copy, and data only", () => {
  const check = checkSnapshot({ ...valid, toJSON: () => valid }, "openai");
  assert(check.tag === "accepted");
  assert(Object(check.snapshot) !== valid);
  assert(check.snapshot.history[1] !== step as unknown);
});

type Refusal = readonly [value: unknown, path: string, reason: string];

const broken = (change: object) => ({ ...valid, ...change });
const inStep = (change: object) =>
  broken({ history: [{ ...step, ...change }] });
const inReceipt = (change: object) =>
  broken({ receipts: [receipt, { ...receipt, ...change }] });

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

let deep: Json = [];
for (let level = 0; level < 2_000; level++) deep = [deep];

const top = "options.snapshot";
const atStep = "options.snapshot.history[0]";
const atReceipt = "options.snapshot.receipts[1]";
const refusals: readonly Refusal[] = [
  [undefined, top, "expected what agent.snapshot() gives"],
  [[valid], top, "expected what agent.snapshot() gives"],
  ["{}", top, "expected what agent.snapshot() gives"],
  [
    cycle,
    top,
    "expected plain JSON, as agent.snapshot() gives it",
  ],
  [
    broken({ stored: { n: 1n } }),
    top,
    "expected plain JSON, as agent.snapshot() gives it",
  ],
  [
    inReceipt({ output: deep }),
    top,
    "expected at most 1024 levels of nesting",
  ],
  [
    broken({ version: 2 }),
    "options.snapshot.version",
    "expected version 1; this one was made by another version of the module",
  ],
  [
    broken({ backend: "anthropic" }),
    "options.snapshot.backend",
    "expected the configuration's backend; a conversation cannot change the provider whose items it holds",
  ],
  [broken({ history: {} }), "options.snapshot.history", "expected an array"],
  [
    broken({ receipts: undefined }),
    "options.snapshot.receipts",
    "expected an array",
  ],
  [broken({ stored: [] }), "options.snapshot.stored", "expected an object"],
  [
    broken({ stored: { a: "1", "b\n": "{" } }),
    "options.snapshot.stored.b ",
    "expected JSON text, as a string",
  ],
  [
    broken({ stored: { a: 1 } }),
    "options.snapshot.stored.a",
    "expected JSON text, as a string",
  ],
  [
    broken({ history: [{ ...step, outputs: [] }, step] }),
    "options.snapshot.history[0].outputs",
    "expected an output for every call of a step that is not the last",
  ],
  [broken({ history: [null] }), atStep, "expected an object"],
  [
    broken({ history: [{ type: "user", text: "" }] }),
    atStep,
    "expected a text that is not empty",
  ],
  [
    broken({ history: [{ type: "tool" }] }),
    atStep,
    'expected the type "user" or "step"',
  ],
  [inStep({ step: 0 }), atStep, "expected a turnId and a step number from 1"],
  [
    inStep({ turnId: "" }),
    atStep,
    "expected a turnId and a step number from 1",
  ],
  [inStep({ items: ["x"] }), atStep, "expected items that are objects"],
  [
    inStep({ calls: [{ callId: "a" }] }),
    atStep,
    "expected calls with callId, answers, tool and arguments",
  ],
  [
    inStep({ outputs: [{ callId: "a", text: "", isError: false }] }),
    atStep,
    "expected outputs with callId, text and isError",
  ],
  [
    inStep({ calls: [step.calls[0], step.calls[0]] }),
    atStep,
    "expected calls with different ids",
  ],
  [
    inStep({ outputs: [{ callId: "z", text: "1", isError: false }] }),
    atStep,
    "expected outputs of the step's own calls",
  ],
  [broken({ receipts: [receipt, 7] }), atReceipt, "expected an object"],
  [
    inReceipt({ tool: null }),
    atReceipt,
    "expected id, turnId, callId and tool as strings",
  ],
  [
    inReceipt({ surface: "web" }),
    atReceipt,
    'expected the surface "direct" or "code"',
  ],
  [
    inReceipt({ outcome: "done" }),
    atReceipt,
    "expected an outcome of succeeded, failed, rejected, timed_out, cancelled, interrupted",
  ],
  ...[{ step: 1.5 }, { requestedAt: "1" }, { inputBytes: -1 }].map(
    (wrong): Refusal => [
      inReceipt(wrong),
      atReceipt,
      "expected a step number from 1, and requestedAt, inputBytes and outputBytes as numbers from 0",
    ],
  ),
  [
    inReceipt({ executed: "yes" }),
    atReceipt,
    "expected executed and truncated as booleans",
  ],
  [
    inReceipt({ parentId: 1 }),
    atReceipt,
    "expected parentId, where there is one, as a string",
  ],
  [
    inReceipt({ abandoned: "no" }),
    atReceipt,
    "expected abandoned, where it is given, as a boolean",
  ],
  [
    inReceipt({ startedAt: "now" }),
    atReceipt,
    "expected startedAt and endedAt, where given, as numbers from 0",
  ],
  ...[{ ...error, code: "odd" }, { ...error, retryable: 1 }, "x", null].map(
    (wrong): Refusal => [
      inReceipt({ error: wrong }),
      atReceipt,
      "expected an error with name, code, message and retryable",
    ],
  ),
];

for (const [index, [value, path, reason]] of refusals.entries()) {
  Deno.test(`checkSnapshot: refusal ${index + 1}: ${path.trim()}: ${reason}`, () => {
    assertEquals(checkSnapshot(value, "openai"), {
      tag: "refused",
      problems: [{ path, reason }],
    });
  });
}

Deno.test("checkSnapshot: refuses a backend that does not exist", () => {
  for (const backend of ["gemini", undefined, "constructor"]) {
    const check = checkSnapshot({ ...valid, backend }, backend, "stored");
    assert(check.tag === "refused");
    assertEquals(check.problems.map(({ path }) => path), ["stored.backend"]);
  }
});

Deno.test("checkSnapshot: names twenty problems at most", () => {
  const check = checkSnapshot(broken({ history: Array(50).fill(1) }), "openai");
  assertStrictEquals(check.tag === "refused" && check.problems.length, 20);
});

Deno.test("checkSnapshot: keys that name prototypes stay data", () => {
  const stored = JSON.parse('{"__proto__":"{\\"admin\\":true}"}');
  const check = checkSnapshot(broken({ stored }), "openai");
  assert(check.tag === "accepted");
  assertEquals(Object.keys(check.snapshot.stored), ["__proto__"]);
  assertStrictEquals(Object(check.snapshot.stored).admin, undefined);
});
