/**
 * How much a session may hold: the model reads all of its history at each step,
 * and whoever asks for the session gets all of it.
 *
 * @module
 */

import type { SessionHead } from "./head.ts";

/** How much a session may hold before it takes no further turn. */
export type SessionLimits = {
  /** How many turns. */
  readonly turns: number;
  /** How many bytes its history and receipts take together, as JSON. */
  readonly bytes: number;
};

/** The limits of sessions where none are given. */
export const defaultLimits: SessionLimits = {
  turns: 1000,
  bytes: 8 * 1024 * 1024,
};

/** Thrown where a session holds as much as it may. */
export class SessionFull extends Error {
  /** Always `SessionFull`. */
  override readonly name = "SessionFull";

  /** @param most What it may hold. */
  constructor(most: string) {
    super(`A session takes no turn once it holds ${most}; begin another`);
  }
}

/**
 * Lets a turn begin in a session that has room.
 *
 * @throws {SessionFull} It has none.
 */
export function mustHaveRoom(
  { turns, bytes }: SessionHead,
  limits: SessionLimits,
): void {
  if (turns >= limits.turns) throw new SessionFull(`${limits.turns} turns`);
  if (bytes >= limits.bytes) {
    throw new SessionFull(`${limits.bytes} bytes of history and receipts`);
  }
}
