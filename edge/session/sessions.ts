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
import { open } from "../../src/open.ts";
import type { RuntimeOptions } from "../../src/runtime_options.ts";
import type { Change, SessionStore } from "../store.ts";
import { beginningOf } from "./beginning.ts";
import type { NumberedEvent } from "./batches.ts";
import { follow, type TurnFate } from "./follow.ts";
import {
  encodeHead,
  type FoundHead,
  parseHead,
  type SessionHead,
} from "./head.ts";
import { defaultLimits, mustHaveRoom, type SessionLimits } from "./limits.ts";
import {
  readConversation,
  readRecord,
  readSession,
  readTurn,
  type SessionState,
  type TurnState,
} from "./reading.ts";
import { endInterrupted } from "./interruption.ts";
import { findKey } from "./idempotency.ts";
import type { Started, TurnRequest } from "./start.ts";
import { afterReceipt, TurnRun } from "./turn_run.ts";
import type { TurnRecord } from "./turn_record.ts";

/** What sessions work with. */
export type SessionsParts = {
  readonly config: AgentConfiguration;
  readonly store: SessionStore;
  readonly clock: Clock;
  /** How long a process may be silent before its turn counts as interrupted. */
  readonly leaseMs: number;
  /** How long text may wait for more text before it is written and sent. */
  readonly textMs: number;
  /** How much a session may hold; `defaultLimits` without them. */
  readonly limits?: Partial<SessionLimits>;
};

/** The sessions of one store. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #limits: SessionLimits;
  readonly #runs = new Map<string, TurnRun>();
  /**
   * Turns that this process answers for, from before their first commit; aborted
   * when it does so no more.
   */
  readonly #own = new Map<string, AbortController>();
  #owner: string | undefined;

  /** @param parts What they work with. */
  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.limits };
  }

  /**
   * Starts a turn, unless it was started before or another one runs.
   *
   * @param session The session; made where there is none.
   * @param request What the user says.
   * @param options What the agent lives on, for this turn.
   * @throws {HostFailure} Of kind `configuration`: the agent cannot be opened.
   * @throws {SessionFull} The session holds as much as it may.
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
      if (found !== undefined) mustHaveRoom(found.head, this.#limits);
      const started = await this.#begin(session, request, options, found);
      if (started !== undefined) return started;
      // Somebody else was faster; look again.
    }
  }

  /** The session; `undefined` where there is none. */
  async state(session: string): Promise<SessionState | undefined> {
    return await readSession(this.#reading(session));
  }

  /** The turn; `undefined` where there is none. */
  async turn(session: string, turn: string): Promise<TurnState | undefined> {
    return await readTurn(this.#reading(session), turn);
  }

  /** The turn's record alone. */
  async record(session: string, turn: string): Promise<TurnRecord | undefined> {
    if (await this.#find(session) === undefined) return undefined;
    return await readRecord(this.#parts.store, session, turn);
  }

  /**
   * The turn's events after number `after`, then those to come, and its end in any
   * case; fewer where the session is deleted before.
   *
   * @param session The session.
   * @param turn The turn.
   * @param after The number of the last event that the reader has, or 0.
   * @param signal Ends it before.
   */
  async *events(
    session: string,
    turn: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedEvent, void, undefined> {
    const { store, clock, leaseMs: everyMs } = this.#parts;
    const look = () => this.#look(session, turn);
    const parts = { store, session, turn, clock, everyMs, look };
    const own = this.#own.get(turn)?.signal;
    let last = after;
    if (own !== undefined) {
      const both = AbortSignal.any([signal, own]);
      for await (const event of follow({ ...parts, signal: both }, last)) {
        last = event.number;
        yield event;
        if (event.type === "end") return;
      }
    }
    // The run is over. Where its end could not be stored no commit tells of it.
    yield* follow({ ...parts, signal }, last);
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

  #reading(session: string) {
    const { store } = this.#parts;
    return { store, session, find: () => this.#find(session) };
  }

  /** The session's head, once a turn that nobody runs any more was ended. */
  async #find(session: string): Promise<FoundHead | undefined> {
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

  async #look(session: string, turn: string): Promise<TurnFate> {
    const found = await this.#find(session);
    if (found === undefined) return "gone";
    if (found.head.running?.turn === turn) return "running";
    const record = await readRecord(this.#parts.store, session, turn);
    return record === undefined ? "gone" : "ended";
  }

  #isAbandoned({ running }: SessionHead): boolean {
    if (running === undefined || this.#own.has(running.turn)) return false;
    const { store, clock } = this.#parts;
    return store.exclusive || running.until < clock.now();
  }

  /** Starts the turn; `undefined` where somebody else was faster. */
  async #begin(
    session: string,
    request: TurnRequest,
    options: RuntimeOptions,
    found: FoundHead | undefined,
  ): Promise<Started | undefined> {
    const { store, config, clock, leaseMs } = this.#parts;
    const newId = options.newId ?? systemAmbient.newId;
    const turn = newId("turn");
    const snapshot = found && await readConversation(store, session, found);
    if (found !== undefined && snapshot === undefined) return undefined;
    const running = Promise.withResolvers<TurnRun>();
    const agent = await open(config, {
      ...afterReceipt(
        options,
        async (receipt) => (await running.promise).stored(receipt),
      ),
      clock,
      newId: (prefix) => prefix === "turn" ? turn : newId(prefix),
      snapshot,
    });
    const owner = this.#owner ??= newId("process");
    const { backend } = config;
    const now = clock.now();
    const stored = agent.contents;
    const { history } = stored;
    const { change, ...beginning } = await beginningOf(
      { turn, owner, backend, found, history, request, now, leaseMs },
    );
    const revision = await this.#claim(session, turn, owner, change);
    if (revision === undefined) return undefined;
    const run = new TurnRun({
      ...this.#parts,
      ...beginning,
      session,
      owner,
      revision,
      stored,
      agent,
      input: request.input,
    });
    running.resolve(run);
    return { tag: "started", turn, finished: this.#run(session, run) };
  }

  /** Writes a turn's beginning; `undefined` where somebody else was faster. */
  async #claim(
    session: string,
    turn: string,
    owner: string,
    change: Change,
  ): Promise<string | undefined> {
    const { store } = this.#parts;
    this.#own.set(turn, new AbortController());
    let revision: string | undefined;
    try {
      revision = await store.commit(session, change);
      if (revision !== undefined) return revision;
      // A store whose answer was lost tries again, and is refused for what it
      // wrote itself.
      const stored = await store.head(session);
      const running = stored && parseHead(stored.text).running;
      if (running?.turn !== turn || running.owner !== owner) return undefined;
      return revision = stored?.revision;
    } finally {
      if (revision === undefined) this.#disown(turn);
    }
  }

  async #run(session: string, run: TurnRun): Promise<void> {
    this.#runs.set(session, run);
    try {
      await run.run();
    } catch {
      // Whoever looks at the session next finds the turn interrupted.
    } finally {
      if (this.#runs.get(session) === run) this.#runs.delete(session);
      this.#disown(run.turn);
    }
  }

  #disown(turn: string): void {
    const own = this.#own.get(turn);
    this.#own.delete(turn);
    own?.abort();
  }
}
