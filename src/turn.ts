/**
 * A turn: ask the model, run the calls of its answer, tell it what they gave,
 * and again, until it stops for a named reason.
 *
 * Before it on the path: `agent.ts`, which starts turns one at a time. After it:
 * `step.ts`, which asks the model, and `call.ts`, which runs one call.
 *
 * @module
 */

import { runCall } from "./call.ts";
import { shownToModel } from "./call_end.ts";
import {
  addUsage,
  type EventLog,
  noUsage,
  type TurnEnd,
  type TurnEvent,
} from "./events.ts";
import type { ToolCall, ToolOutput } from "./history.ts";
import type { Receipt, ToolError } from "./receipt.ts";
import {
  askModel,
  endOf,
  refusalOf,
  refuseCalls,
  toRequest,
  type TurnScope,
} from "./step.ts";
import {
  budgetEnd,
  failedEnd,
  modelEnd,
  type Progress,
  stoppedEnd,
} from "./turn_end.ts";

/** How a turn ended, with what its calls did. */
export type TurnResult = TurnEnd & {
  /** The turn's id. */
  readonly turnId: string;
  /** The receipts of the turn's calls, in the order in which they were made. */
  readonly receipts: readonly Receipt[];
};

/**
 * A turn that runs. Iterate over it for its events, from the first, as often as
 * you like; `result()` tells how it ended.
 *
 * @example
 * ```ts no-assert
 * import type { Agent } from "@nanocode/wasm";
 *
 * export async function ask(agent: Agent): Promise<string> {
 *   const turn = agent.prompt("Look up alpha and beta");
 *   for await (const event of turn) {
 *     if (event.type === "tool_finished") console.log(event.receipt.outcome);
 *   }
 *   return (await turn.result()).text;
 * }
 * ```
 */
export class Turn implements AsyncIterable<TurnEvent> {
  /** The turn's id. */
  readonly id: string;
  readonly #scope: TurnScope;
  readonly #log: EventLog;
  readonly #result: Promise<TurnResult>;

  /**
   * Starts the turn. Turns come from `agent.prompt()`.
   *
   * @param scope What the turn works with.
   * @param log Where its events go.
   */
  constructor(scope: TurnScope, log: EventLog) {
    this.id = scope.turnId;
    this.#scope = scope;
    this.#log = log;
    this.#result = this.#run();
    // A failure is told by the events too; who only reads those is not to be
    // struck by a rejection that nobody took.
    this.#result.catch(() => {});
  }

  /**
   * How the turn ended.
   *
   * @returns Resolves for every end but a failure of the provider.
   * @throws {HostFailure} Of kind `backend`: the provider answered with an error,
   * broke off, or was not reached.
   */
  result(): Promise<TurnResult> {
    return this.#result;
  }

  /**
   * Cancels the turn: the request to the provider and every running call are
   * aborted. The conversation stays usable. After the end it changes nothing.
   *
   * @param reason Why, for receipts and events.
   */
  cancel(reason = "no reason given"): void {
    this.#scope.stop.stop({
      tag: "cancelled",
      reason: this.#scope.redaction.clean(reason),
    });
  }

  /**
   * The turn's events, from the first to `end`.
   *
   * @returns An iterator; after `end` it throws where the turn failed.
   * @throws {HostFailure} Of kind `backend`, after the `end` event.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<TurnEvent, void, undefined> {
    yield* this.#log.read();
    await this.#result;
  }

  async #run(): Promise<TurnResult> {
    const { ambient: { clock }, meter, stop, turnId } = this.#scope;
    let cancelTimer = () => {};
    const progress: Progress = {
      step: this.#scope.earlierSteps,
      text: "",
      usage: noUsage,
    };
    try {
      const { turnMs } = meter.limits;
      cancelTimer = clock.timer(
        turnMs,
        () => stop.stop({ tag: "turn_time", limitMs: turnMs }),
      );
      const end = await runTurn(this.#scope, progress);
      dropUnanswered(this.#scope);
      this.#emitEnd(end);
      return { turnId, ...end, receipts: this.#receipts() };
    } catch (error) {
      dropUnanswered(this.#scope);
      this.#emitEnd(failedEnd(progress, error));
      throw error;
    } finally {
      cancelTimer();
    }
  }

  #receipts(): Receipt[] {
    const { earlierReceipts, receipts } = this.#scope;
    return [...earlierReceipts, ...receipts.list()];
  }

  /** The agent is free before anybody reads that the turn has ended. */
  #emitEnd(end: TurnEnd): void {
    const { ambient: { clock }, release, turnId } = this.#scope;
    release();
    this.#log.push({ type: "end", turnId, at: clock.now(), ...end });
  }
}

/**
 * A turn that finished no step leaves no trace in the conversation, so that the
 * same prompt can be given again, and one that the provider refuses for its
 * content does not come back with the next.
 */
function dropUnanswered({ conversation, earlierItems }: TurnScope): void {
  if (
    conversation.items.length === earlierItems + 1 &&
    conversation.items.at(-1)?.type === "user"
  ) conversation.truncate(earlierItems);
}

/**
 * Runs the turn to its end. Rejects with a `HostFailure` of kind `backend` where
 * the provider fails; every other end is a value.
 */
async function runTurn(
  scope: TurnScope,
  progress: Progress,
): Promise<TurnEnd> {
  const { conversation, meter, stop } = scope;
  for (;;) {
    await answerOpenCalls(scope, progress.step);
    if (stop.cause !== undefined) {
      return stoppedEnd(meter, progress, stop.cause);
    }
    const spent = meter.chargeStep();
    if (spent !== undefined) return budgetEnd(progress, spent);
    progress.step++;
    const output = await askModel(scope, progress.step);
    if (output === undefined) continue;
    progress.text = output.text;
    progress.usage = addUsage(progress.usage, output.usage);
    const refusal = refusalOf(output);
    if (output.stop === "refused") {
      await refuseCalls(scope, progress.step, output.calls, refusal);
      return modelEnd(progress, output, "refused");
    }
    conversation.push({
      type: "step",
      turnId: scope.turnId,
      step: progress.step,
      items: output.items,
      calls: output.calls,
      outputs: [],
    });
    if (refusal !== undefined && output.calls.length > 0) {
      await answerCalls(scope, progress.step, output.calls, refusal);
    }
    const reason = endOf(output);
    if (reason !== undefined) return modelEnd(progress, output, reason);
  }
}

/** Runs the calls that the last step left open: together, each in its slot. */
async function answerOpenCalls(scope: TurnScope, step: number): Promise<void> {
  const open = scope.conversation.unanswered();
  if (open === undefined) return;
  await answerCalls(
    scope,
    open.turnId === scope.turnId ? open.step : step,
    scope.conversation.openCalls(),
  );
}

async function answerCalls(
  scope: TurnScope,
  step: number,
  calls: readonly ToolCall[],
  refusal?: ToolError,
): Promise<void> {
  await Promise.all(calls.map(async (call) => {
    const end = await runCall(
      scope,
      toRequest(step, call, refusal),
      scope.stop,
    );
    const { outputBytes } = scope.meter.limits;
    const output: ToolOutput = {
      callId: call.callId,
      ...shownToModel(end, outputBytes),
    };
    scope.conversation.answer([output]);
  }));
}
