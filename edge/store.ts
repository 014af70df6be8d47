/**
 * Where sessions are kept: the few things that a database must be able to do.
 *
 * A session is a small head and any number of named documents, all of it text.
 * A commit writes both, whole or not at all, and only if nobody else did since
 * the head was read. Everything that must not happen twice (a turn, a lease, an
 * idempotency key) rests on that one promise, so it is the store's only duty.
 *
 * @module
 */

/** A session's head, and the revision that a commit on top of it names. */
export type StoredHead = {
  /** Differs after every commit. */
  readonly revision: string;
  /** JSON text; below 16 KiB. */
  readonly text: string;
};

/** Documents by name, in the order of their names. */
export type Documents = ReadonlyMap<string, string>;

/** What a commit changes. */
export type Change = {
  /** The revision of the head that was read; `undefined` where there was none. */
  readonly after: string | undefined;
  /** The new head's text. */
  readonly head: string;
  /** Documents to write, of any size. */
  readonly set: Documents;
  /** Names of documents to delete. */
  readonly remove: readonly string[];
};

/** Keeps sessions. All methods may be called from several processes at once. */
export type SessionStore = {
  /**
   * Whether one process at a time has a session: then a turn that this process
   * does not run is run by nobody, and need not be waited for.
   */
  readonly exclusive: boolean;
  /** The session's head; `undefined` where there is no such session. */
  head(session: string): Promise<StoredHead | undefined>;
  /**
   * Documents whose names start with `prefix`.
   *
   * @param session The session.
   * @param prefix The start of their names.
   * @param from The first name; all with that prefix without one.
   * @param limit How many characters (`text.length`) are enough: the last document
   * is that with which the texts reach it. So there is one where there is any,
   * and who gets fewer characters has got all. Without it all are given.
   */
  read(
    session: string,
    prefix: string,
    from?: string,
    limit?: number,
  ): Promise<Documents>;
  /**
   * Writes a change whole or not at all.
   *
   * @param session The session.
   * @param change What to write.
   * @returns The new revision; `undefined`, with nothing written, where the
   * session's revision is not `change.after`.
   */
  commit(session: string, change: Change): Promise<string | undefined>;
  /**
   * Yields at once, then after each commit; several may be told as one. A store
   * that several processes share yields every second or so in any case.
   *
   * A commit between two calls of `next()` must not be lost: the consumer works
   * then, and does not wait. So listen from the first call to the end, and
   * remember what came.
   *
   * @param session The session.
   * @param signal Ends it.
   */
  watch(session: string, signal: AbortSignal): AsyncIterable<void>;
  /** Deletes the session with all that belongs to it. */
  remove(session: string): Promise<void>;
};
