/**
 * A step: one model round trip, and what its answer means for the turn.
 *
 * Before it on the path: `turn.ts`. After it: `backends/transport.ts`, which asks
 * the provider.
 *
 * @module
 */

import type { Backend, StepDecoder, StepOutput } from "./backends/backend.ts";
import { streamFailure } from "./backends/refusal.ts";
import { malformed, type StreamEvent } from "./backends/sse.ts";
import {
  type Exchange,
  exchange,
  type Transport,
} from "./backends/transport.ts";
import { runCall } from "./call.ts";
import type { CallRequest, CallScope } from "./call_request.ts";
import type { Conversation } from "./conversation.ts";
import type { StopReason } from "./events.ts";
import { HostFailure } from "./failure.ts";
import type { ToolCall } from "./history.ts";
import type { ModelRequest } from "./model_request.ts";
import type { Receipt, ToolError } from "./receipt.ts";
import type { Stop } from "./stop.ts";
import { shorten } from "./text.ts";
import { stopped, toolError } from "./tool_error.ts";

/** What a turn works with. */
export type TurnScope = CallScope & {
  readonly backend: Backend;
  readonly transport: Transport;
  readonly request: ModelRequest;
  readonly conversation: Conversation;
  readonly stop: Stop;
  /** What the conversation held before the turn. */
  readonly earlierItems: number;
  /** Steps that the turn took before, in another process. */
  readonly earlierSteps: number;
  /** The receipts of those steps. */
  readonly earlierReceipts: readonly Receipt[];
  /** Called once when the turn has ended. */
  readonly release: () => void;
};

/** One model round trip; `undefined` where the turn was stopped in it. */
export async function askModel(
  scope: TurnScope,
  step: number,
): Promise<StepOutput | undefined> {
  const { backend, stop, turnId, ambient: { clock } } = scope;
  scope.emit({ type: "step_started", turnId, step, at: clock.now() });
  const decoder = backend.decoder((name) => scope.tools.direct.has(name));
  try {
    const output = await readAnswer(scope, step, decoder);
    scope.emit({
      type: "step_finished",
      turnId,
      step,
      at: clock.now(),
      stopReason: output.providerStopReason ?? output.stop,
      usage: output.usage,
      calls: output.calls.length,
    });
    return output;
  } catch (error) {
    const { cause } = stop;
    const why = cause === undefined
      ? toolError(
        "interrupted",
        "the provider's stream broke off before the call could run",
      )
      : stopped(cause, false).error;
    await refuseCalls(scope, step, decoder.calls(), why);
    if (cause !== undefined) return undefined;
    throw error;
  }
}

/**
 * How long a stream may stay open after its terminal event, in milliseconds. One
 * that ends by itself leaves a connection that the next step can use.
 */
const lingerMs = 1000;

async function readAnswer(
  scope: TurnScope,
  step: number,
  decoder: StepDecoder,
): Promise<StepOutput> {
  const { stop: reading, release } = scope.stop.child();
  let cancelTimer = () => {};
  let requestId: string | undefined;
  try {
    const exchanged = await ask(scope, step, reading.signal);
    ({ requestId } = exchanged);
    for await (const event of exchanged.events) {
      if (decoder.ended()) continue;
      take(scope, step, decoder, event, requestId);
      if (decoder.ended()) cancelTimer = leaveLater(scope, reading);
    }
  } catch (error) {
    // Whatever becomes of the connection then: the answer is whole.
    if (!decoder.ended()) throw error;
  } finally {
    cancelTimer();
    release();
  }
  const output = decoder.finish();
  if (output !== undefined) return output;
  throw new HostFailure(
    "backend",
    "The provider's stream ended before its last event; the answer is incomplete",
    { retryable: true, ...(requestId === undefined ? {} : { requestId }) },
  );
}

function ask(
  scope: TurnScope,
  step: number,
  signal: AbortSignal,
): Promise<Exchange> {
  const { conversation, meter, request, transport, turnId } = scope;
  return exchange(
    transport,
    (without) => request.build(conversation.items, without),
    request.without,
    {
      signal,
      retries: meter.limits.retries,
      remainingMs: () => meter.remainingMs(),
      onRetry: (attempt, delayMs, message) =>
        scope.emit({ type: "retry", turnId, step, attempt, delayMs, message }),
    },
  );
}

function take(
  scope: TurnScope,
  step: number,
  decoder: StepDecoder,
  { type, data }: StreamEvent,
  requestId: string | undefined,
): void {
  const { backend, redaction, turnId } = scope;
  if (data === undefined && !backend.dispensable.has(type)) {
    throw malformed(
      `the data of ${shorten(type, 60)} is not a JSON object`,
      requestId,
    );
  }
  const decoded = decoder.push(type, data ?? {});
  if (decoded.tag === "error") {
    throw streamFailure(redaction, decoded.error, requestId);
  }
  for (const delta of decoded.deltas) scope.emit({ ...delta, turnId, step });
}

function leaveLater(
  { ambient: { clock } }: TurnScope,
  reading: Stop,
): () => void {
  return clock.timer(lingerMs, () => {
    reading.stop({ tag: "interrupted", reason: "the answer is whole" });
  });
}

/** Ends calls that no history will hold. */
export async function refuseCalls(
  scope: TurnScope,
  step: number,
  calls: readonly ToolCall[],
  refusal: ToolError | undefined,
): Promise<void> {
  await Promise.all(
    calls.map((call) =>
      runCall(scope, toRequest(step, call, refusal), scope.stop)
    ),
  );
}

/** A call of the model's as `call.ts` takes it. */
export function toRequest(
  step: number,
  call: ToolCall,
  refusal: ToolError | undefined,
): CallRequest {
  return {
    callId: call.callId,
    step,
    tool: call.tool,
    surface: "direct",
    arguments: call.arguments,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** Whether the answer ends the turn, and as what. */
export function endOf(output: StepOutput): StopReason | undefined {
  switch (output.stop) {
    case "tool_calls":
    case "paused":
      return undefined;
    case "truncated":
      // Calls that were cut are answered with why, so that the model sends
      // smaller ones.
      return output.calls.length > 0 ? undefined : "truncated";
    case "completed":
      return "completed";
    case "refused":
      return "refused";
    case "other":
      return "other";
  }
}

/** Why the calls of an answer must not run. */
export function refusalOf(
  { stop, providerStopReason }: StepOutput,
): ToolError | undefined {
  switch (stop) {
    case "tool_calls":
    case "paused":
    case "completed":
      return undefined;
    case "truncated":
      return toolError(
        "truncated",
        "your answer reached its length limit in this step, so the arguments may be incomplete. The tool did not run. Send the call again with smaller arguments, or split it",
        true,
      );
    case "refused":
    case "other":
      return toolError(
        "not_run",
        `the answer ended with "${
          providerStopReason ?? stop
        }". The tool did not run`,
      );
  }
}
