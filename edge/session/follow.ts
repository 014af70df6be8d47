/**
 * Reads a turn's events from the store: those that are there, then the others
 * as they come. It does not matter which process runs the turn.
 *
 * @module
 */

import { type NumberedEvent, storedEvents } from "./batches.ts";
import { StoredStateInvalid } from "./stored_state.ts";
import { wakes, type WakesParts } from "./wakes.ts";

/** What becomes of a turn. */
export type TurnFate =
  | "running"
  /** Its last event is stored. */
  | "ended"
  /** There is no such turn any more. */
  | "gone";

/** What a follower works with. */
export type FollowParts = WakesParts & {
  readonly turn: string;
  /**
   * Tells what becomes of the turn, and ends one that nobody runs. Called at
   * first, and where nothing new came.
   */
  readonly look: () => Promise<TurnFate>;
};

/**
 * Events after number `after`, and the turn's end in any case; fewer where the
 * session is deleted before. Nothing is read before the reader wants it.
 *
 * @param parts What it works with; its signal ends it before.
 * @param after The number of the last event that the reader has, or 0.
 * @throws {StoredStateInvalid} The turn has ended, and its events have no end.
 */
export async function* follow(
  parts: FollowParts,
  after: number,
): AsyncGenerator<NumberedEvent, void, undefined> {
  const { store, session, turn, look } = parts;
  let next = 1;
  let looked = false;
  for await (const _wake of wakes(parts)) {
    for (let fate: TurnFate = "running";;) {
      const first = next;
      for await (const event of storedEvents(store, session, turn, first)) {
        next = event.number + 1;
        const isEnd = event.type === "end";
        if (isEnd || event.number > after) yield event;
        if (isEnd) return;
      }
      // The end is written together with what tells that it is.
      if (fate === "ended") throw new StoredStateInvalid("events");
      if (looked && next > first) break;
      looked = true;
      fate = await look();
      if (fate === "gone") return;
      if (fate === "running") break;
    }
  }
}
