/**
 * The contract: how calls end, and that their receipts are the same on every
 * backend, surface and platform.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Outcome, Receipt } from "../../../src/receipt.ts";
import {
  hostReceipts,
  stepOfCalls,
  type WantedCall,
} from "../../support/surface.ts";
import { getJson, postTurn } from "../client.ts";
import { type Cases, runCalls, runSteps, type Subject } from "./subject.ts";

/** A call, and how it must end: with an outcome, and an output or error code. */
type Ending = readonly [
  name: string,
  input: unknown,
  outcome: Outcome,
  result: unknown,
];

/** Calls that end in every way that needs no waiting. */
const everyEnd: readonly Ending[] = [
  ["lookup", { key: "alpha" }, "succeeded", "ALPHA"],
  [
    "lookup",
    { key: "b\u00e9ta \u{1f600}" },
    "succeeded",
    "B\u00c9TA \u{1f600}",
  ],
  ["lookup", { key: 1 }, "rejected", "invalid_input"],
  ["lookup", {}, "rejected", "invalid_input"],
  ["lookup", { key: "a", more: 1 }, "rejected", "invalid_input"],
  // R07, R39
  ["loookup", { key: "x" }, "rejected", "unknown_tool"],
  ["constructor", {}, "rejected", "unknown_tool"],
  ["__proto__", {}, "rejected", "unknown_tool"],
  ["then", {}, "rejected", "unknown_tool"],
  ["fail", { message: "no route" }, "failed", "tool_failed"],
  ["fling", { what: "words" }, "failed", "tool_failed"],
  ["fling", { what: "nothing" }, "failed", "tool_failed"],
  ["fling", { what: "silence" }, "failed", "tool_failed"],
  // R27, R28
  ["give", { what: "undefined" }, "succeeded", null],
  ["give", { what: "empty" }, "succeeded", ""],
  ["give", { what: "bigint" }, "failed", "invalid_output"],
  ["give", { what: "cycle" }, "failed", "invalid_output"],
  ["give", { what: "nan" }, "failed", "invalid_output"],
  // R29
  ["flood", { bytes: 9000 }, "succeeded", "x".repeat(9000)],
  ["wait", { ms: 5 }, "succeeded", "waited"],
];

/**
 * The receipts of one turn with a call of every end, without ids and times, as
 * text.
 */
export async function receiptsOfEveryEnd(subject: Subject): Promise<string> {
  const calls = everyEnd.map(([name, input]) => ({ name, input }));
  const run = await runCalls(subject, subject.send, calls);
  assertEquals(run.end.text, "fine");
  assertEquals(
    run.receipts.map((receipt): Ending => [
      receipt.tool,
      receipt.input,
      // Every call of a turn that ended has one.
      receipt.outcome ?? "interrupted",
      receipt.error === undefined ? receipt.output : receipt.error.code,
    ]),
    everyEnd,
  );
  return JSON.stringify(hostReceipts(run.receipts), null, 1);
}

function outcomes(receipts: readonly Receipt[]): unknown[] {
  return receipts.map(({ outcome, error }) => error?.code ?? outcome);
}

function times(count: number, call: WantedCall): WantedCall[] {
  return Array.from({ length: count }, () => call);
}

/** How calls and turns end. */
export const receiptCases: Cases = {
  "the calls of a step run at once, six at most": async (subject) => {
    const room = crypto.randomUUID();
    const together = times(6, { name: "meet", input: { room, count: 6 } });
    const met = await runCalls(subject, subject.send, together);
    assertEquals(
      met.receipts.map(({ output }) => output),
      Array(6).fill("met"),
    );
    const crowd = `${room}-crowd`;
    const run = await runSteps(subject, subject.send, [
      stepOfCalls(
        subject.surface,
        times(15, { name: "crowd", input: { room: crowd } }),
      ),
      stepOfCalls(subject.surface, [{ name: "most", input: { room: crowd } }]),
      { text: "fine" },
    ]);
    assertEquals(run.receipts.at(-1)?.output, 6);
  },

  // R26
  "a tool that hangs is timed out and left behind": async (subject) => {
    const run = await runCalls(subject, subject.to("tight"), [
      { name: "hang", input: {} },
      { name: "lookup", input: { key: "on" } },
    ]);
    assertEquals(run.end.text, "fine");
    assertEquals(outcomes(run.receipts), ["timed_out", "succeeded"]);
    assertEquals(run.receipts[0]?.abandoned, true);
  },

  "calls over the budget are refused, steps over it end the turn": async (
    subject,
  ) => {
    const call = { name: "lookup", input: { key: "a" } };
    const calls = await runCalls(subject, subject.to("tight"), times(6, call));
    assertEquals(calls.end.text, "fine");
    assertEquals(
      outcomes(calls.receipts),
      [...Array(4).fill("succeeded"), ...Array(2).fill("budget_spent")],
    );
    const step = stepOfCalls(subject.surface, [call]);
    const steps = await runSteps(
      subject,
      subject.to("tight"),
      [step, step, step, step, step],
    );
    assertEquals(steps.end.stopReason, "budget");
    assertEquals(steps.end.exhausted, { budget: "steps", used: 4, limit: 4 });
  },

  "a turn ends when its time is over, and its call with it": async (
    subject,
  ) => {
    const step = stepOfCalls(subject.surface, [{ name: "hang", input: {} }]);
    const run = await runSteps(
      subject,
      subject.to("tight"),
      [step, step, step],
    );
    assertEquals(run.end.stopReason, "budget");
    assertEquals(Object(run.end.exhausted).budget, "turnMs");
    assertEquals(
      new Set(outcomes(run.receipts)),
      new Set(["timed_out"]),
    );
  },

  "without options.tools each call fails with the specified message": async (
    subject,
  ) => {
    const calls = times(2, { name: "lookup", input: { key: "a" } });
    const run = await runCalls(subject, subject.to("bare"), calls);
    assertEquals(
      run.receipts.map(({ outcome, error }) => [outcome, error?.message]),
      Array(2).fill(["failed", "host tools are not configured"]),
    );
  },

  "secrets that a tool's error repeats are hidden": async (subject) => {
    const call = { name: "fling", input: { what: "secrets" } };
    const run = await runCalls(subject, subject.send, [call]);
    const session = await getJson(subject.send, `/sessions/${run.session}`);
    const told = JSON.stringify([run.events, session]);
    for (const secret of ["abcdef123456", "test-key-0123456789", "pw12345"]) {
      assert(!told.includes(secret), secret);
    }
    assertEquals(run.receipts[0]?.error?.code, "tool_failed");
  },

  // R52
  "a provider that is busy is asked again, one that refuses is not": async (
    subject,
  ) => {
    const { send, model } = subject;
    const busy = { status: 429, retryAfter: 0 };
    const run = await runSteps(subject, send, [busy, busy, { text: "fine" }]);
    assertEquals(run.end.text, "fine");
    assertEquals(run.events.filter(({ type }) => type === "retry").length, 2);
    const input = model.add([{ status: 400 }]);
    const response = await postTurn(send, run.session, input, {
      accept: "application/json",
    });
    const problem = await response.json();
    assertEquals([response.status, problem.code], [502, "provider_failed"]);
    assertEquals(model.asked(input), 1);
    const next = await postTurn(
      send,
      run.session,
      model.add([{ text: "on" }]),
      {
        accept: "application/json",
      },
    );
    assertEquals((await next.json()).end.text, "on");
  },
};
