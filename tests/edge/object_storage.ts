/**
 * A Durable Object's storage for tests: the same SQL, on SQLite in memory.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { Storage } from "../../edge/cloudflare_types.ts";

/** Storage whose tables can be looked at. */
export type ObjectStorage = Storage & {
  /** How many tables there are. */
  readonly tables: () => number;
};

/** An object's storage, with nothing in it. */
export function objectStorage(): ObjectStorage {
  let database = new DatabaseSync(":memory:");
  return {
    sql: {
      exec: (query, ...bindings) => {
        const rows = database.prepare(query).all(...bindings)
          .map(asWorkersGiveIt);
        return {
          toArray: () => rows,
          [Symbol.iterator]: () => rows[Symbol.iterator](),
        };
      },
    },
    transactionSync(run) {
      database.exec("BEGIN");
      try {
        const result = run();
        database.exec("COMMIT");
        return result;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
    setAlarm: () => Promise.resolve(),
    deleteAll() {
      database.close();
      database = new DatabaseSync(":memory:");
      return Promise.resolve();
    },
    tables: () => database.prepare("SELECT 1 FROM sqlite_master").all().length,
  };
}

/** A row with its bytes as an `ArrayBuffer`. */
function asWorkersGiveIt(row: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? new Uint8Array(value).buffer : value,
    ]),
  );
}
