/**
 * Sessions in memory: for tests and for trying things out. They end with the
 * process.
 *
 * @module
 */

import type { Change, Documents, SessionStore, StoredHead } from "../store.ts";
import { Changes } from "./changes.ts";

type Stored = {
  readonly revision: number;
  readonly head: string;
  readonly documents: Map<string, string>;
  /** The documents' names in their order; made when they are read. */
  names: readonly string[] | undefined;
};

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
    read: (session, ...range) =>
      Promise.resolve(read(sessions.get(session), ...range)),
    commit(session, change) {
      const stored = sessions.get(session);
      if (headOf(stored)?.revision !== change.after) {
        return Promise.resolve(undefined);
      }
      const revision = (stored?.revision ?? 0) + 1;
      const documents = stored?.documents ?? new Map();
      const names = changeIn(documents, change) ? undefined : stored?.names;
      sessions.delete(session);
      sessions.set(session, { revision, head: change.head, documents, names });
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

/** Changes documents; tells whether their names did. */
function changeIn(
  documents: Map<string, string>,
  { set, remove }: Change,
): boolean {
  const before = documents.size;
  for (const [name, text] of set) documents.set(name, text);
  const added = documents.size > before;
  for (const name of remove) documents.delete(name);
  return added || remove.length > 0;
}

function read(
  stored: Stored | undefined,
  prefix: string,
  from = prefix,
  limit = Infinity,
): Documents {
  const found = new Map<string, string>();
  if (stored === undefined) return found;
  const { documents } = stored;
  const names = stored.names ??= [...documents.keys()].sort();
  let room = limit;
  for (let index = placeOf(names, from); room > 0; index++) {
    const name = names[index];
    if (name === undefined || !name.startsWith(prefix)) break;
    const text = documents.get(name) ?? "";
    found.set(name, text);
    room -= text.length;
  }
  return found;
}

/** The index of the first of the names that is not before `from`. */
function placeOf(names: readonly string[], from: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? "") < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
