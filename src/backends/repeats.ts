/**
 * Streams that tell one thing twice, at two places of the answer, or two calls
 * under one id, or one under none: a call must run once, and no provider takes
 * back an answer in which calls cannot be told apart.
 *
 * @module
 */

/**
 * The things without those that an earlier one is the same as.
 *
 * @param things What the stream told, in order.
 * @param identity What makes two of them the same; `undefined` for one that
 * nothing identifies.
 */
export function withoutRepeats<T>(
  things: readonly T[],
  identity: (thing: T) => string | undefined,
): T[] {
  const seen = new Set<string>();
  return things.filter((thing) => {
    const own = identity(thing);
    if (own === undefined) return true;
    if (seen.has(own)) return false;
    seen.add(own);
    return true;
  });
}

/** Gives each id once. */
export class OwnIds {
  readonly #taken = new Set<string>();
  /** How often each was asked for: a search for the next could take long. */
  readonly #counts = new Map<string, number>();

  /** The id itself, or one that is like it and not taken yet. */
  of(id: string): string {
    const base = id === "" ? "call" : id;
    let count = this.#counts.get(base) ?? 0;
    let own: string;
    do {
      count++;
      own = count === 1 ? base : `${base}_${count}`;
    } while (this.#taken.has(own));
    this.#counts.set(base, count);
    this.#taken.add(own);
    return own;
  }
}
