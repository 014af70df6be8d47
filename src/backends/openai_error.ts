/**
 * Errors of the OpenAI Responses wire.
 *
 * @module
 */

import type { JsonObject } from "../json.ts";
import type { WireError } from "./backend.ts";
import { objectField, textField } from "./fields.ts";

/** Reads an error in any of the places where this wire puts one. */
export function readOpenaiError(body: JsonObject): WireError | undefined {
  const nested = objectField(body, "error");
  const source = Object.keys(nested).length > 0 ? nested : body;
  const message = textField(source, "message") ??
    textField(body, "error") ?? textField(body, "detail");
  if (message === undefined) return undefined;
  return {
    message,
    code: textField(source, "code") ?? (
      source === body ? undefined : textField(source, "type")
    ),
    param: textField(source, "param"),
  };
}
