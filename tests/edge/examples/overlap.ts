/**
 * Whether calls ran in parallel.
 *
 * @module
 */

import type { Receipt } from "nanocode-wasm";

/** What is needed of a receipt. */
export type Timed = Pick<Receipt, "startedAt" | "endedAt">;

/** Whether the second of the calls started before the first had ended. */
export function overlap([first, second]: readonly Timed[]): boolean {
  return first?.endedAt !== undefined && second?.startedAt !== undefined &&
    second.startedAt < first.endedAt;
}
