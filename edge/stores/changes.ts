/**
 * Tells readers in this process that a session changed.
 *
 * @module
 */

/** Counts a session's changes for those who wait for the next. */
export class Changes {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** The session changed. */
  notify(session: string): void {
    for (const wake of [...this.#waiting.get(session) ?? []]) wake();
  }

  /** Yields at once, then after changes, until `signal` aborts. */
  async *watch(session: string, signal: AbortSignal): AsyncGenerator<void> {
    let changed = true;
    let wake = () => {};
    const note = () => {
      changed = true;
      wake();
    };
    this.#add(session, note);
    signal.addEventListener("abort", note, { once: true });
    try {
      while (!signal.aborted) {
        if (!changed) await new Promise<void>((resolve) => wake = resolve);
        if (signal.aborted) return;
        changed = false;
        yield;
      }
    } finally {
      signal.removeEventListener("abort", note);
      this.#drop(session, note);
    }
  }

  #add(session: string, note: () => void): void {
    const waiting = this.#waiting.get(session) ?? new Set();
    this.#waiting.set(session, waiting.add(note));
  }

  #drop(session: string, note: () => void): void {
    const waiting = this.#waiting.get(session);
    waiting?.delete(note);
    if (waiting?.size === 0) this.#waiting.delete(session);
  }
}
