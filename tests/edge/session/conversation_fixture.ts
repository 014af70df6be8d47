/**
 * Conversations and receipts for tests of how sessions keep them.
 *
 * @module
 */

import type { SessionHead } from "../../../edge/session/head.ts";
import type { Contents } from "../../../edge/session/stored_conversation.ts";
import type { Receipt } from "../../../src/receipt.ts";

/** An open receipt of the session's only turn. */
export function receipt(id: string, parts: Partial<Receipt> = {}): Receipt {
  return {
    id,
    turnId: "turn_1",
    step: 1,
    callId: id,
    tool: "lookup",
    surface: "direct",
    executed: false,
    requestedAt: 1,
    inputBytes: 0,
    outputBytes: 0,
    truncated: false,
    ...parts,
  };
}

/** The receipt, ended with an output of `length` characters. */
export function succeeded(open: Receipt, length: number): Receipt {
  return {
    ...open,
    outcome: "succeeded",
    output: "x".repeat(length),
    outputBytes: length + 2,
  };
}

/** A conversation that holds these parts. */
export function conversation(parts: Partial<Contents>): Contents {
  return { history: [], receipts: [], stored: {}, ...parts };
}

/** A session's head that holds these parts. */
export function headOf(parts: Partial<SessionHead>): SessionHead {
  return {
    version: 2,
    backend: "openai",
    createdAt: 1,
    updatedAt: 1,
    turns: 1,
    bytes: 0,
    changes: 1,
    ...parts,
  };
}
