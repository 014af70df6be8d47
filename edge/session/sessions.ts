/**
 * Sessions: starts turns, one at a time in each, and tells what became of them.
 * Any process may be asked; the one that started a turn runs it, the others
 * follow it through the store.
 *
 * Before it on the path: the routes. After it: `turn_run.ts`.
 *
 * @module
 */

import { type Clock, systemAmbient } from "../../src/ambient.ts";
import type { AgentConfiguration } from "../../src/configuration.ts";
import type { HistoryItem } from "../../src/history.ts";
import { open } from "../../src/open.ts";
import type { Receipt } from "../../src/receipt.ts";
import type { RuntimeOptions } from "../../src/runtime_options.ts";
import type { SessionStore } from "../store.ts";
import { fromDocuments, names, type NumberedEvent } from "./documents.ts";
import { follow } from "./follow.ts";
import { encodeHead, parseHead, type SessionHead } from "./head.ts";
import { endInterrupted } from "./interruption.ts";
import { findKey, keyDocument } from "./idempotency.ts";
import type { Started, TurnRequest } from "./start.ts";
import { afterReceipt, TurnRun } from "./turn_run.ts";
import { parseTurnRecord, type TurnRecord } from "./turn_record.ts";

/** What sessions work with. */
export type SessionsParts = {
  readonly config: AgentConfiguration;
  readonly store: SessionStore;
  readonly clock: Clock;
  /** How long a process may be silent before its turn counts as interrupted. */
  readonly leaseMs: number;
  /** How long text may wait for more text before it is written and sent. */
  readonly textMs: number;
};

/** A turn with the receipts of its calls. */
export type TurnState = TurnRecord & { readonly receipts: readonly Receipt[] };

/** A session as its readers see it. */
export type SessionState = {
  readonly head: SessionHead;
  readonly turns: readonly TurnRecord[];
  readonly history: readonly HistoryItem[];
  readonly receipts: readonly Receipt[];
};

type Found = { readonly head: SessionHead; readonly revision: string };

