/**
 * Bounds the work of judging one input. The validator reads the keywords of a
 * subschema once a visit; here the read of `type` counts, and the read of
 * `pattern` looks at the text that is about to be matched.
 *
 * @module
 */

/** Thrown where judging takes too long. */
class StepsSpent extends Error {}

/** Thrown where a text is too long for the pattern that applies to it. */
export class TextTooLong extends Error {
  /** @param limit How long it may be, in characters. */
  constructor(readonly limit: number) {
    super();
  }
}

/** Counts visits of subschemas, over all of one schema. */
export class StepCounter {
  /** Whether the schema compares items with one another. */
  unique = false;
  /** A text up to this length is judged by every pattern in bounded time. */
  maxTextLength = Infinity;
  /** The same for the names of properties. */
  maxNameLength = Infinity;
  /** The value that was read last from the input; see {@link StepCounter.follow}. */
  #current: unknown;
  #left = 0;

  /** Sets what the next input may take. */
  allow(steps: number): void {
    this.#left = steps;
    this.#current = undefined;
  }

  /** Makes the visits of a subschema count. */
  watch(schema: Record<string, unknown>): void {
    const { type } = schema;
    Object.defineProperty(schema, "type", {
      enumerable: true,
      get: () => {
        if (--this.#left < 0) throw new StepsSpent();
        return type;
      },
    });
  }

  /** Makes a pattern refuse texts of more than `limit` characters. */
  watchPattern(schema: Record<string, unknown>, limit: number): void {
    if (limit === Infinity) return;
    this.maxTextLength = Math.min(this.maxTextLength, limit);
    const { pattern } = schema;
    Object.defineProperty(schema, "pattern", {
      enumerable: true,
      get: () => {
        const text = this.#current;
        if (typeof text === "string" && text.length > limit) {
          throw new TextTooLong(limit);
        }
        return pattern;
      },
    });
  }

  /**
   * A copy of an input that tells which of its values is being judged: the one
   * that was read last, as a text has nothing inside to be read after it.
   */
  follow(value: unknown): unknown {
    this.#current = value;
    if (typeof value !== "object" || value === null) return value;
    const copy = Array.isArray(value) ? [] : {};
    for (const [key, item] of Object.entries(value)) {
      const followed = this.follow(item);
      Object.defineProperty(copy, key, {
        enumerable: true,
        configurable: true,
        get: () => {
          this.#current = followed;
          return followed;
        },
      });
    }
    this.#current = undefined;
    return copy;
  }
}
