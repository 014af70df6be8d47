/**
 * A turn's events as documents: batches, each called by the number of its first
 * event. They are written once and never changed.
 *
 * @module
 */

import { isRecord, type Json, parseJson } from "../../src/json.ts";
import type { Documents, SessionStore } from "../store.ts";
import { names } from "./documents.ts";
import { StoredStateInvalid } from "./stored_state.ts";
import type { SessionEvent } from "./turn_record.ts";

/** An event with its number in the turn, from 1. */
export type NumberedEvent = {
  readonly number: number;
  /** One of the types of `SessionEvent`. */
  readonly type: string;
  readonly event: Record<string, unknown>;
};

/**
 * How many characters a reader holds at once, about. A batch is larger only where
 * one event is.
 */
export const batchLength = 256 * 1024;

const eventType = /^[a-z_]{1,32}$/;

/** Events as batches, by name; the first one has number `first`. */
export function toBatches(
  turn: string,
  first: number,
  events: readonly SessionEvent[],
): Map<string, string> {
  const batches = new Map<string, string>();
  let texts: string[] = [];
  let room = batchLength;
  let number = first;
  const close = () => {
    if (texts.length === 0) return;
    batches.set(names.batch(turn, number), `[${texts.join()}]`);
    number += texts.length;
    texts = [];
    room = batchLength;
  };
  for (const event of events) {
    const text = JSON.stringify(event);
    if (text.length > room) close();
    texts.push(text);
    room -= text.length;
  }
  close();
  return batches;
}

/**
 * The events of batches, numbered.
 *
 * @throws {StoredStateInvalid} A batch holds something else.
 */
export function fromBatches(batches: Documents): NumberedEvent[] {
  return [...batches].flatMap(([name, text]) => {
    const first = Number(name.slice(name.lastIndexOf("/") + 1));
    return eventsOf(text).map((event, index): NumberedEvent => {
      if (
        !isRecord(event) || typeof event.type !== "string" ||
        !eventType.test(event.type) || !Number.isInteger(first)
      ) throw new StoredStateInvalid("events");
      return { number: first + index, type: event.type, event };
    });
  });
}

/**
 * The turn's events that are stored, from number `first` on. They are read piece
 * by piece, as the reader wants them: a turn may hold many megabytes.
 *
 * @throws {StoredStateInvalid} The store holds something else.
 */
export async function* storedEvents(
  store: SessionStore,
  session: string,
  turn: string,
  first = 1,
): AsyncGenerator<NumberedEvent, void, undefined> {
  const prefix = names.events(turn);
  for (let next = first;;) {
    const from = names.batch(turn, next);
    const batches = await store.read(session, prefix, from, batchLength);
    const events = fromBatches(batches);
    const last = events.at(-1)?.number;
    if (last === undefined) return;
    if (last < next) throw new StoredStateInvalid("events");
    yield* events;
    next = last + 1;
    let length = 0;
    for (const text of batches.values()) length += text.length;
    if (length < batchLength) return;
  }
}

function eventsOf(text: string): readonly Json[] {
  const result = parseJson(text);
  if (result.tag === "parsed" && Array.isArray(result.value)) {
    return result.value;
  }
  throw new StoredStateInvalid("events");
}
