/**
 * An agent: a conversation with a model that has tools. It starts turns, one at
 * a time, and keeps what they said and did.
 *
 * Before it on the path: `open.ts`. After it: `turn.ts`.
 *
 * @module
 */

import type { Ambient } from "./ambient.ts";
import type { Backend } from "./backends/backend.ts";
import type { Transport } from "./backends/transport.ts";
import { type Budget, BudgetMeter } from "./budget.ts";
import type { CellStore } from "./code_mode/cell_store.ts";
import { Conversation } from "./conversation.ts";
import { EventLog } from "./events.ts";
import { HostFailure } from "./failure.ts";
import type { HistoryItem } from "./history.ts";
import type { ModelRequest } from "./model_request.ts";
import { type Receipt, ReceiptBook } from "./receipt.ts";
import type { Redaction } from "./redaction.ts";
import { Slots } from "./slots.ts";
import { type AgentSnapshot, snapshotVersion } from "./snapshot.ts";
import type { TurnScope } from "./step.ts";
import { cancelOn, Stop } from "./stop.ts";
import { toolError } from "./tool_error.ts";
import { codeToolName, type SurfaceTools } from "./tools/tool_set.ts";
import { Turn } from "./turn.ts";

/** What a prompt takes beside its text. */
export type PromptOptions = {
  /** Cancels the turn when it aborts. */
  readonly signal?: AbortSignal | undefined;
};

/** The checked parts that an agent is made of. */
export type AgentParts = {
  readonly backend: Backend;
  readonly transport: Transport;
  readonly request: ModelRequest;
  readonly tools: SurfaceTools;
  readonly budget: Budget;
  readonly ambient: Ambient;
  readonly redaction: Redaction;
  readonly snapshot: AgentSnapshot | undefined;
  readonly store: CellStore;
};

/** A conversation with a model that has tools. Comes from `open`. */
export class Agent {
  readonly #parts: AgentParts;
  readonly #conversation: Conversation;
  #receipts: readonly Receipt[];
  #current: { turn: Turn; stop: Stop; receipts: ReceiptBook } | undefined;
  #closed = false;

