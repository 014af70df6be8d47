/**
 * The calls that run in this process, so that a later request can cancel one.
 *
 * Clients of the protocol's 2025 revisions cancel with a notification, which is
 * an HTTP request of its own. It reaches the call where the same process, or
 * isolate, gets both; elsewhere the call goes on until its time is over. Later
 * revisions cancel by closing the call's stream, which needs none of this.
 *
 * @module
 */

/** An id of the protocol's requests. */
export type RequestId = string | number;

/** Calls by their client and the id that it gave them. */
export class RunningCalls {
  readonly #cancel = new Map<string, () => void>();

  /**
   * Enters a call.
   *
   * @param session The client's session.
   * @param id The id that the client gave the request.
   * @returns `cancelled` resolves when the call is cancelled; `release` strikes the
   * call out when it has ended.
   */
  add(session: string, id: RequestId): {
    readonly cancelled: Promise<void>;
    readonly release: () => void;
  } {
    const key = keyOf(session, id);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#cancel.set(key, resolve);
    return {
      // A promise, no callback: on Workers what belongs to one request cannot be
      // touched by another, but a promise hands over to the request that made it.
      cancelled: promise,
      release: () => {
        if (this.#cancel.get(key) === resolve) this.#cancel.delete(key);
      },
    };
  }

  /** Cancels a call, where it runs here. */
  cancel(session: string, id: RequestId): void {
    this.#cancel.get(keyOf(session, id))?.();
  }
}

/** The id 7 is another than the id "7". */
function keyOf(session: string, id: RequestId): string {
  return JSON.stringify([session, id]);
}