/** The sessions of one store. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #runs = new Map<string, TurnRun>();
  /** Turns that this process answers for, from before their first commit. */
  readonly #own = new Set<string>();
  #owner: string | undefined;

  /** @param parts What they work with. */
  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /**
   * Starts a turn, unless it was started before or another one runs.
   *
   * @param session The session; made where there is none.
   * @param request What the user says.
   * @param options What the agent lives on, for this turn.
   * @throws {HostFailure} Of kind `configuration`: the agent cannot be opened.
   */
  async start(
    session: string,
    request: TurnRequest,
    options: RuntimeOptions,
  ): Promise<Started> {
    for (;;) {
      const found = await this.#find(session);
      const { running } = found?.head ?? {};
      const known = await findKey(this.#parts.store, session, request);
      if (known !== undefined) return known;
      if (running !== undefined) return { tag: "busy", turn: running.turn };
      const started = await this.#begin(session, request, options, found);
      if (started !== undefined) return started;
      // Somebody else was faster; look again.
    }
  }

  /** The session; `undefined` where there is none. */
  async state(session: string): Promise<SessionState | undefined> {
    for (let attempt = 1;; attempt++) {
      const found = await this.#find(session);
      if (found === undefined) return undefined;
      const { store } = this.#parts;
      const documents = await store.read(session, names.conversation);
      const records = await store.read(session, names.turns);
      // Read in parts: a commit in between would make them differ.
      const again = await store.head(session);
      if (again?.revision !== found.revision && attempt < 5) continue;
      const { history, receipts } = fromDocuments(
        documents,
        found.head.backend,
      );
      const turns = [...records.values()].map(parseTurnRecord)
        .sort((one, other) => one.number - other.number);
      return { head: found.head, turns, history, receipts };
    }
  }

  /** The turn; `undefined` where there is none. */
  async turn(session: string, turn: string): Promise<TurnState | undefined> {
    const state = await this.state(session);
    const record = state?.turns.find(({ id }) => id === turn);
    if (state === undefined || record === undefined) return undefined;
    const receipts = state.receipts.filter(({ turnId }) => turnId === turn);
    return { ...record, receipts };
  }

  /** The turn's record alone. */
  async record(session: string, turn: string): Promise<TurnRecord | undefined> {
    if (await this.#find(session) === undefined) return undefined;
    const name = names.turn(turn);
    const text = (await this.#parts.store.read(session, name)).get(name);
    return text === undefined ? undefined : parseTurnRecord(text);
  }

  /**
   * The turn's events after number `after`, then those to come, to its end.
   *
   * @param session The session.
   * @param turn The turn.
   * @param after The number of the last event that the reader has, or 0.
   * @param signal Ends it before.
   */
  events(
    session: string,
    turn: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedEvent, void, undefined> {
    const { store } = this.#parts;
    return follow(store, session, turn, after, signal, async () => {
      await this.#find(session);
    });
  }

  /**
   * Asks for the turn's end, wherever it runs. Does nothing where it has ended.
   *
   * @param session The session.
   * @param turn The turn.
   * @param reason Why, for receipts and events.
   */
  async cancel(session: string, turn: string, reason: string): Promise<void> {
    const run = this.#runs.get(session);
    if (run?.turn === turn) return run.cancel(reason);
    for (;;) {
      const found = await this.#find(session);
      const running = found?.head.running;
      if (found === undefined || running?.turn !== turn) return;
      const head = { ...found.head, running: { ...running, cancel: reason } };
      const text = encodeHead(head);
      const change = { head: text, set: new Map(), remove: [] };
      const { store } = this.#parts;
      if (await store.commit(session, { after: found.revision, ...change })) {
        return;
      }
    }
  }

  /** The session's head, once a turn that nobody runs any more was ended. */
  async #find(session: string): Promise<Found | undefined> {
    const { store, clock } = this.#parts;
    for (;;) {
      const stored = await store.head(session);
      if (stored === undefined) return undefined;
      const head = parseHead(stored.text);
      if (!this.#isAbandoned(head)) {
        return { head, revision: stored.revision };
      }
      await endInterrupted(store, session, head, stored.revision, clock.now());
    }
  }

  #isAbandoned({ running }: SessionHead): boolean {
    if (running === undefined || this.#own.has(running.turn)) return false;
    const { store, clock } = this.#parts;
    return store.exclusive || running.until < clock.now();
  }

  async #begin(
    session: string,
    request: TurnRequest,
    options: RuntimeOptions,
    found: Found | undefined,
  ): Promise<Started | undefined> {
    const { store, config, clock, leaseMs } = this.#parts;
    const newId = options.newId ?? systemAmbient.newId;
    const turn = newId("turn");
    const documents = await store.read(session, names.conversation);
    const running = Promise.withResolvers<TurnRun>();
    const agent = await open(config, {
      ...afterReceipt(options, async () => (await running.promise).stored()),
      clock,
      newId: (prefix) => prefix === "turn" ? turn : newId(prefix),
      ...(found === undefined
        ? {}
        : { snapshot: fromDocuments(documents, found.head.backend) }),
    });
    const now = clock.now();
    const owner = this.#owner ??= newId("process");
    const number = (found?.head.turns ?? 0) + 1;
    const head: SessionHead = {
      version: 1,
      backend: config.backend,
      createdAt: found?.head.createdAt ?? now,
      updatedAt: now,
      turns: number,
      running: { turn, owner, until: now + leaseMs },
    };
    const { input } = request;
    const record: TurnRecord = { id: turn, number, input, startedAt: now };
    const set = new Map([[names.turn(turn), JSON.stringify(record)]]);
    const key = await keyDocument(request, turn);
    if (key !== undefined) set.set(key.name, key.text);
    const text = encodeHead(head);
    const after = found?.revision;
    this.#own.add(turn);
    const revision = await store.commit(session, {
      after,
      head: text,
      set,
      remove: [],
    }).catch((error) => {
      this.#own.delete(turn);
      throw error;
    });
    if (revision === undefined) {
      this.#own.delete(turn);
      return undefined;
    }
    const run = new TurnRun({
      ...this.#parts,
      session,
      owner,
      record,
      head,
      revision,
      documents,
      agent,
      input,
    });
    running.resolve(run);
    return { tag: "started", turn, finished: this.#run(session, run) };
  }

  async #run(session: string, run: TurnRun): Promise<void> {
    this.#runs.set(session, run);
    try {
      await run.run();
    } catch {
      // Whoever looks at the session next finds the turn interrupted.
    } finally {
      this.#own.delete(run.turn);
      if (this.#runs.get(session) === run) this.#runs.delete(session);
    }
  }
}
