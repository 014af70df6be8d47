/**
 * A stored conversation with every kind of thing in it.
 *
 * @module
 */

import type { BackendName } from "../../src/backends/backend.ts";

/** A step whose calls are answered. */
export const step = {
  type: "step",
  turnId: "turn_1",
  step: 1,
  items: [{ type: "text", text: "Looking", extra: [null] }],
  calls: ["a", "b"].map((callId) => ({
    callId,
    answers: callId,
    tool: "lookup",
    arguments: '{"key":"a"}',
  })),
  outputs: [
    { callId: "a", text: '"A"', isError: false },
    { callId: "b", text: '{"error":{}}', isError: true },
  ],
};

/** A receipt of a call that succeeded. */
export const receipt = {
  id: "receipt_1",
  turnId: "turn_1",
  step: 1,
  callId: "a",
  tool: "lookup",
  surface: "direct",
  input: { key: "a" },
  outcome: "succeeded",
  executed: true,
  output: "A",
  requestedAt: 1_000,
  startedAt: 1_001,
  endedAt: 1_002,
  inputBytes: 11,
  outputBytes: 3,
  truncated: false,
};

/** An error as a receipt holds it. */
export const error = {
  name: "ToolError",
  code: "timed_out",
  message: "took too long",
  retryable: true,
};

const failedReceipt = {
  ...receipt,
  id: "receipt_2",
  parentId: "receipt_1",
  surface: "code",
  outcome: "timed_out",
  abandoned: true,
  error,
};

/** A snapshot whose last step is unfinished. */
export function snapshotFor(backend: BackendName) {
  return {
    version: 1,
    backend,
    history: [
      { type: "user", text: "Look up a and b" },
      step,
      { type: "user", text: "Again" },
      { ...step, turnId: "turn_2", outputs: [] },
    ],
    receipts: [receipt, failedReceipt],
    stored: { count: "1", list: '["x"]' },
  };
}
