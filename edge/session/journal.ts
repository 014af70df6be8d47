/**
 * Writes a running turn down: what happened since the last commit, together with
 * the conversation as it is then. Readers are shown only what was committed, so
 * that a process that dies takes nothing back that somebody has seen.
 *
 * @module
 */

import { type Clock, pause } from "../../src/ambient.ts";
import type { SessionStore } from "../store.ts";
import { toBatches } from "./batches.ts";
import { names } from "./documents.ts";
import { encodeHead, parseHead, rested, type SessionHead } from "./head.ts";
import {
  type Contents,
  type ConversationChange,
  StoredConversation,
} from "./stored_conversation.ts";
import type { SessionEvent, TurnRecord } from "./turn_record.ts";

/** Another process has taken the session over, or the store failed for good. */
export class SessionLost extends Error {
  /** Always `SessionLost`. */
  override readonly name = "SessionLost";
}

/** What a journal works with. */
export type JournalParts = {
  readonly session: string;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly owner: string;
  readonly record: TurnRecord;
  readonly head: SessionHead;
  readonly revision: string;
  /** The conversation as it is stored, without the receipts of other turns. */
  readonly stored: Contents;
  readonly leaseMs: number;
  /** How long text may wait for more text before it is written. */
  readonly textMs: number;
  /** The conversation as it is now, without the receipts of other turns. */
  contents(): Contents;
  /** Somebody asked for the turn's end through the store. */
  onCancel(reason: string): void;
  /** The session is lost: whatever the turn still does is not written. */
  onLost(): void;
};

/** Writes one turn down. */
export class Journal {
  readonly #parts: JournalParts;
  #head: SessionHead;
  #revision: string;
  readonly #conversation: StoredConversation;
  #pending: SessionEvent[] = [];
  #next = 1;
  #changes: number;
  #renewal = false;
  /** Whether the conversation is to be written without an event that tells of it. */
  #unseen = false;
  /** The open receipts that are stored, or are being stored now. */
  #open: ReadonlySet<string> = new Set();
  #draining: Promise<void> | undefined;
  #lost: SessionLost | undefined;
  #textTimer: (() => void) | undefined;

  /** @param parts What it works with. */
  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#head = parts.head;
    this.#changes = parts.head.changes;
    this.#revision = parts.revision;
    const { record, stored, head } = parts;
    this.#conversation = new StoredConversation(
      record.number,
      stored,
      head.bytes,
    );
  }

  /** Adds an event. Text waits a little for more of it, the rest for nothing. */
  push(event: SessionEvent): void {
    this.#pending.push(event);
    if (isText(event)) {
      this.#textTimer ??= this.#parts.clock.timer(
        this.#parts.textMs,
        () => this.#flushSoon(),
      );
    } else this.#flushSoon();
  }

  /** Extends the lease. */
  renew(): void {
    this.#renewal = true;
    this.#flushSoon();
  }

  /**
   * Resolves when an open receipt is stored. The event that tells of it may come
   * later: it takes its way through the turn's readers.
   *
   * @param receipt Its id.
   * @throws {SessionLost} It cannot be.
   */
  stored(receipt: string): Promise<void> {
    if (!this.#open.has(receipt)) this.#unseen = true;
    return this.flush();
  }

  /**
   * Resolves when everything pushed so far is stored.
   *
   * @throws {SessionLost} It cannot be.
   */
  flush(): Promise<void> {
    this.#textTimer?.();
    this.#textTimer = undefined;
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    if (this.#draining !== undefined) return this.#draining;
    if (!this.#due()) return Promise.resolve();
    return this.#draining = this.#drain();
  }

  #flushSoon(): void {
    // A loss is told by `onLost`.
    this.flush().catch(() => {});
  }

  #due(): boolean {
    return this.#pending.length > 0 || this.#renewal || this.#unseen;
  }

  async #drain(): Promise<void> {
    try {
      // What is pushed in the same moment goes in one commit.
      await Promise.resolve();
      while (this.#due()) await this.#commit();
    } catch (error) {
      this.#lost = error instanceof SessionLost
        ? error
        : new SessionLost("The session's store failed");
      this.#parts.onLost();
      throw this.#lost;
    } finally {
      this.#draining = undefined;
    }
  }

  async #commit(): Promise<void> {
    const events = this.#pending;
    // Text changes nothing in the conversation before its step ends.
    const same = events.every(isText) && !this.#unseen;
    this.#pending = [];
    this.#renewal = this.#unseen = false;
    const { record } = this.#parts;
    const { set, remove } = same ? unchanged() : this.#changed();
    const last = events.at(-1);
    if (last?.type === "end") {
      const ended = endedRecord(record, last, this.#next + events.length - 1);
      set.set(names.turn(record.id), JSON.stringify(ended));
    }
    if (set.size + remove.length > 0) this.#changes++;
    for (const batch of toBatches(record.id, this.#next, events)) {
      set.set(...batch);
    }
    await this.#write(set, remove, last?.type === "end");
    this.#next += events.length;
  }

  #changed(): ConversationChange {
    const contents = this.#parts.contents();
    this.#open = new Set(
      contents.receipts.filter(({ outcome }) => outcome === undefined)
        .map(({ id }) => id),
    );
    return this.#conversation.update(contents);
  }

  async #write(
    set: Map<string, string>,
    remove: string[],
    ended: boolean,
  ): Promise<void> {
    const { session, store, clock, leaseMs } = this.#parts;
    for (;;) {
      const now = clock.now();
      const { running, ...before } = this.#head;
      const rest = rested({
        ...before,
        bytes: this.#conversation.bytes,
        changes: this.#changes,
      }, now);
      const head = ended || running === undefined
        ? rest
        : { ...rest, running: { ...running, until: now + leaseMs } };
      const text = encodeHead(head);
      const revision = await this.#patiently(() =>
        store.commit(session, {
          after: this.#revision,
          head: text,
          set,
          remove,
        })
      );
      if (revision !== undefined) {
        this.#revision = revision;
        this.#head = head;
        return;
      }
      await this.#reread();
    }
  }

  /**
   * Looks at what others wrote into the head: a wish to cancel, or that the
   * session is theirs.
   *
   * @throws {SessionLost} The session is theirs.
   */
  async #reread(): Promise<void> {
    const { session, store, owner, record, onCancel } = this.#parts;
    const stored = await this.#patiently(() => store.head(session));
    const head = stored === undefined ? undefined : parseHead(stored.text);
    if (
      stored === undefined || head === undefined ||
      head.running?.owner !== owner || head.running.turn !== record.id
    ) throw new SessionLost("Another process has taken the session over");
    this.#revision = stored.revision;
    this.#head = head;
    if (head.running.cancel !== undefined) onCancel(head.running.cancel);
  }

  /** A store across a network fails now and then. */
  async #patiently<T>(act: () => Promise<T>): Promise<T> {
    const { clock } = this.#parts;
    for (let attempt = 1;; attempt++) {
      try {
        return await act();
      } catch (error) {
        if (attempt === 3) throw error;
        await pause(clock, 100 * attempt, new AbortController().signal);
      }
    }
  }
}

function unchanged(): ConversationChange {
  return { set: new Map(), remove: [] };
}

function isText({ type }: SessionEvent): boolean {
  return type === "text" || type === "reasoning";
}

/** The record of a turn that ended with `event`. */
export function endedRecord(
  record: TurnRecord,
  event: Extract<SessionEvent, { type: "end" }>,
  lastEvent: number,
): TurnRecord {
  const { type: _type, turnId: _turnId, at, ...end } = event;
  return { ...record, endedAt: at, end, lastEvent };
}
