/**
 * Ends a turn that nobody runs any more: its process died, or lost the session.
 * Its open calls become interrupted receipts, its events get their end, all in
 * one commit, so that several readers who notice at once end it once.
 *
 * @module
 */

import { interruptedReceipt } from "../../src/agent.ts";
import type { Receipt } from "../../src/receipt.ts";
import type { SessionStore } from "../store.ts";
import { storedEvents, toBatches } from "./batches.ts";
import { fromDocuments, names } from "./documents.ts";
import { encodeHead, rested, type SessionHead } from "./head.ts";
import { endedRecord } from "./journal.ts";
import { readRecord } from "./reading.ts";
import { StoredConversation } from "./stored_conversation.ts";
import { type Told, toldBy } from "./told.ts";
import type { SessionEvent } from "./turn_record.ts";

/**
 * Ends the turn that `head` says is running. Nothing happens where somebody else
 * was faster.
 *
 * @param store The store.
 * @param session The session.
 * @param head The session's head.
 * @param revision The head's revision.
 * @param now The time.
 */
export async function endInterrupted(
  store: SessionStore,
  session: string,
  head: SessionHead,
  revision: string,
  now: number,
): Promise<void> {
  const { running, turns: number } = head;
  if (running === undefined) return;
  const { turn } = running;
  const pages = await store.read(session, names.receipts(number));
  const before = fromDocuments(pages, head.backend);
  const receipts = before.receipts.map(interruptedReceipt);
  const stored = new StoredConversation(number, before, head.bytes);
  const { set, remove } = stored.update({ ...before, receipts });
  const told = await toldBy(storedEvents(store, session, turn));
  const own = receipts.filter(({ turnId }) => turnId === turn);
  const end = endEvent(turn, told, now);
  const events = [...untold(own, told), end];
  const first = told.last + 1;
  for (const batch of toBatches(turn, first, events)) set.set(...batch);
  const record = await readRecord(store, session, turn);
  if (record !== undefined) {
    const last = first + events.length - 1;
    const ended = endedRecord(record, end, last);
    set.set(names.turn(turn), JSON.stringify(ended));
  }
  const { bytes } = stored;
  const changes = head.changes + 1;
  await store.commit(session, {
    after: revision,
    head: encodeHead(rested({ ...head, bytes, changes }, now)),
    set,
    remove,
  });
}

/** The events of receipts that the turn's readers have not seen. */
function untold(
  receipts: readonly Receipt[],
  { started, finished }: Told,
): SessionEvent[] {
  return receipts.flatMap((receipt) => {
    const { turnId, id } = receipt;
    const events: SessionEvent[] = [];
    if (!started.has(id)) {
      events.push({ type: "tool_started", turnId, receipt: opened(receipt) });
    }
    if (!finished.has(id)) {
      events.push({ type: "tool_finished", turnId, receipt });
    }
    return events;
  });
}

/** A receipt as it was when its call began. */
function opened(receipt: Receipt): Receipt {
  const {
    outcome: _outcome,
    error: _error,
    endedAt: _endedAt,
    output: _output,
    ...rest
  } = receipt;
  return { ...rest, executed: false };
}

function endEvent(
  turnId: string,
  { text, usage, steps }: Told,
  at: number,
): Extract<SessionEvent, { type: "end" }> {
  const stopReason = "interrupted";
  return { type: "end", turnId, at, stopReason, text, usage, steps };
}
