/**
 * What a session remembers of a turn, beside its events.
 *
 * @module
 */

import {
  type StopReason,
  stopReasons,
  type TurnEnd,
  type TurnEvent,
} from "../../src/events.ts";
import { isRecord, parseJson } from "../../src/json.ts";
import { StoredStateInvalid } from "./stored_state.ts";

/**
 * Why a turn of a session ended: `interrupted` is a turn whose process died or
 * lost the session before the turn's end.
 */
export type SessionStopReason = StopReason | "interrupted";

/** How a turn of a session ended. */
export type SessionTurnEnd = Omit<TurnEnd, "stopReason"> & {
  readonly stopReason: SessionStopReason;
};

/** A turn's events, with the end that only a session can give. */
export type SessionEvent =
  | Exclude<TurnEvent, { type: "end" }>
  | (
    & { readonly type: "end"; readonly turnId: string; readonly at: number }
    & SessionTurnEnd
  );

/** A turn of a session. */
export type TurnRecord = {
  readonly id: string;
  /** Its place in the session, from 1. */
  readonly number: number;
  readonly input: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** How it ended; absent while it runs. */
  readonly end?: SessionTurnEnd;
  /** The number of its last event, once it ended. */
  readonly lastEvent?: number;
};

/**
 * A turn from the store.
 *
 * @throws {StoredStateInvalid} The text is no turn.
 */
export function parseTurnRecord(text: string): TurnRecord {
  const parsed = parseJson(text);
  const value: unknown = parsed.tag === "parsed" ? parsed.value : undefined;
  if (!isTurnRecord(value)) throw new StoredStateInvalid("turn");
  return value;
}

function isTurnRecord(value: unknown): value is TurnRecord {
  return isRecord(value) && typeof value.id === "string" &&
    typeof value.number === "number" && typeof value.input === "string" &&
    typeof value.startedAt === "number" &&
    (value.endedAt === undefined || typeof value.endedAt === "number") &&
    (value.lastEvent === undefined || typeof value.lastEvent === "number") &&
    (value.end === undefined || isEnd(value.end));
}

function isEnd(value: unknown): boolean {
  return isRecord(value) && typeof value.text === "string" &&
    typeof value.steps === "number" && isRecord(value.usage) &&
    (value.stopReason === "interrupted" ||
      stopReasons.some((reason) => reason === value.stopReason));
}
