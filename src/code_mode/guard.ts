/**
 * Turns what a guest sent into a message, or into nothing.
 *
 * Exact keys, exact types, sizes and ids in order: whatever runs in the guest,
 * even with the prelude's own powers, can only say what
 * {@link GuestMessage} can hold.
 *
 * @module
 */

import { isRecord } from "../json.ts";
import { parseGuestJson } from "./guest_json.ts";
import {
  consoleLevels,
  type GuestError,
  guestErrorKinds,
  type GuestMessage,
  longest,
  operation,
} from "./protocol.ts";

/** What the guard must know of the cell so far. */
export type GuardState = {
  /** The only id the next call may have. */
  readonly nextCallId: number;
  /** How many calls the cell may make. */
  readonly calls: number;
  /** How many lines the program has. */
  readonly lines: number;
};

/** Reads one message; `undefined` when the guest broke the protocol. */
export function readMessage(
  op: number,
  id: number,
  text: string,
  state: GuardState,
): GuestMessage | undefined {
  if (op === operation.call) return readCall(id, text, state);
  if (op === operation.console) return readConsole(id, text);
  if (id !== 0) return undefined;
  switch (op) {
    case operation.refused:
      return readRefused(text);
    case operation.text:
      return { kind: "text", text };
    case operation.store:
      return readStore(text);
    case operation.load:
      return text.length > longest.key
        ? undefined
        : { kind: "load", key: text };
    case operation.budget:
      return text === "" ? { kind: "budget" } : undefined;
    case operation.returned:
      return readReturned(text);
    case operation.threw:
      return readThrew(text, state);
    default:
      return undefined;
  }
}

function readCall(
  id: number,
  text: string,
  state: GuardState,
): GuestMessage | undefined {
  if (id !== state.nextCallId || id > state.calls) return undefined;
  const parsed = parseGuestJson(text);
  if (parsed === undefined || !hasExactly(parsed.value, ["tool", "input"])) {
    return undefined;
  }
  const { tool, input } = parsed.value;
  if (!isShort(tool, longest.tool)) return undefined;
  return { kind: "call", id, tool, input };
}

function readConsole(id: number, text: string): GuestMessage | undefined {
  const level = consoleLevels[id];
  return level === undefined ? undefined : { kind: "console", level, text };
}

function readRefused(text: string): GuestMessage | undefined {
  const value = parseGuestJson(text)?.value;
  if (!hasExactly(value, ["tool", "code", "message"])) return undefined;
  const { tool, code, message } = value;
  if (!isShort(tool, longest.tool) || !isShort(code, longest.code)) {
    return undefined;
  }
  if (!isShort(message, longest.errorMessage)) return undefined;
  return { kind: "refused", tool, code, message };
}

function readStore(text: string): GuestMessage | undefined {
  const value = parseGuestJson(text)?.value;
  if (hasExactly(value, ["key", "value"]) && isShort(value.key, longest.key)) {
    return { kind: "store", key: value.key, json: JSON.stringify(value.value) };
  }
  if (hasExactly(value, ["key"]) && isShort(value.key, longest.key)) {
    return { kind: "store", key: value.key, json: undefined };
  }
  return undefined;
}

function readReturned(text: string): GuestMessage | undefined {
  if (text === "") return { kind: "returned", json: undefined };
  const parsed = parseGuestJson(text);
  if (parsed === undefined) return undefined;
  return { kind: "returned", json: parsed.text };
}

function readThrew(text: string, state: GuardState): GuestMessage | undefined {
  const value = parseGuestJson(text)?.value;
  if (!isRecord(value)) return undefined;
  const keys = ["name", "message", "kind"];
  if (!hasExactly(value, "line" in value ? [...keys, "line"] : keys)) {
    return undefined;
  }
  const { name, message, line } = value;
  const kind = guestErrorKinds.find((known) => known === value.kind);
  if (kind === undefined || !isShort(name, longest.errorName)) return undefined;
  if (!isShort(message, longest.errorMessage)) return undefined;
  if (line === undefined) {
    return { kind: "threw", error: { name, message, kind } };
  }
  if (!isLine(line, state.lines)) return undefined;
  const error: GuestError = { name, message, kind, line };
  return { kind: "threw", error };
}

function isLine(value: unknown, lines: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 &&
    value <= lines;
}

function isShort(value: unknown, length: number): value is string {
  return typeof value === "string" && value.length <= length;
}

function hasExactly<Key extends string>(
  value: unknown,
  keys: readonly Key[],
): value is Record<Key, unknown> {
  return isRecord(value) && Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key));
}
