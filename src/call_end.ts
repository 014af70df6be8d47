/**
 * How a call ended, from what its tool did: for the receipt, and for the model.
 *
 * Before it on the path: `call.ts`. After it: `receipt.ts`, and the model.
 *
 * @module
 */

import type { Json } from "./json.ts";
import { encodeJson } from "./json_encode.ts";
import type { Receipt, ReceiptEnd, Surface, ToolError } from "./receipt.ts";
import type { Redaction } from "./redaction.ts";
import type { Stop } from "./stop.ts";
import { byteLength, cutToBytes } from "./text.ts";
import {
  invalidOutput,
  oversized,
  stopped,
  thrownError,
} from "./tool_error.ts";
import { toolFailureOf } from "./tools/function_tool.ts";

/** How a call ended. */
export type CallEnd = {
  readonly receipt: Receipt;
  /** The result as JSON text, or the error. */
  readonly result:
    | { readonly tag: "output"; readonly text: string }
    | { readonly tag: "error"; readonly error: ToolError };
};

/** What a tool's code did. */
export type Settled =
  | { readonly tag: "resolved"; readonly value: unknown }
  | { readonly tag: "rejected"; readonly thrown: unknown };

/** What ends the receipt, and what the model is told. */
export type End = {
  readonly executed: boolean;
  readonly receipt: Omit<ReceiptEnd, "executed">;
  readonly result: CallEnd["result"];
};

/** The end of a call; `ended` is `undefined` where its tool did not settle. */
export function endOf(
  ended: Settled | undefined,
  stop: Stop,
  to: {
    /** Whether the tool was set to work at all. */
    readonly started: boolean;
    readonly surface: Surface;
    readonly shownBytes: number;
    readonly resultBytes: number;
    readonly redaction: Redaction;
  },
): End {
  // What a call gives after it was stopped changes nothing.
  if (stop.cause !== undefined) {
    const { outcome, error } = stopped(stop.cause, to.started);
    return failed(outcome, error);
  }
  if (ended === undefined || ended.tag === "rejected") {
    const thrown = ended?.thrown;
    const own = toolFailureOf(thrown);
    return own === undefined
      ? failed("failed", thrownError(thrown, to.redaction))
      : {
        ...failed(own.outcome, told(own.error, to.redaction)),
        executed: own.executed,
      };
  }
  const encoded = encodeJson(ended.value);
  if (encoded.tag === "refused") {
    return failed("failed", invalidOutput(encoded.reason));
  }
  const outputBytes = byteLength(encoded.text);
  if (outputBytes > to.resultBytes) {
    return failed("failed", oversized(outputBytes, to.resultBytes));
  }
  const output: Json = JSON.parse(encoded.text);
  return {
    executed: true,
    receipt: {
      outcome: "succeeded",
      output,
      outputBytes,
      truncated: to.surface === "direct" && outputBytes > to.shownBytes,
    },
    result: { tag: "output", text: encoded.text },
  };
}

/** A schema library's reasons may repeat anything; the rest is our own text. */
function told(error: ToolError, redaction: Redaction): ToolError {
  return error.code === "invalid_input"
    ? { ...error, message: redaction.clean(error.message) }
    : error;
}

function failed(outcome: ReceiptEnd["outcome"], error: ToolError): End {
  return {
    executed: true,
    receipt: { outcome, error, outputBytes: 0, truncated: false },
    result: { tag: "error", error },
  };
}

/**
 * What the model is shown of a call's end: the result's JSON text, cut where it
 * is larger than `limit` bytes, or `{"error": …}`. Never empty.
 */
export function shownToModel(
  { result }: CallEnd,
  limit: number,
): { readonly text: string; readonly isError: boolean } {
  if (result.tag === "error") {
    return { text: errorText(result.error, limit), isError: true };
  }
  const bytes = byteLength(result.text);
  if (bytes <= limit) return { text: result.text, isError: false };
  const note =
    `\n[truncated: ${bytes} bytes in all, the first ${limit} at most shown; ask for less]`;
  return {
    text: cutToBytes(result.text, limit - byteLength(note)) + note,
    isError: false,
  };
}

/** The error as JSON; of one that is too large, the message is cut. */
function errorText(error: ToolError, limit: number): string {
  const text = JSON.stringify({ error });
  if (byteLength(text) <= limit) return text;
  const cut = (bytes: number) => {
    const message = `${cutToBytes(error.message, bytes)}…`;
    return JSON.stringify({ error: { ...error, message } });
  };
  // Escapes take more than the characters that they stand for, so the longest
  // message that fits has to be searched for.
  let [fits, over] = [0, byteLength(error.message)];
  while (over - fits > 1) {
    const bytes = Math.floor((fits + over) / 2);
    if (byteLength(cut(bytes)) <= limit) fits = bytes;
    else over = bytes;
  }
  return cutToBytes(cut(fits), limit);
}
