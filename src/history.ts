/**
 * What a conversation consists of. A user's message is text; a step is what the
 * provider sent, kept as it came, with an output for every call in it. A step
 * whose calls are not all answered is the only unfinished thing a history can
 * hold, and only as its last item.
 *
 * @module
 */

import type { JsonObject } from "./json.ts";

/** A tool call as the model wrote it. */
export type ToolCall = {
  /** Unique within the step. */
  readonly callId: string;
  /**
   * The provider's call that the output answers. Several calls share one where
   * the model wrapped them.
   */
  readonly answers: string;
  /** The tool's name, as the model wrote it. */
  readonly tool: string;
  /** The arguments' text, as the model wrote it. */
  readonly arguments: string;
};

/** What the model is told of one call. */
export type ToolOutput = {
  readonly callId: string;
  /** Never empty. */
  readonly text: string;
  readonly isError: boolean;
};

/** One model round trip, with what its calls gave. */
export type StepItem = {
  readonly type: "step";
  readonly turnId: string;
  readonly step: number;
  /** The provider's own output items, in order, for replay. */
  readonly items: readonly JsonObject[];
  readonly calls: readonly ToolCall[];
  /** Outputs by the order of the calls; fewer than calls while they run. */
  readonly outputs: readonly ToolOutput[];
};

/** One thing in a conversation. */
export type HistoryItem =
  | { readonly type: "user"; readonly text: string }
  | StepItem;

/** Whether every call of the step has its output. */
export function isAnswered(step: StepItem): boolean {
  const answered = new Set(step.outputs.map((output) => output.callId));
  return step.calls.every((call) => answered.has(call.callId));
}

/** The calls of a step that have no output yet. */
export function openCalls(step: StepItem): ToolCall[] {
  const answered = new Set(step.outputs.map((output) => output.callId));
  return step.calls.filter((call) => !answered.has(call.callId));
}

/** The step with `outputs` added, in the order of its calls. */
export function withOutputs(
  step: StepItem,
  outputs: readonly ToolOutput[],
): StepItem {
  const byId = new Map(
    [...step.outputs, ...outputs].map((output) => [output.callId, output]),
  );
  const ordered = step.calls.flatMap((call) => byId.get(call.callId) ?? []);
  return { ...step, outputs: ordered };
}

/**
 * The calls with ids that differ. A provider that gives two calls one id would
 * otherwise have one of them answered by the other's output.
 */
export function distinctCalls(calls: readonly ToolCall[]): ToolCall[] {
  const taken = new Set<string>();
  return calls.map((call) => {
    let { callId } = call;
    for (let count = 2; taken.has(callId); count++) {
      callId = `${call.callId}#${count}`;
    }
    taken.add(callId);
    return callId === call.callId ? call : { ...call, callId };
  });
}
