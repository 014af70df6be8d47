/**
 * What a backend is: it turns a neutral step into the provider's request, and
 * the provider's stream into a neutral answer. It does no I/O.
 *
 * @module
 */

import type { Usage } from "../events.ts";
import type { HistoryItem, ToolCall } from "../history.ts";
import type { JsonObject } from "../json.ts";
import { toCurrentForm } from "../tools/schema/current_form.ts";

/** The model providers' wires. */
export type BackendName = "openai" | "anthropic";

/** Every {@link BackendName}. */
export const backendNames: readonly BackendName[] = ["openai", "anthropic"];

/** How much a model thinks: what both providers' request types name. */
export type ReasoningEffort = "low" | "medium" | "high" | "xhigh" | "max";

/** Every {@link ReasoningEffort}. */
export const reasoningEfforts: readonly ReasoningEffort[] = [
  "low",
  "medium",
  "high",
  "xhigh",
  "max",
];

/** The few model settings that both providers share. */
export type ModelSettings = {
  /**
   * The most tokens that the model may write in a step. Without it: 16,384 on
   * `anthropic`, which wants a limit; the provider's own on `openai`.
   */
  readonly maxOutputTokens?: number | undefined;
  /** How much the model should think. Not every model takes it. */
  readonly reasoningEffort?: ReasoningEffort | undefined;
};

/** A tool as the provider is told of it. */
export type WireTool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
};

/** What a step asks the model. */
export type StepInput = {
  readonly model: string;
  readonly instructions: string | undefined;
  readonly tools: readonly WireTool[];
  readonly settings: ModelSettings;
  readonly history: readonly HistoryItem[];
  /** What an earlier request of this agent was refused for, and goes without. */
  readonly without: ReadonlySet<string>;
};

/** A request, ready but for the address and the credentials. */
export type WireRequest = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
};

/**
 * How a step's answer ended: `tool_calls` runs them, `paused` asks the model to
 * go on, the others end the turn as the stop reason of that name.
 */
export type StepStop =
  | "completed"
  | "tool_calls"
  | "truncated"
  | "refused"
  | "paused"
  | "other";

/** The model's answer of one step. */
export type StepOutput = {
  readonly stop: StepStop;
  /** The provider's own word for it. */
  readonly providerStopReason: string | undefined;
  /** What to replay. */
  readonly items: readonly JsonObject[];
  readonly calls: readonly ToolCall[];
  readonly text: string;
  readonly usage: Usage;
};

/** What a decoder tells while the stream runs. */
export type StepDelta = {
  readonly type: "text" | "reasoning";
  readonly delta: string;
};

/** An error that the provider sent, as the wire names it. */
export type WireError = {
  readonly message: string;
  readonly code: string | undefined;
  /** The request's field that is at fault. */
  readonly param: string | undefined;
};

/** What stands in for an error that the provider left empty. */
export const unnamedError: WireError = {
  message: "the provider reported an error without a message",
  code: undefined,
  param: undefined,
};

/** What one event of the stream means. */
export type Decoded =
  | { readonly tag: "deltas"; readonly deltas: readonly StepDelta[] }
  | { readonly tag: "error"; readonly error: WireError };

/** Reads one step's stream. */
export type StepDecoder = {
  /** Takes one event: its type, and its data parsed. */
  push(type: string, data: JsonObject): Decoded;
  /** Whether the terminal event came: what comes after it changes nothing. */
  ended(): boolean;
  /** The calls that the model had finished so far, for a stream that broke. */
  calls(): readonly ToolCall[];
  /** The answer; `undefined` where the stream ended before its terminal event. */
  finish(): StepOutput | undefined;
};

/** One provider's wire. */
export type Backend = {
  readonly name: BackendName;
  readonly defaultBaseUrl: string;
  /** What comes between `baseUrl` and the path. */
  prefix(baseUrl: string): string;
  /** The response header that names the request. */
  readonly requestIdHeader: string;
  /** The header that carries the credential. */
  credential(apiKey: string): Readonly<Record<string, string>>;
  request(input: StepInput): WireRequest;
  /**
   * Events that tell nothing which others do not: servers were seen to send them
   * with data that is no JSON.
   */
  readonly dispensable: ReadonlySet<string>;
  /** `declared` says which tool names exist. */
  decoder(declared: (name: string) => boolean): StepDecoder;
  /** Reads an error from a body, parsed. */
  error(body: JsonObject): WireError | undefined;
  /** The part of the request that the next try should go without, if any. */
  avoidable(error: WireError): string | undefined;
};

/**
 * What to send of a tool's schema: both wires want an object with `properties`,
 * in the form of draft 2020-12 whatever the host's draft is.
 */
export function wireParameters(parameters: JsonObject): JsonObject {
  const schema = toCurrentForm(parameters);
  return { ...schema, properties: schema.properties ?? {} };
}

/** Nothing to tell. */
export const noDeltas: Decoded = { tag: "deltas", deltas: [] };

/** One delta to tell; an empty one is none. */
export function delta(type: StepDelta["type"], text: unknown): Decoded {
  if (typeof text !== "string" || text === "") return noDeltas;
  return { tag: "deltas", deltas: [{ type, delta: text }] };
}
