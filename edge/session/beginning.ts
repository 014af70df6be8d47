/**
 * What is written when a turn starts: the session's head, which keeps others
 * away, the turn's record, and the client's key for it.
 *
 * @module
 */

import type { BackendName } from "../../src/backends/backend.ts";
import type { HistoryItem } from "../../src/history.ts";
import type { Change } from "../store.ts";
import { names } from "./documents.ts";
import { encodeHead, type FoundHead, type SessionHead } from "./head.ts";
import { keyDocument } from "./idempotency.ts";
import { firstThatCanChange } from "./stored_conversation.ts";
import type { TurnRequest } from "./start.ts";
import type { TurnRecord } from "./turn_record.ts";

/** A turn's beginning. */
export type Beginning = {
  readonly head: SessionHead;
  readonly record: TurnRecord;
  /** The same, as the store takes it. */
  readonly change: Change;
};

/** What a turn begins with. */
export type BeginningParts = {
  readonly turn: string;
  /** The process that runs it. */
  readonly owner: string;
  readonly backend: BackendName;
  /** The session, where there is one. */
  readonly found: FoundHead | undefined;
  /** What was said in it. */
  readonly history: readonly HistoryItem[];
  readonly request: TurnRequest;
  readonly now: number;
  readonly leaseMs: number;
};

/** Makes a turn's beginning. */
export async function beginningOf(
  { turn, owner, backend, found, history, request, now, leaseMs }:
    BeginningParts,
): Promise<Beginning> {
  const number = (found?.head.turns ?? 0) + 1;
  const head: SessionHead = {
    version: 2,
    backend,
    createdAt: found?.head.createdAt ?? now,
    updatedAt: now,
    turns: number,
    bytes: found?.head.bytes ?? 0,
    changes: (found?.head.changes ?? 0) + 1,
    running: {
      turn,
      owner,
      from: firstThatCanChange(history),
      until: now + leaseMs,
    },
  };
  const { input } = request;
  const record: TurnRecord = { id: turn, number, input, startedAt: now };
  const set = new Map([[names.turn(turn), JSON.stringify(record)]]);
  const key = await keyDocument(request, turn);
  if (key !== undefined) set.set(key.name, key.text);
  const after = found?.revision;
  const change = { after, head: encodeHead(head), set, remove: [] };
  return { head, record, change };
}
