/**
 * Deletes a session: its turn first, then all that belongs to it.
 *
 * @module
 */

import { parseHead } from "./session/head.ts";
import type { Sessions } from "./session/sessions.ts";
import { StoredStateInvalid } from "./session/stored_state.ts";
import type { SessionStore } from "./store.ts";

/**
 * Deletes a session; does nothing where there is none. One that cannot be read
 * is deleted too.
 *
 * @param sessions The sessions of that store.
 * @param store The store.
 * @param session The session.
 */
export async function removeSession(
  sessions: Sessions,
  store: SessionStore,
  session: string,
): Promise<void> {
  const stored = await store.head(session);
  if (stored === undefined) return;
  try {
    const { running } = parseHead(stored.text);
    if (running !== undefined) await endTurn(sessions, session, running.turn);
  } catch (error) {
    if (!(error instanceof StoredStateInvalid)) throw error;
  }
  await store.remove(session);
}

/**
 * Cancels the turn and waits for its end: what it wrote after the deletion could
 * become part of a new session of that name.
 */
async function endTurn(
  sessions: Sessions,
  session: string,
  turn: string,
): Promise<void> {
  await sessions.cancel(session, turn, "the session was deleted");
  const reading = new AbortController();
  for await (
    const _event of sessions.events(session, turn, Infinity, reading.signal)
  );
}
