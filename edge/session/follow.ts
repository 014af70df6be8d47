/**
 * Reads a turn's events from the store: those that are there, then the others
 * as they come. It does not matter which process runs the turn.
 *
 * @module
 */

import type { SessionStore } from "../store.ts";
import { fromBatches, type NumberedEvent } from "./batches.ts";
import { names } from "./documents.ts";

/**
 * Events after number `after`, to the turn's end; fewer where the session is
 * deleted before.
 *
 * @param store The store.
 * @param session The session.
 * @param turn The turn.
 * @param after The number of the last event that the reader has, or 0.
 * @param signal Ends it before.
 * @param check Called at first, and where nothing new came: ends a turn that nobody
 * runs, and tells whether there still is such a session.
 */
export async function* follow(
  store: SessionStore,
  session: string,
  turn: string,
  after: number,
  signal: AbortSignal,
  check: () => Promise<boolean>,
): AsyncGenerator<NumberedEvent, void, undefined> {
  let from: string | undefined;
  let checked = false;
  for await (const _change of store.watch(session, signal)) {
    const events = fromBatches(
      await store.read(session, names.events(turn), from),
    );
    for (const event of events) {
      if (event.number > after) yield event;
      if (event.type === "end") return;
    }
    const last = events.at(-1);
    // Batches are never changed: the next one begins after the last event.
    if (last !== undefined) from = names.batch(turn, last.number + 1);
    if (last !== undefined && checked) continue;
    checked = true;
    if (!await check()) return;
  }
}
