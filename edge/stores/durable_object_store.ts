/**
 * A session in its Durable Object: SQLite, one object a session, so that the
 * object is the only writer. A row there is at most 2 MB, so text is kept in
 * parts (https://developers.cloudflare.com/durable-objects/platform/limits/).
 *
 * @module
 */

import type { SqlStorage, Storage } from "../cloudflare_types.ts";
import type { Change, Documents, SessionStore, StoredHead } from "../store.ts";
import { Changes } from "./changes.ts";
import { fromParts, toParts } from "./text_parts.ts";

const partBytes = 1_000_000;

/** Where the session's head is, as a document that none can be called. */
const headName = "";

/**
 * Keeps one session in an object's storage. Which session is asked for makes no
 * difference: the object has only its own.
 *
 * @param storage The object's storage.
 */
export function durableObjectStore(storage: Storage): SessionStore {
  const { sql } = storage;
  const changes = new Changes();
  // Whoever only asks for a session leaves nothing in its object: what is stored
  // there stays until somebody deletes it, and is paid for.
  const isEmpty = () => !hasTables(sql);
  return {
    exclusive: true,
    head: () => Promise.resolve(isEmpty() ? undefined : readHead(sql)),
    read: (_session, ...range) =>
      Promise.resolve(isEmpty() ? new Map() : readDocuments(sql, ...range)),
    commit(_session, change) {
      if (isEmpty() && change.after !== undefined) {
        return Promise.resolve(undefined);
      }
      const revision = storage.transactionSync(() => {
        createTables(sql);
        return commit(sql, change);
      });
      if (revision !== undefined) changes.notify(headName);
      return Promise.resolve(revision);
    },
    watch: (_session, signal) => changes.watch(headName, signal),
    async remove() {
      await storage.deleteAll();
      changes.notify(headName);
    },
  };
}

function hasTables(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'revision'")
    .toArray().length > 0;
}

function createTables(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE IF NOT EXISTS document (
    name TEXT NOT NULL,
    part INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (name, part)
  ) WITHOUT ROWID`);
  sql.exec(`CREATE TABLE IF NOT EXISTS revision (number INTEGER NOT NULL)`);
}

function readRevision(sql: SqlStorage): number | undefined {
  const number = sql.exec("SELECT number FROM revision").toArray()[0]?.number;
  return typeof number === "number" ? number : undefined;
}

function readHead(sql: SqlStorage): StoredHead | undefined {
  const revision = readRevision(sql);
  if (revision === undefined) return undefined;
  const rows = sql.exec(
    "SELECT name, bytes FROM document WHERE name = ? ORDER BY part",
    headName,
  );
  for (const [, text] of textsOf(rows)) {
    return { revision: `${revision}`, text };
  }
  return undefined;
}

function readDocuments(
  sql: SqlStorage,
  prefix: string,
  from = prefix,
  limit = Infinity,
): Documents {
  const rows = sql.exec(
    "SELECT name, bytes FROM document WHERE name >= ? AND name < ? AND name <> ? ORDER BY name, part",
    from,
    `${prefix}\u{10ffff}`,
    headName,
  );
  const documents = new Map<string, string>();
  let room = limit;
  for (const [name, text] of textsOf(rows)) {
    documents.set(name, text);
    room -= text.length;
    if (room <= 0) break;
  }
  return documents;
}

/** Names and texts of rows that are in the order of names and parts. */
function* textsOf(
  rows: Iterable<Record<string, unknown>>,
): Generator<[name: string, text: string]> {
  let current: string | undefined;
  let parts: Uint8Array[] = [];
  for (const { name, bytes } of rows) {
    if (typeof name !== "string" || !(bytes instanceof ArrayBuffer)) continue;
    if (name !== current) {
      if (current !== undefined) yield [current, fromParts(parts)];
      current = name;
      parts = [];
    }
    parts.push(new Uint8Array(bytes));
  }
  if (current !== undefined) yield [current, fromParts(parts)];
}

function commit(sql: SqlStorage, change: Change): string | undefined {
  const before = readRevision(sql);
  const revision = before === undefined ? undefined : String(before);
  if (revision !== change.after) return undefined;
  for (const name of change.remove) {
    sql.exec("DELETE FROM document WHERE name = ?", name);
  }
  for (
    const [name, text] of [[headName, change.head] as const, ...change.set]
  ) {
    write(sql, name, text);
  }
  const number = (before ?? 0) + 1;
  sql.exec(
    before === undefined
      ? "INSERT INTO revision (number) VALUES (?)"
      : "UPDATE revision SET number = ?",
    number,
  );
  return String(number);
}

function write(sql: SqlStorage, name: string, text: string): void {
  const parts = toParts(text, partBytes);
  sql.exec(
    "DELETE FROM document WHERE name = ? AND part >= ?",
    name,
    parts.length,
  );
  parts.forEach((bytes, part) =>
    sql.exec(
      "INSERT INTO document (name, part, bytes) VALUES (?, ?, ?) ON CONFLICT (name, part) DO UPDATE SET bytes = excluded.bytes",
      name,
      part,
      bytes,
    )
  );
}
