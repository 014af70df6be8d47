/**
 * One tool call from the model's words to its receipt. Direct calls and calls
 * from code take the same way: parse, look up, validate, charge, run, encode,
 * end the receipt.
 *
 * Before it on the path: `turn.ts`, or a cell. After it: the tool, then
 * `call_end.ts` and `receipt.ts`.
 *
 * @module
 */

import { eventLoopTurn } from "./ambient.ts";
import { type CallEnd, endOf, type Settled } from "./call_end.ts";
import { type CallRequest, type CallScope, prepare } from "./call_request.ts";
import { copyJson, type Json } from "./json.ts";
import type { Receipt, ReceiptEnd, ToolError } from "./receipt.ts";
import type { Stop } from "./stop.ts";
import { byteLength } from "./text.ts";
import type {
  FunctionTool,
  NestedCall,
  NestedEnd,
} from "./tools/function_tool.ts";
import type { CallContext } from "./tools/host_tool.ts";

/** Runs one call to its end. Never rejects. */
export async function runCall(
  scope: CallScope,
  request: CallRequest,
  stop: Stop,
): Promise<CallEnd> {
  const prepared = prepare(scope, request, stop);
  const receipt = openReceipt(scope, request, prepared.input);
  if (prepared.tag === "refused") {
    return refuse(scope, receipt, prepared.error);
  }
  const { tool, input } = prepared;
  if (!tool.metered) {
    return await execute(scope, { request, receipt, tool, input }, stop);
  }
  const release = await scope.slots.take(stop.signal);
  try {
    return await execute(scope, { request, receipt, tool, input }, stop);
  } finally {
    release?.();
  }
}

function openReceipt(
  scope: CallScope,
  request: CallRequest,
  input: Json | undefined,
): Receipt {
  const { ambient, receipts, turnId } = scope;
  const receipt = receipts.open({
    id: ambient.newId("receipt"),
    turnId,
    step: request.step,
    callId: request.callId,
    ...(request.parent === undefined ? {} : { parentId: request.parent.id }),
    tool: request.tool.toWellFormed(),
    surface: request.surface,
    ...(input === undefined ? {} : { input }),
    executed: false,
    requestedAt: ambient.clock.now(),
    inputBytes: byteLength(request.arguments ?? ""),
    outputBytes: 0,
    truncated: false,
  });
  scope.emit({ type: "tool_started", turnId, receipt });
  return receipt;
}

function endReceipt(
  scope: CallScope,
  opened: Receipt,
  end: ReceiptEnd,
): Receipt {
  const { receipts, ambient, turnId } = scope;
  const receipt = receipts.end(opened.id, end, ambient.clock.now()) ?? opened;
  scope.emit({ type: "tool_finished", turnId, receipt });
  return receipt;
}

function refuse(scope: CallScope, opened: Receipt, error: ToolError): CallEnd {
  const receipt = endReceipt(scope, opened, {
    outcome: refusalOutcome(error),
    executed: false,
    error,
    outputBytes: 0,
    truncated: false,
  });
  return { receipt, result: { tag: "error", error } };
}

function refusalOutcome({ code }: ToolError): ReceiptEnd["outcome"] {
  switch (code) {
    case "cancelled":
    case "interrupted":
    case "timed_out":
      return code;
    default:
      return "rejected";
  }
}

async function runNested(
  scope: CallScope,
  parent: Receipt,
  nested: NestedCall,
  stop: Stop,
): Promise<NestedEnd> {
  const end = await runCall(scope, {
    ...nested,
    step: parent.step,
    surface: "code",
    parent,
  }, stop);
  return end.result;
}

type Ready = {
  readonly request: CallRequest;
  readonly receipt: Receipt;
  readonly tool: FunctionTool;
  readonly input: Json;
};

