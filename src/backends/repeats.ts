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

/** An id that is not taken yet; from now on it is. */
export function ownId(id: string, taken: Set<string>): string {
  const base = id === "" ? "call" : id;
  let own = base;
  for (let count = 2; taken.has(own); count++) own = `${base}_${count}`;
  taken.add(own);
  return own;
}
