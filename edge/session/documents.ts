/**
 * A session's documents: their names, and the conversation as documents, so
 * that a commit writes only what changed.
 *
 * @module
 */

import { isRecord, type Json, parseJson } from "../../src/json.ts";
import {
  type AgentSnapshot,
  checkSnapshot,
  snapshotVersion,
} from "../../src/snapshot.ts";
import type { BackendName } from "../../src/backends/backend.ts";
import type { Documents } from "../store.ts";
import { StoredStateInvalid } from "./stored_state.ts";

/** What a session's documents are called. */
export const names = {
  /** All of the conversation. */
  conversation: "c/",
  turns: "turn/",
  turn: (id: string): string => `turn/${id}`,
  key: (digest: string): string => `key/${digest}`,
  events: (turn: string): string => `event/${turn}/`,
  /** A batch of events that begins with number `first`. */
  batch: (turn: string, first: number): string =>
    `event/${turn}/${padded(first)}`,
};

// A receipt is written when its call starts and when it ends. Pages bound both
// how many documents one commit has, and how much it writes again.
const receiptsPerPage = 8;

function padded(number: number): string {
  return String(number).padStart(10, "0");
}

/**
 * The JSON text of values that are replaced, never changed. Each is made once: a
 * long conversation is written down many times, and nearly all of it stays.
 */
export class Texts {
  readonly #known = new WeakMap<
    object,
    { readonly list: readonly object[]; readonly text: string }
  >();

  /** A value's text. */
  of(value: object): string {
    return this.#text(value, [value], value);
  }

  /** A list's text. The list may be another one, if what is in it is the same. */
  ofList(list: readonly object[]): string {
    const [first] = list;
    return first === undefined ? "[]" : this.#text(first, list, list);
  }

  #text(key: object, list: readonly object[], value: object): string {
    const known = this.#known.get(key);
    const same = known?.list.length === list.length &&
      known.list.every((item, index) => item === list[index]);
    if (same) return known.text;
    const text = JSON.stringify(value);
    this.#known.set(key, { list, text });
    return text;
  }
}

/**
 * The conversation as documents.
 *
 * @param snapshot The conversation.
 * @param texts Texts made before, where there may be some.
 */
export function toDocuments(
  { history, receipts, stored }: AgentSnapshot,
  texts: Texts = new Texts(),
): Map<string, string> {
  const documents = new Map<string, string>();
  history.forEach((item, index) =>
    documents.set(`c/history/${padded(index)}`, texts.of(item))
  );
  for (let first = 0; first < receipts.length; first += receiptsPerPage) {
    documents.set(
      `c/receipts/${padded(first)}`,
      texts.ofList(receipts.slice(first, first + receiptsPerPage)),
    );
  }
  documents.set("c/stored", texts.of(stored));
  return documents;
}

/** What must be written and deleted to make `before` into `after`. */
export function difference(
  before: Documents,
  after: Documents,
): { set: Map<string, string>; remove: string[] } {
  const set = new Map<string, string>();
  for (const [name, text] of after) {
    if (before.get(name) !== text) set.set(name, text);
  }
  return { set, remove: [...before.keys()].filter((name) => !after.has(name)) };
}

/**
 * The conversation from its documents.
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
    if (name.startsWith("c/history/")) history.push(value);
    else if (name.startsWith("c/receipts/")) receipts.push(...listOf(value));
    else if (name === "c/stored") stored = value;
  }
  const check = checkSnapshot(
    { version: snapshotVersion, backend, history, receipts, stored },
    backend,
    "conversation",
  );
  if (check.tag === "accepted") return check.snapshot;
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

/** An event with its number in the turn, from 1. */
export type NumberedEvent = {
  readonly number: number;
  /** One of the types of `SessionEvent`. */
  readonly type: string;
  readonly event: Record<string, unknown>;
};

const eventType = /^[a-z_]{1,32}$/;

/**
 * The events of batches, numbered.
 *
 * @throws {StoredStateInvalid} A batch holds something else.
 */
export function fromBatches(batches: Documents): NumberedEvent[] {
  return [...batches].flatMap(([name, text]) => {
    const first = Number(name.slice(name.lastIndexOf("/") + 1));
    return listOf(parsed(text)).map((event, index): NumberedEvent => {
      if (
        !isRecord(event) || typeof event.type !== "string" ||
        !eventType.test(event.type) || !Number.isInteger(first)
      ) throw new StoredStateInvalid("events");
      return { number: first + index, type: event.type, event };
    });
  });
}
