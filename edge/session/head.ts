/**
 * A session's head: what decides whether a turn may start, and who runs the one
 * that does. Read back as hostile: the store may hold what another version
 * wrote.
 *
 * @module
 */

import { type BackendName, backendNames } from "../../src/backends/backend.ts";
import { isRecord, parseJson } from "../../src/json.ts";
import { StoredStateInvalid } from "./stored_state.ts";

/** The turn that runs, and until when its process answers for it. */
export type RunningTurn = {
  readonly turn: string;
  /** The process that runs it. */
  readonly owner: string;
  /** The index of the first item of the history that it can change. */
  readonly from: number;
  /** When the process counts as dead unless it renews, in ms since 1970. */
  readonly until: number;
  /** Why it shall be cancelled, where somebody asked. */
  readonly cancel?: string;
};

/** A session's head. */
export type SessionHead = {
  readonly version: 2;
  /** The provider whose items the history holds. */
  readonly backend: BackendName;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How many turns were started. */
  readonly turns: number;
  /** How large the conversation's documents are together, in bytes. */
  readonly bytes: number;
  /**
   * How often the conversation or a turn's record was written. Text that streams
   * and leases that are renewed leave it as it is.
   */
  readonly changes: number;
  readonly running?: RunningTurn;
};

/** A head that was read, and the revision that a commit on top of it names. */
export type FoundHead = {
  readonly head: SessionHead;
  readonly revision: string;
};

/** The head as the store keeps it. */
export function encodeHead(head: SessionHead): string {
  return JSON.stringify(head);
}

/**
 * A head from the store.
 *
 * @throws {StoredStateInvalid} The text is no head of this version.
 */
export function parseHead(text: string): SessionHead {
  const parsed = parseJson(text);
  const value: unknown = parsed.tag === "parsed" ? parsed.value : undefined;
  if (!isRecord(value)) throw new StoredStateInvalid("head");
  const { version, createdAt, updatedAt, turns, bytes, changes } = value;
  const backend = backendNames.find((name) => name === value.backend);
  if (
    version !== 2 || backend === undefined || typeof createdAt !== "number" ||
    typeof updatedAt !== "number" || typeof turns !== "number" ||
    typeof bytes !== "number" || typeof changes !== "number"
  ) throw new StoredStateInvalid("head");
  const running = value.running === undefined
    ? {}
    : { running: runningOf(value.running) };
  const counts = { turns, bytes, changes };
  return { version, backend, createdAt, updatedAt, ...counts, ...running };
}

function runningOf(value: unknown): RunningTurn {
  if (!isRecord(value)) throw new StoredStateInvalid("head");
  const { turn, owner, from, until, cancel } = value;
  if (
    typeof turn !== "string" || typeof owner !== "string" ||
    typeof from !== "number" || typeof until !== "number"
  ) throw new StoredStateInvalid("head");
  const asked = typeof cancel === "string" ? { cancel } : {};
  return { turn, owner, from, until, ...asked };
}

/** The head without the running turn. */
export function rested(head: SessionHead, now: number): SessionHead {
  const { running: _ended, ...rest } = head;
  return { ...rest, updatedAt: now };
}

/** Whether what was read of the conversation between two heads belongs together. */
export function sameConversation(
  one: SessionHead,
  other: SessionHead,
): boolean {
  return one.changes === other.changes && one.createdAt === other.createdAt;
}
