/**
 * Tool calls without a model around them: for a program, or for another
 * protocol. Each call goes the way of a model's call, as a turn of one call: its
 * own budget, its own receipts.
 *
 * Before it on the path: `open_tools.ts`. After it: `call.ts`.
 *
 * @module
 */

import type { Ambient } from "./ambient.ts";
import { type Budget, BudgetMeter } from "./budget.ts";
import { runCall } from "./call.ts";
import { type CallEnd, shownToModel } from "./call_end.ts";
import type { CallRequest } from "./call_request.ts";
import type { Json } from "./json.ts";
import { encodeJson } from "./json_encode.ts";
import { type Receipt, ReceiptBook, type ToolError } from "./receipt.ts";
import type { Redaction } from "./redaction.ts";
import { Slots } from "./slots.ts";
import { cancelOn, Stop } from "./stop.ts";
import { toolError } from "./tool_error.ts";
import type { HostTool } from "./tools/host_tool.ts";
import type { SurfaceTools } from "./tools/tool_set.ts";

/** What a call takes beside the tool's name and its input. */
export type ToolCallOptions = {
  /** Cancels the call when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** The caller's own id of the call, for its receipt; a new one without it. */
  readonly callId?: string | undefined;
};

/** How a call ended. */
export type ToolCallEnd =
  & {
    /** The call's receipt. */
    readonly receipt: Receipt;
    /** The receipts of the calls that it made itself, as `exec` does. */
    readonly nested: readonly Receipt[];
    /**
     * What a model would be shown: the output's JSON text, cut to
     * `budget.outputBytes`, or `{"error": …}`.
     */
    readonly text: string;
  }
  & (
    | { readonly tag: "output"; readonly output: Json }
    | { readonly tag: "error"; readonly error: ToolError }
  );

/** The checked parts that the access is made of. */
export type ToolAccessParts = {
  readonly tools: SurfaceTools;
  readonly budget: Budget;
  readonly ambient: Ambient;
  readonly redaction: Redaction;
};

/** Tools, ready to be called. Comes from `openTools`. */
export class ToolAccess {
  /**
   * What can be called, as a model would be told: the host's tools, and `exec`
   * where code is offered.
   */
  readonly tools: readonly HostTool[];
  readonly #parts: ToolAccessParts;

  /**
   * Makes tools callable. It comes from `openTools`.
   *
   * @param parts What `openTools` has checked.
   */
  constructor(parts: ToolAccessParts) {
    this.#parts = parts;
    this.tools = [...parts.tools.direct.values()].map((
      { name, description, parameters },
    ) => ({ name, description, parameters }));
  }

  /**
   * Calls one tool: the input is validated, the budget charged, the call run and
   * its receipt ended, as for a model. Calls may run at the same time; each has
   * the whole budget.
   *
   * @param name The tool's name.
   * @param input Its input, plain JSON; `{}` where it is `undefined`.
   * @param options `signal` cancels the call.
   * @returns How it ended, also for a call that was refused. Never rejects.
   */
  async call(
    name: string,
    input: unknown,
    { signal, callId }: ToolCallOptions = {},
  ): Promise<ToolCallEnd> {
    const { ambient, budget } = this.#parts;
    const stop = new Stop();
    const letGo = cancelOn(
      signal,
      stop,
      (reason) => this.#parts.redaction.clean(reason),
    );
    const cancelTimer = ambient.clock.timer(
      budget.turnMs,
      () => stop.stop({ tag: "turn_time", limitMs: budget.turnMs }),
    );
    try {
      const receipts = new ReceiptBook();
      const end = await runCall(
        {
          ...this.#parts,
          turnId: ambient.newId("turn"),
          meter: new BudgetMeter(budget, () => ambient.clock.now()),
          slots: new Slots(budget.concurrentCalls),
          receipts,
          emit: () => {},
        },
        requestOf(name, input, callId ?? ambient.newId("call")),
        stop,
      );
      return callEnd(end, receipts, budget);
    } finally {
      cancelTimer();
      letGo();
    }
  }
}

function requestOf(tool: string, input: unknown, callId: string): CallRequest {
  const request = { callId, step: 1, tool, surface: "direct" } as const;
  const encoded = encodeJson(input === undefined ? {} : input, "input");
  return encoded.tag === "encoded" ? { ...request, arguments: encoded.text } : {
    ...request,
    arguments: undefined,
    refusal: toolError(
      "invalid_input",
      `the arguments are not plain JSON: ${encoded.reason}. The tool did not run`,
    ),
  };
}

function callEnd(
  end: CallEnd,
  receipts: ReceiptBook,
  { outputBytes }: Budget,
): ToolCallEnd {
  const { receipt, result } = end;
  const common = {
    receipt,
    nested: receipts.list().filter(({ id }) => id !== receipt.id),
    text: shownToModel(end, outputBytes).text,
  };
  return result.tag === "error"
    ? { ...common, tag: "error", error: result.error }
    : { ...common, tag: "output", output: receipt.output ?? null };
}
