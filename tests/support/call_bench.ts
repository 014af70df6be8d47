/**
 * The path of one call without a turn around it: a tool set, a budget, a clock
 * that stands, and a book of receipts.
 *
 * @module
 */

import { assertEquals, assertExists } from "@std/assert";
import { type Budget, BudgetMeter } from "../../src/budget.ts";
import { completeBudget } from "../../src/budget_check.ts";
import { runCall } from "../../src/call.ts";
import type { CallEnd } from "../../src/call_end.ts";
import type { CallRequest, CallScope } from "../../src/call_request.ts";
import type { TurnEvent } from "../../src/events.ts";
import { ReceiptBook } from "../../src/receipt.ts";
import { Redaction } from "../../src/redaction.ts";
import { Slots } from "../../src/slots.ts";
import { Stop } from "../../src/stop.ts";
import type { FunctionTool } from "../../src/tools/function_tool.ts";
import type { HostTools } from "../../src/tools/host_tool.ts";
import { createToolSet } from "../../src/tools/tool_set.ts";
import { manualAmbient, type ManualClock } from "./ambient.ts";

/** What a bench is set up with. */
export type BenchOptions = {
  /** The host's handler; without one, host tools are not configured. */
  readonly call?: HostTools["call"];
  readonly budget?: Partial<Budget>;
  /** A tool of the runtime's own, called directly. */
  readonly own?: FunctionTool;
};

/** A place to make calls. */
export type Bench = {
  readonly scope: CallScope;
  readonly clock: ManualClock;
  /** Stops every call. */
  readonly stop: Stop;
  readonly events: readonly TurnEvent[];
  /** Makes a call of `lookup` that fits, but for what is given. */
  call(request?: Partial<CallRequest>): Promise<CallEnd>;
  /** The end of a call that runs, or of a new one; fails unless it ended once. */
  ended(call?: Promise<CallEnd> | Partial<CallRequest>): Promise<CallEnd>;
};

/** A bench with the tools `lookup` (of a `key`) and `save`, on both surfaces. */
export function callBench(
  { call, budget = {}, own }: BenchOptions = {},
): Bench {
  const ambient = manualAmbient();
  const stop = new Stop();
  const events: TurnEvent[] = [];
  const limits = completeBudget(budget);
  const tools = toolsOf(call);
  const scope: CallScope = {
    turnId: "turn_1",
    tools: {
      direct: own === undefined ? tools : new Map([...tools, [own.name, own]]),
      code: tools,
    },
    meter: new BudgetMeter(limits, () => ambient.clock.now()),
    slots: new Slots(limits.concurrentCalls),
    receipts: new ReceiptBook(),
    ambient,
    redaction: new Redaction(),
    emit: (event) => events.push(event),
  };
  const run = (request: Partial<CallRequest> = {}) =>
    runCall(scope, { ...lookupOf("alpha"), ...request }, stop);
  return {
    scope,
    clock: ambient.clock,
    stop,
    events,
    call: run,
    ended: async (call) => {
      const end = await (call instanceof Promise ? call : run(call));
      await settled();
      assertEndedOnce(scope.receipts, events, end);
      return end;
    },
  };
}

/** One receipt, with an end; one event of its start, one of its end. */
function assertEndedOnce(
  receipts: ReceiptBook,
  events: readonly TurnEvent[],
  { receipt }: CallEnd,
): void {
  const { id, outcome } = receipt;
  assertExists(outcome, "the receipt's outcome");
  assertEquals(receipts.list().filter((other) => other.id === id), [receipt]);
  const told = events.filter((event) =>
    "receipt" in event && event.receipt.id === id
  );
  assertEquals(told.map(({ type }) => type), ["tool_started", "tool_finished"]);
  assertEquals(told[1], {
    type: "tool_finished",
    turnId: receipt.turnId,
    receipt,
  });
}

/** A call of `lookup` that fits its schema. */
export function lookupOf(key: string): CallRequest {
  return {
    callId: "call_1",
    step: 1,
    tool: "lookup",
    surface: "direct",
    arguments: JSON.stringify({ key }),
  };
}

function toolsOf(
  call: HostTools["call"] | undefined,
): ReadonlyMap<string, FunctionTool> {
  const set = createToolSet(
    ["lookup", "save"].map((name) => ({
      name,
      description: `The tool ${name}.`,
      parameters: {
        type: "object",
        properties: { key: { type: "string" } },
        required: ["key"],
      },
    })),
    call === undefined ? undefined : { call },
  );
  if (set.tag === "refused") throw new Error(JSON.stringify(set.problems));
  return set.tools;
}

/** Lets everything run that waits for nothing from outside. */
export async function settled(): Promise<void> {
  for (let tick = 0; tick < 100; tick++) await Promise.resolve();
}
