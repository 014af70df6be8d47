/**
 * A turn's events as a stream of Server-Sent Events.
 *
 * Hono's own helper swallows failed writes and ends a stream whose producer
 * failed like one that is done. Here the stream is pulled: nothing is written
 * that nobody takes, and every stream says how it ended.
 *
 * @module
 */

import type { Clock } from "../src/ambient.ts";
import type { NumberedEvent } from "./session/documents.ts";
import { problemDocument, toProblem } from "./problem.ts";

/** What a stream works with. */
export type EventStreamParts = {
  readonly events: AsyncGenerator<NumberedEvent, void, undefined>;
  readonly clock: Clock;
  /** How long a stream may be quiet before a comment is sent. */
  readonly keepAliveMs: number;
  /** Aborts when the client leaves, where the platform says so. */
  readonly signal: AbortSignal;
  /** The client left before the end, however that was noticed. Called once. */
  onLeave(): void;
};

const encoder = new TextEncoder();
const keepAlive = encoder.encode(": keep-alive\n\n");

/** The stream's bytes: each event with its number as id, and one that ends it. */
export function eventStream(
  { events, clock, keepAliveMs, signal, onLeave }: EventStreamParts,
): ReadableStream<Uint8Array> {
  let over = false;
  let next: Promise<Uint8Array | undefined> | undefined;
  let stopTimer = () => {};
  const finish = () => {
    over = true;
    stopTimer();
    signal.removeEventListener("abort", leave);
  };
  const leave = () => {
    if (over) return;
    finish();
    onLeave();
    // The generator may be waiting; what it waits for is its owner's to end.
    events.return().catch(() => {});
  };
  return new ReadableStream<Uint8Array>({
    start() {
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
    },
    async pull(controller) {
      if (over) return;
      next ??= nextFrame(events);
      const quiet = new Promise<"quiet">((resolve) => {
        stopTimer = clock.timer(keepAliveMs, () => resolve("quiet"));
      });
      const frame = await Promise.race([next, quiet]);
      stopTimer();
      // The client left while this waited: there is nobody to write to.
      if (over) return;
      if (frame === "quiet") return controller.enqueue(keepAlive);
      next = undefined;
      if (frame !== undefined) return controller.enqueue(frame);
      finish();
      controller.close();
    },
    cancel: leave,
  });
}

/** The next event's bytes; `undefined` after the last. Never rejects. */
async function nextFrame(
  events: AsyncGenerator<NumberedEvent, void, undefined>,
): Promise<Uint8Array | undefined> {
  try {
    const result = await events.next();
    return result.done ? undefined : frame(result.value);
  } catch (error) {
    const { code, details } = toProblem(error);
    const data = JSON.stringify(problemDocument(code, details));
    // Without an id: the client goes on from the last event that it has.
    return encoder.encode(`event: error\ndata: ${data}\n\n`);
  }
}

/**
 * One event. Its type is one of a few known words, its id a number, and its
 * JSON has no line breaks: no text of a model or tool can begin a field.
 */
function frame({ number, type, event }: NumberedEvent): Uint8Array {
  return encoder.encode(
    `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`,
  );
}
