/**
 * The undeclared `parallel` call. Some OpenAI models wrap several calls in one
 * of that name (`{"tool_uses":[{"recipient_name":"functions.x","parameters":…}]}`),
 * as training taught them; it is unwrapped into the calls it holds.
 *
 * @module
 */

import type { ToolCall, ToolOutput } from "../history.ts";
import { isJsonObject, type JsonObject, parseBounded } from "../json.ts";
import { objectsField, textField } from "./fields.ts";

const wrapperNames: ReadonlySet<string> = new Set([
  "parallel",
  "multi_tool_use.parallel",
]);

/** The calls inside a wrapper call, or the call itself where it is none. */
export function unwrapParallel(
  call: ToolCall,
  declared: (name: string) => boolean,
): ToolCall[] {
  if (!wrapperNames.has(call.tool) || declared(call.tool)) return [call];
  const parsed = parseBounded(call.arguments);
  if (parsed.tag === "malformed" || !isJsonObject(parsed.value)) return [call];
  const uses = objectsField(parsed.value, "tool_uses");
  return uses.length === 0
    ? [call]
    : uses.map((use, index) => unwrap(call, use, index));
}

function unwrap(call: ToolCall, use: JsonObject, index: number): ToolCall {
  const name = textField(use, "recipient_name") ?? "";
  return {
    callId: `${call.callId}.${index + 1}`,
    answers: call.answers,
    tool: name.replace(/^functions\./, ""),
    arguments: JSON.stringify(use.parameters ?? {}),
  };
}

/** What the provider's call is answered with: one output, or all of a wrapper. */
export function answer(
  calls: readonly ToolCall[],
  outputs: ReadonlyMap<string, ToolOutput>,
): ToolOutput {
  const [first] = calls;
  const parts = calls.flatMap((call) => outputs.get(call.callId) ?? []);
  const [only] = parts;
  if (first?.callId === first?.answers && only !== undefined) return only;
  const text = JSON.stringify(
    calls.map((call) => ({
      tool: call.tool,
      output: outputs.get(call.callId)?.text ?? "null",
    })),
  );
  return {
    callId: first?.answers ?? "",
    text,
    isError: parts.length > 0 && parts.every((part) => part.isError),
  };
}

/** The calls by the provider's call that they answer, in order. */
export function groupByAnswer(
  calls: readonly ToolCall[],
): Map<string, ToolCall[]> {
  const groups = new Map<string, ToolCall[]>();
  for (const call of calls) {
    const group = groups.get(call.answers);
    if (group === undefined) groups.set(call.answers, [call]);
    else group.push(call);
  }
  return groups;
}