  /**
   * Starts or continues a conversation. Agents come from `open`.
   *
   * @param parts What `open` has checked.
   */
  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#conversation = new Conversation(parts.snapshot?.history);
    this.#receipts = (parts.snapshot?.receipts ?? []).map((receipt) =>
      Object.freeze(interruptedReceipt(receipt))
    );
  }

  /**
   * Starts a turn with what the user says.
   *
   * @param input The user's text.
   * @param options `signal` cancels the turn.
   * @returns The running turn.
   * @throws {HostFailure} Of kind `conflict` while another turn runs, `closed`
   * after `close()`, `configuration` where the text is empty.
   */
  prompt(input: string, options: PromptOptions = {}): Turn {
    this.#mustBeFree();
    if (typeof input !== "string" || input.trim() === "") {
      throw new HostFailure(
        "configuration",
        "The prompt is empty; give the model a text",
        {
          problems: [{
            path: "input",
            reason: "expected a text that is not empty",
          }],
        },
      );
    }
    this.#answerInterrupted();
    this.#parts.redaction.setPrompt(input);
    const earlierItems = this.#conversation.items.length;
    const turnId = this.#parts.ambient.newId("turn");
    const said = { type: "user", text: input.toWellFormed() } as const;
    const start = { turnId, earlierItems, earlierSteps: 0 };
    return this.#start(start, options, said);
  }

  /**
   * Goes on with a turn that did not come to its end, as another process ended
   * or it was cancelled: calls without an output are run again, with the
   * idempotency keys that they had, then the model is asked. Steps and calls
   * count towards the budget from the turn's beginning, its time from now; usage
   * is that of the steps from now on. (`prompt()` instead tells the model that
   * the open calls were interrupted, and runs none of them.)
   *
   * @param options `signal` cancels the turn.
   * @returns The running turn; `undefined` where the conversation is empty or
   * the model has said its last word.
   * @throws {HostFailure} Of kind `conflict` while a turn runs, `closed` after
   * `close()`.
   */
  resume(options: PromptOptions = {}): Turn | undefined {
    this.#mustBeFree();
    const earlierItems = this.#conversation.items.length;
    const last = this.#conversation.items.at(-1);
    if (last?.type === "user") {
      const turnId = this.#parts.ambient.newId("turn");
      return this.#start({ turnId, earlierItems, earlierSteps: 0 }, options);
    }
    if (last === undefined || last.calls.length === 0) return undefined;
    const { turnId, step } = last;
    return this.#start({ turnId, earlierItems, earlierSteps: step }, options);
  }

  /** Every receipt of the conversation, in the order of the calls. */
  get receipts(): readonly Receipt[] {
    const running = this.#current?.receipts.list() ?? [];
    return [...this.#receipts, ...running];
  }

  /**
   * The conversation as plain JSON, at any moment. It holds no configuration and
   * no secrets of the options; it does hold the receipts' inputs and outputs.
   *
   * @returns What `open` takes as `options.snapshot`.
   */
  snapshot(): AgentSnapshot {
    return structuredClone(this.contents);
  }

  /**
   * What `snapshot()` copies, as it is: for who looks often, and only reads. Items
   * and receipts are replaced, never changed, so what is the same object as
   * before is the same in all.
   */
  get contents(): AgentSnapshot {
    return {
      version: snapshotVersion,
      backend: this.#parts.backend.name,
      history: [...this.#conversation.items],
      receipts: this.receipts,
      stored: this.#parts.store.values,
    };
  }

  /** Cancels the running turn, waits for its end, and takes no other. */
  async close(): Promise<void> {
    this.#closed = true;
    const current = this.#current;
    if (current === undefined) return;
    current.stop.stop({ tag: "cancelled", reason: "the agent was closed" });
    // How the turn ended is told by its own result.
    await current.turn.result().catch(() => {});
  }

  /** {@link Agent.close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #mustBeFree(): void {
    if (this.#closed) {
      throw new HostFailure("closed", "The agent was closed; open another");
    }
    if (this.#current !== undefined) {
      throw new HostFailure(
        "conflict",
        "The agent already runs a turn; await its result or cancel it first",
      );
    }
  }

  /** Calls that an ended process left open are answered before anything else. */
  #answerInterrupted(): void {
    const error = toolError("interrupted", interruption);
    this.#conversation.answer(
      this.#conversation.openCalls().map(({ callId }) => ({
        callId,
        text: JSON.stringify({ error }),
        isError: true,
      })),
    );
  }

  #start(
    start: Pick<TurnScope, "turnId" | "earlierItems" | "earlierSteps">,
    options: PromptOptions,
    said?: HistoryItem,
  ): Turn {
    const { budget, ambient } = this.#parts;
    const log = new EventLog();
    const stop = new Stop();
    const receipts = new ReceiptBook();
    const before = this.#receipts.filter(({ turnId }) =>
      turnId === start.turnId
    );
    const letGo = cancelOn(
      options.signal,
      stop,
      (reason) => this.#parts.redaction.clean(reason),
    );
    let hasEnded = false;
    const release = () => {
      hasEnded = true;
      letGo();
      this.#receipts = [...this.#receipts, ...receipts.list()];
      this.#current = undefined;
    };
    // Only now: what threw before this leaves the conversation as it was.
    if (said !== undefined) this.#conversation.push(said);
    const turn = new Turn({
      ...this.#parts,
      ...start,
      conversation: this.#conversation,
      meter: new BudgetMeter(budget, () => ambient.clock.now(), {
        steps: start.earlierSteps,
        calls: before.filter(isCharged).length,
      }),
      slots: new Slots(budget.concurrentCalls),
      receipts,
      earlierReceipts: before,
      stop,
      emit: (event) => log.push(event),
      release,
    }, log);
    // It may have failed at once.
    if (!hasEnded) this.#current = { turn, stop, receipts };
    return turn;
  }
}

/** Whether a call counted towards its turn's budget, and will not run again. */
function isCharged({ executed, tool }: Receipt): boolean {
  return executed && tool !== codeToolName;
}

const interruption =
  "the process ended before the call did. Whether the tool had its effect is not known";

/** A receipt that an ended process left open, ended. Others stay as they are. */
export function interruptedReceipt(receipt: Receipt): Receipt {
  if (receipt.outcome !== undefined) return receipt;
  return {
    ...receipt,
    outcome: "interrupted",
    error: toolError("interrupted", interruption),
    endedAt: receipt.startedAt ?? receipt.requestedAt,
  };
}
