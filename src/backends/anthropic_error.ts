/**
 * Errors of the Anthropic Messages wire.
 *
 * @module
 */

import type { JsonObject } from "../json.ts";
import type { WireError } from "./backend.ts";
import { objectField, textField } from "./fields.ts";

/** Reads an error from a body, or from the data of an `error` event. */
export function readAnthropicError(body: JsonObject): WireError | undefined {
  const error = objectField(body, "error");
  const code = textField(error, "type");
  const message = textField(error, "message") ?? code;
  return message === undefined
    ? undefined
    : { message, code, param: undefined };
}
