/**
 * A session's documents: their names, and what is read back from them. How the
 * conversation becomes documents: `stored_conversation.ts`.
 *
 * @module
 */

import { type Json, parseJson } from "../../src/json.ts";
import {
  type AgentSnapshot,
  checkSnapshot,
  snapshotVersion,
} from "../../src/snapshot.ts";
import type { BackendName } from "../../src/backends/backend.ts";
import type { Documents } from "../store.ts";
import { inOrder, withOutput } from "./step_outputs.ts";
import { StoredStateInvalid } from "./stored_state.ts";

/** What a session's documents are called. */
export const names = {
  /** All of the conversation. */
  conversation: "c/",
  history: "c/history/",
  item: (index: number): string => `c/history/${padded(index)}`,
  /** The output of the call at index `call` of an item, where it is large. */
  output: (index: number, call: number): string =>
    `c/history/${padded(index)}/${padded(call)}`,
  /** What programs keep with `store(key, value)`. */
  stored: "c/stored",
  /** The receipts of the turn with that number in the session. */
  receipts: (turn: number): string => `c/receipts/${padded(turn)}/`,
  /** A page of them that begins with the one at index `first`. */
  page: (turn: number, first: number): string =>
    `c/receipts/${padded(turn)}/${padded(first)}`,
  turns: "turn/",
  turn: (id: string): string => `turn/${id}`,
  key: (digest: string): string => `key/${digest}`,
  events: (turn: string): string => `event/${turn}/`,
  /** A batch of events that begins with number `first`. */
  batch: (turn: string, first: number): string =>
    `event/${turn}/${padded(first)}`,
};

const isOutput = /^c\/history\/\d+\/\d+$/;

/** A number as part of a name, so that names are in the order of numbers. */
function padded(number: number): string {
  return String(number).padStart(10, "0");
}

/**
 * The conversation from its documents, or a part of it from some of them.
 *
 * @throws {StoredStateInvalid} They hold no conversation of this version.
 */
export function fromDocuments(
  documents: Documents,
  backend: BackendName,
): AgentSnapshot {
  const history: Json[] = [];
  const receipts: Json[] = [];
  let stored: Json = {};
  for (const [name, text] of documents) {
    const value = parsed(text);
    if (isOutput.test(name)) history.push(withOutput(history.pop(), value));
    else if (name.startsWith(names.history)) history.push(value);
    else if (name === names.stored) stored = value;
    // One by one: what another hand stored may be longer than a call takes.
    else for (const receipt of listOf(value)) receipts.push(receipt);
  }
  const check = checkSnapshot(
    { version: snapshotVersion, backend, history, receipts, stored },
    backend,
    "conversation",
  );
  if (check.tag === "accepted") {
    const { snapshot } = check;
    return { ...snapshot, history: snapshot.history.map(inOrder) };
  }
  throw new StoredStateInvalid(check.problems[0]?.path ?? "conversation");
}

function parsed(text: string): Json {
  const result = parseJson(text);
  if (result.tag === "parsed") return result.value;
  throw new StoredStateInvalid("conversation");
}

function listOf(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  throw new StoredStateInvalid("receipts");
}
