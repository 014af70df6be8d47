/**
 * Sessions in memory: for tests and for trying things out. They end with the
 * process.
 *
 * @module
 */

import type { Change, Documents, SessionStore, StoredHead } from "../store.ts";
import { Changes } from "./changes.ts";

type Stored = { revision: number; head: string; documents: Documents };

/**
 * Keeps sessions in memory.
 *
 * @param maxSessions How many are kept; the one that rested longest goes first.
 */
export function memoryStore(maxSessions = 10_000): SessionStore {
  const sessions = new Map<string, Stored>();
  const changes = new Changes();
  return {
    exclusive: true,
    head: (session) => Promise.resolve(headOf(sessions.get(session))),
    read(session, prefix, from = prefix) {
      const documents = sessions.get(session)?.documents ?? new Map();
      const found = [...documents].filter(([name]) =>
        name.startsWith(prefix) && name >= from
      );
      return Promise.resolve(new Map(found.sort(([a], [b]) => a < b ? -1 : 1)));
    },
    commit(session, change) {
      const stored = sessions.get(session);
      if (headOf(stored)?.revision !== change.after) {
        return Promise.resolve(undefined);
      }
      const revision = (stored?.revision ?? 0) + 1;
      sessions.delete(session);
      sessions.set(session, {
        revision,
        head: change.head,
        documents: changed(stored?.documents, change),
      });
      const [oldest] = sessions.keys();
      if (sessions.size > maxSessions && oldest !== undefined) {
        sessions.delete(oldest);
        changes.notify(oldest);
      }
      changes.notify(session);
      return Promise.resolve(String(revision));
    },
    watch: (session, signal) => changes.watch(session, signal),
    remove(session) {
      sessions.delete(session);
      changes.notify(session);
      return Promise.resolve();
    },
  };
}

function headOf(stored: Stored | undefined): StoredHead | undefined {
  if (stored === undefined) return undefined;
  return { revision: String(stored.revision), text: stored.head };
}

function changed(documents: Documents | undefined, change: Change): Documents {
  const next = new Map([...documents ?? [], ...change.set]);
  for (const name of change.remove) next.delete(name);
  return next;
}
