/**
 * A response's body that is sent as it comes into being: something is written
 * now and then while it is quiet, and a client that leaves is noticed.
 *
 * Hono's own helper swallows failed writes and ends a stream whose producer
 * failed like one that is done. Here the stream is pulled: nothing is written
 * that nobody takes.
 *
 * @module
 */

import type { Clock } from "../src/ambient.ts";

/** What a stream works with. */
export type PacedStreamParts = {
  /** The body, piece by piece. Never throws. */
  readonly pieces: AsyncGenerator<string, void, undefined>;
  /** What is written while the body is quiet. */
  readonly filler: string;
  readonly clock: Clock;
  /** How long the body may be quiet, in milliseconds. */
  readonly keepAliveMs: number;
  /** Aborts when the client leaves, where the platform says so. */
  readonly signal: AbortSignal;
  /** The client left before the end, however that was noticed. Called once. */
  onLeave(): void;
};

const encoder = new TextEncoder();

/** The body's bytes. */
export function pacedStream(
  { pieces, filler, clock, keepAliveMs, signal, onLeave }: PacedStreamParts,
): ReadableStream<Uint8Array> {
  let over = false;
  let next: Promise<IteratorResult<string, void>> | undefined;
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
    pieces.return().catch(() => {});
  };
  return new ReadableStream<Uint8Array>({
    start() {
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
    },
    async pull(controller) {
      if (over) return;
      next ??= pieces.next();
      const quiet = new Promise<undefined>((resolve) => {
        stopTimer = clock.timer(keepAliveMs, () => resolve(undefined));
      });
      const result = await Promise.race([next, quiet]);
      stopTimer();
      // The client left while this waited: there is nobody to write to.
      if (over) return;
      if (result === undefined) {
        return controller.enqueue(encoder.encode(filler));
      }
      next = undefined;
      if (!result.done) return controller.enqueue(encoder.encode(result.value));
      finish();
      controller.close();
    },
    cancel: leave,
  });
}
