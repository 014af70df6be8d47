/**
 * Why work is stopped, and the signal that says so to whoever works: a turn
 * stops its calls, a cell stops its nested calls.
 *
 * @module
 */

/** Why work was stopped. */
export type StopCause =
  | { readonly tag: "cancelled"; readonly reason: string }
  | { readonly tag: "turn_time"; readonly limitMs: number }
  | { readonly tag: "call_time"; readonly limitMs: number }
  | { readonly tag: "interrupted"; readonly reason: string };

/** What the cause says to a reader. */
export function describeStop(cause: StopCause): string {
  switch (cause.tag) {
    case "cancelled":
      return `the turn was cancelled: ${cause.reason}`;
    case "turn_time":
      return `the turn's time of ${cause.limitMs} ms is over`;
    case "call_time":
      return `the call took longer than ${cause.limitMs} ms`;
    case "interrupted":
      return cause.reason;
  }
}

function signalReason(cause: StopCause): DOMException {
  const timed = cause.tag === "turn_time" || cause.tag === "call_time";
  return new DOMException(
    describeStop(cause),
    timed ? "TimeoutError" : "AbortError",
  );
}

/** A stop that can happen once, and stops what hangs below it. */
export class Stop {
  // Made when it is asked for: most programs end with nothing left to abort.
  #controller: AbortController | undefined;
  #cause: StopCause | undefined;

  /** Aborts when this stops; its reason is an `AbortError` or `TimeoutError`. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#abort();
    }
    return this.#controller.signal;
  }

  /** Why it stopped; `undefined` while it has not. */
  get cause(): StopCause | undefined {
    return this.#cause;
  }

  /** Stops; the first cause stays. */
  stop(cause: StopCause): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    this.#abort();
  }

  /**
   * A stop below this one: it stops with this one, and may stop alone.
   * `release` lets go of it when its work is done.
   */
  child(): { readonly stop: Stop; readonly release: () => void } {
    const child = new Stop();
    const pass = () => {
      if (this.#cause !== undefined) child.stop(this.#cause);
    };
    if (this.#cause !== undefined) child.stop(this.#cause);
    else this.signal.addEventListener("abort", pass, { once: true });
    return {
      stop: child,
      release: () => this.signal.removeEventListener("abort", pass),
    };
  }

  #abort(): void {
    if (this.#cause !== undefined) {
      this.#controller?.abort(signalReason(this.#cause));
    }
  }
}

/**
 * Cancels when `signal` aborts, at once where it has.
 *
 * @param clean Makes the signal's reason fit to be told.
 * @returns Lets go of the signal; call it when the work is done.
 */
export function cancelOn(
  signal: AbortSignal | undefined,
  stop: Stop,
  clean: (reason: string) => string,
): () => void {
  const cancel = () => {
    const reason = clean(abortReason(signal?.reason));
    stop.stop({ tag: "cancelled", reason });
  };
  if (signal?.aborted) cancel();
  else signal?.addEventListener("abort", cancel, { once: true });
  return () => signal?.removeEventListener("abort", cancel);
}

/** The reason in words; it is the host's, so it may be anything. */
function abortReason(reason: unknown): string {
  try {
    const text: unknown = reason instanceof Error ? reason.message : reason;
    if (typeof text === "string" && text !== "") return text;
  } catch {
    // A getter of the reason's own threw.
  }
  return "the signal was aborted";
}

/**
 * What `work` gives, unless `signal` aborts first: then it rejects with the
 * signal's reason, and what the work gives later goes to `discard`.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  discard: (late: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      reject(signal.reason);
      work.then(discard).catch(() => {});
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave));
  });
}
