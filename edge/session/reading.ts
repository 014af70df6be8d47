/**
 * What readers see of a session, read so that it belongs together.
 *
 * @module
 */

import type { HistoryItem } from "../../src/history.ts";
import type { Receipt } from "../../src/receipt.ts";
import type { AgentSnapshot } from "../../src/snapshot.ts";
import type { Documents, SessionStore } from "../store.ts";
import { fromDocuments, names } from "./documents.ts";
import {
  type FoundHead,
  parseHead,
  sameConversation,
  type SessionHead,
} from "./head.ts";
import { parseTurnRecord, type TurnRecord } from "./turn_record.ts";

/** A turn with the receipts of its calls. */
export type TurnState = TurnRecord & { readonly receipts: readonly Receipt[] };

/** A session as its readers see it. */
export type SessionState = {
  readonly head: SessionHead;
  readonly turns: readonly TurnRecord[];
  readonly history: readonly HistoryItem[];
  readonly receipts: readonly Receipt[];
};

/** What reading works with. */
export type ReadingParts = {
  readonly store: SessionStore;
  readonly session: string;
  /** The session's head, where there is such a session. */
  readonly find: () => Promise<FoundHead | undefined>;
};

const tries = 5;

/** The session; `undefined` where there is none. */
export async function readSession(
  parts: ReadingParts,
): Promise<SessionState | undefined> {
  const { store, session } = parts;
  let all: SessionDocuments | undefined;
  return await together(parts, async (head) => {
    const read = all = await readDocuments(store, session, head, all);
    return () => {
      const { history, receipts } = fromDocuments(
        read.conversation,
        head.backend,
      );
      const turns = [...read.records.values()].map(parseTurnRecord)
        .sort((one, other) => one.number - other.number);
      return { head, turns, history, receipts };
    };
  });
}

type SessionDocuments = {
  /** The turn that ran when they were read. */
  readonly running: string | undefined;
  readonly conversation: Documents;
  readonly records: Documents;
};

/**
 * A session's documents. Of those read before, while the same turn ran, only what
 * that turn can change is read again: a long session would otherwise have changed
 * each time before it is read.
 */
async function readDocuments(
  store: SessionStore,
  session: string,
  { running, turns }: SessionHead,
  before: SessionDocuments | undefined,
): Promise<SessionDocuments> {
  if (running === undefined || before?.running !== running.turn) {
    return {
      running: running?.turn,
      conversation: await store.read(session, names.conversation),
      records: await store.read(session, names.turns),
    };
  }
  const item = names.item(running.from);
  const own = names.receipts(turns);
  const history = await store.read(session, names.history, item);
  const receipts = await store.read(session, own);
  const stored = await store.read(session, names.stored);
  const kept = [...before.conversation].filter(([name]) =>
    name.startsWith(names.history)
      ? name < item
      : name !== names.stored && !name.startsWith(own)
  );
  const conversation = new Map([...kept, ...history, ...receipts, ...stored]);
  return { ...before, conversation };
}

/** A turn; `undefined` where there is none. Costs what the turn did. */
export async function readTurn(
  parts: ReadingParts,
  turn: string,
): Promise<TurnState | undefined> {
  const { store, session } = parts;
  return await together(parts, async ({ backend }) => {
    const record = await readRecord(store, session, turn);
    if (record === undefined) return () => undefined;
    const prefix = names.receipts(record.number);
    const documents = await store.read(session, prefix);
    return () => {
      const { receipts } = fromDocuments(documents, backend);
      return { ...record, receipts };
    };
  });
}

/** A turn's record alone. */
export async function readRecord(
  store: SessionStore,
  session: string,
  turn: string,
): Promise<TurnRecord | undefined> {
  const name = names.turn(turn);
  const text = (await store.read(session, name)).get(name);
  return text === undefined ? undefined : parseTurnRecord(text);
}

/**
 * What the model goes on from; `undefined` where another turn began meanwhile.
 * Receipts are for the session's readers: those of earlier turns stay as they are
 * stored.
 */
export async function readConversation(
  store: SessionStore,
  session: string,
  { head, revision }: FoundHead,
): Promise<AgentSnapshot | undefined> {
  const history = await store.read(session, names.history);
  const stored = await store.read(session, names.stored);
  const again = await store.head(session);
  if (again?.revision !== revision) return undefined;
  return fromDocuments(new Map([...history, ...stored]), head.backend);
}

/** Reads in parts: again where a commit in between would make them differ. */
async function together<T>(
  { store, session, find }: ReadingParts,
  read: (head: SessionHead) => Promise<() => T>,
): Promise<T | undefined> {
  for (let attempt = 1;; attempt++) {
    const found = await find();
    if (found === undefined) return undefined;
    const result = await read(found.head);
    const again = await store.head(session);
    if (
      again?.revision === found.revision || attempt === tries ||
      (again !== undefined &&
        sameConversation(parseHead(again.text), found.head))
    ) return result();
  }
}