async function execute(
  scope: CallScope,
  ready: Ready,
  parent: Stop,
): Promise<CallEnd> {
  const { meter, ambient: { clock } } = scope;
  const { stop, release } = parent.child();
  const startedAt = clock.now();
  const { metered } = ready.tool;
  const limitMs = metered ? meter.limits.callMs : meter.limits.turnMs;
  const cancelTimer = clock.timer(
    limitMs,
    () => stop.stop({ tag: "call_time", limitMs }),
  );
  try {
    if (stop.cause !== undefined) return finish(scope, ready, stop, undefined);
    const deadline = Math.min(startedAt + limitMs, meter.deadline());
    const settled = start(scope, ready, stop, deadline);
    const ended = await (metered ? untilStopped(settled, stop) : settled);
    return finish(scope, ready, stop, { startedAt, ended });
  } finally {
    cancelTimer();
    release();
  }
}

function start(
  scope: CallScope,
  { request, receipt, tool, input }: Ready,
  stop: Stop,
  deadline: number,
): Promise<Settled> {
  return settle(tool, input, {
    stop,
    context: contextOf(scope, request, receipt, deadline),
    turnStartedAt: scope.meter.startedAt,
    call: (nested, below) => runNested(scope, receipt, nested, below),
  });
}

/** Ends the receipt of a call; `run` is `undefined` where its tool never ran. */
function finish(
  scope: CallScope,
  { receipt: opened }: Ready,
  stop: Stop,
  run: { startedAt: number; ended: Settled | undefined } | undefined,
): CallEnd {
  const end = endOf(run?.ended, stop, {
    started: run !== undefined,
    surface: opened.surface,
    shownBytes: scope.meter.limits.outputBytes,
    resultBytes: scope.meter.limits.resultBytes,
    redaction: scope.redaction,
  });
  const executed = run !== undefined && end.executed;
  const receipt = endReceipt(scope, opened, {
    ...end.receipt,
    executed,
    ...(executed ? { startedAt: run.startedAt } : {}),
    ...(executed && run.ended === undefined ? { abandoned: true } : {}),
  });
  return { receipt, result: end.result };
}

function contextOf(
  { turnId, meter, ambient: { clock } }: CallScope,
  { parent }: CallRequest,
  { id, callId, step, surface }: Receipt,
  deadline: number,
): CallContext {
  return {
    callId,
    receiptId: id,
    turnId,
    surface,
    // Made of what a snapshot holds: ids of receipts are new in each process. The
    // step is in it as some servers begin their call ids anew in each answer.
    idempotencyKey: [
      turnId,
      step,
      ...(parent ? [parent.callId] : []),
      callId,
    ].map((part) => String(part).replaceAll(/[%:]/g, encodeURIComponent))
      .join(":"),
    deadline,
    remainingMs: () => Math.max(0, deadline - clock.now()),
    remainingCalls: () => meter.remainingCalls(),
  };
}

/** The tool's end as a value; a late one has somebody who takes it. */
async function settle(
  tool: FunctionTool,
  input: Json,
  run: Parameters<FunctionTool["run"]>[1],
): Promise<Settled> {
  try {
    // The handler may change its input; the receipt must not change with it.
    return { tag: "resolved", value: await tool.run(copyJson(input), run) };
  } catch (thrown) {
    return { tag: "rejected", thrown };
  }
}

// A handler that obeys its signal settles within a few microtasks of the abort,
// or in the next turn of the event loop where the platform itself aborts, as of a
// `fetch`. One that does not is abandoned. No clock is needed to tell them apart.
const microtasksOfGrace = 10;

/** The tool's end; `undefined` where it was stopped and did not settle. */
async function untilStopped(
  settled: Promise<Settled>,
  { signal }: Stop,
): Promise<Settled | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  let end: Settled | undefined = await Promise.race([settled, aborted]);
  if (end !== undefined) return end;
  void settled.then((late) => end = late);
  for (let tick = 0; tick < microtasksOfGrace && end === undefined; tick++) {
    await Promise.resolve();
  }
  if (end === undefined) await Promise.race([settled, eventLoopTurn()]);
  return end;
}
