/**
 * Tools that the host defines and runs.
 *
 * @module
 */

import type { Surface } from "../receipt.ts";

/**
 * A tool of the host, offered to the model. Plain JSON.
 *
 * @example
 * ```ts
 * import type { HostTool } from "@nanocode/wasm";
 *
 * const lookup: HostTool = {
 *   name: "lookup",
 *   description: "Look up the value stored under a key.",
 *   parameters: {
 *     type: "object",
 *     properties: { key: { type: "string" } },
 *     required: ["key"],
 *   },
 * };
 * ```
 */
export type HostTool = {
  /** The name that the model calls and that `tools.call` receives. */
  name: string;
  /** What the model reads to decide when to call the tool. */
  description: string;
  /** The JSON Schema of the tool's input. */
  parameters: Record<string, unknown>;
};

/** What a host tool is told of the call that it answers. */
export type CallContext = {
  /** The provider's id of the call; of a nested call, its number in the cell. */
  readonly callId: string;
  /** The id of the call's receipt. */
  readonly receiptId: string;
  /** The turn that the call belongs to. */
  readonly turnId: string;
  /** Whether the model called the tool itself, or its code did. */
  readonly surface: Surface;
  /**
   * The same when the same call is run again after a resume, so that a handler
   * can tell a repetition from a new call.
   */
  readonly idempotencyKey: string;
  /** When the call is aborted at the latest, in milliseconds since 1970. */
  readonly deadline: number;
  /** How long the call may still take, in milliseconds. */
  remainingMs(): number;
  /** How many more calls the turn may make. */
  remainingCalls(): number;
};

/** What runs the host's tools. */
export type HostTools = {
  /**
   * Runs one call. The resolved value becomes the tool output, `undefined`
   * becomes `null`. What it throws or rejects with becomes a tool error that the
   * model reads; with a property `retryable` that is `true`, it is told that
   * another try may help.
   *
   * @param name The tool's name, one of those declared.
   * @param input The model's arguments; they fit the tool's schema.
   * @param signal Aborts when the call is cancelled or its time is over.
   * @param context What is known of the call beside that.
   */
  call(
    name: string,
    input: unknown,
    signal: AbortSignal,
    context: CallContext,
  ): Promise<unknown>;
};
