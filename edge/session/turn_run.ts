/**
 * A turn that this process runs: the agent, its journal, and the lease that
 * keeps every other process away.
 *
 * @module
 */

import { pause } from "../../src/ambient.ts";
import type { Agent } from "../../src/agent.ts";
import type { RuntimeOptions } from "../../src/runtime_options.ts";
import type { HostTools } from "../../src/tools/host_tool.ts";
import type { Turn } from "../../src/turn.ts";
import { Journal, type JournalParts } from "./journal.ts";
import { parseHead } from "./head.ts";

/** What a run works with. */
export type TurnRunParts =
  & Omit<JournalParts, "contents" | "onCancel" | "onLost">
  & { readonly agent: Agent; readonly input: string };

const lost = "the session was lost to another process";

/** Runs one turn and writes it down. */
export class TurnRun {
  /** The turn's id. */
  readonly turn: string;
  readonly #parts: TurnRunParts;
  readonly #journal: Journal;
  readonly #over = new AbortController();
  #running: Turn | undefined;

  /** @param parts What it works with. */
  constructor(parts: TurnRunParts) {
    this.turn = parts.record.id;
    this.#parts = parts;
    this.#journal = new Journal({
      ...parts,
      contents: () => parts.agent.contents,
      onCancel: (reason) => this.cancel(reason),
      onLost: () => this.cancel(lost),
    });
  }

  /** Cancels the turn. */
  cancel(reason: string): void {
    this.#running?.cancel(reason);
  }

  /** Resolves when the open receipt is stored. */
  stored(receipt: string): Promise<void> {
    return this.#journal.stored(receipt);
  }

  /** Runs the turn to its end, and writes that. Never rejects. */
  async run(): Promise<void> {
    const { agent, input, store } = this.#parts;
    const turn = this.#running = agent.prompt(input);
    const watching = store.exclusive ? undefined : this.#watch();
    const stopRenewing = store.exclusive ? () => {} : this.#renew();
    try {
      for await (const event of turn) this.#journal.push(event);
    } catch {
      // A failed turn has said so in its end event.
    }
    stopRenewing();
    this.#over.abort();
    // Where the end cannot be stored the lease runs out, and whoever looks next
    // finds the turn interrupted.
    await this.#journal.flush().catch(() => {});
    await watching;
    await agent.close();
  }

  /** Extends the lease long before it runs out. */
  #renew(): () => void {
    const { clock, leaseMs } = this.#parts;
    let stop = () => {};
    const again = () => {
      this.#journal.renew();
      stop = clock.timer(leaseMs / 3, again);
    };
    stop = clock.timer(leaseMs / 3, again);
    return () => stop();
  }

  /** Sees a wish to cancel that another process wrote. */
  async #watch(): Promise<void> {
    const { store, session } = this.#parts;
    const { signal } = this.#over;
    while (!signal.aborted) {
      try {
        for await (const _change of store.watch(session, signal)) {
          const stored = await store.head(session);
          if (stored === undefined) return this.cancel(lost);
          const { running } = parseHead(stored.text);
          if (running?.turn !== this.turn) return this.cancel(lost);
          if (running.cancel !== undefined) return this.cancel(running.cancel);
        }
      } catch {
        // The lease's next renewal sees the wish too.
        await pause(this.#parts.clock, 1000, signal);
      }
    }
  }
}

/**
 * The options with tools that run only once their receipt is stored: a call that
 * may have had its effect is never forgotten, whenever the process dies.
 */
export function afterReceipt(
  options: RuntimeOptions,
  stored: (receipt: string) => Promise<void>,
): RuntimeOptions {
  const { tools } = options;
  if (tools === undefined) return options;
  const call: HostTools["call"] = async (name, input, signal, context) => {
    await stored(context.receiptId);
    signal.throwIfAborted();
    return await tools.call(name, input, signal, context);
  };
  return { ...options, tools: { call } };
}
