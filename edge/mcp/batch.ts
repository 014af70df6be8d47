/**
 * Batches: several messages in one HTTP request, as the protocol's older
 * revisions know them.
 *
 * @module
 */

import { isRecord } from "../../src/json.ts";

/**
 * Why a batch is refused, or nothing: one request makes no more calls than one
 * turn of a model may.
 *
 * @param body A request's body.
 * @param most `budget.calls`.
 */
export function batchRefusal(body: unknown, most: number): string | undefined {
  if (!Array.isArray(body)) return undefined;
  const calls = body.filter((message: unknown) =>
    isRecord(message) && message.method === "tools/call"
  );
  if (calls.length <= most) return undefined;
  return `The batch makes ${calls.length} calls; at most ${most} are allowed. Send it in parts`;
}
