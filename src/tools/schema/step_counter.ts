/**
 * Bounds the work of judging one input. The validator reads the keywords of a
 * subschema once a visit; here the read of `type` counts the visit, and the read
 * of `pattern` the steps that it may take on the text that it is about to judge.
 *
 * @module
 */

import { isRecord } from "../../json.ts";
import type { InputSize } from "./input_guard.ts";
import { type Cost, stepsFor } from "./pattern_cost.ts";
import type { AcceptedPattern } from "./pattern.ts";

/** Thrown where judging takes too long. */
class StepsSpent extends Error {}

/** Thrown where only a look at each text tells how long judging takes. */
export class TextsUnknown extends Error {}

/** Thrown where a text is too long for the pattern that applies to it. */
export class TextTooLong extends Error {
  /** @param limit How long it may be, in characters. */
  constructor(readonly limit: number) {
    super();
  }
}

// A step is up to 400 ns: judging ends in about a second, whatever comes.
const baseSteps = 50_000;
const stepsPerValue = 200;
const mostSteps = 3_000_000;
// About half a nanosecond each.
const mostPatternSteps = 1_000_000_000;
// About 16 ns each.
const mostComparisons = 40_000_000;

/** Counts visits of subschemas, over all of one schema. */
export class StepCounter {
  /** How many subschemas compare items with one another. */
  unique = 0;
  /** Property names up to this length are judged by every pattern. */
  maxNameLength = Infinity;
  /** What judging names costs, pattern by pattern. */
  readonly #nameCosts: Cost[] = [];
  /** The value that was read last from the input; see {@link StepCounter.follow}. */
  #current: unknown;
  #isFollowed = false;
  #left = 0;
  #patternLeft = 0;
  #longestText = 0;

  /** Sets what the next input may take. */
  allow({ values, longestText }: InputSize): void {
    this.#left = Math.min(baseSteps + values * stepsPerValue, mostSteps);
    this.#patternLeft = mostPatternSteps;
    this.#longestText = longestText;
    this.#isFollowed = false;
  }

  /** Whether what does not depend on where values stand takes too long. */
  isBeyond({ comparisons, names, longestName }: InputSize): boolean {
    if (comparisons * this.unique > mostComparisons) return true;
    const steps = this.#nameCosts.reduce(
      (sum, cost) => sum + names * stepsFor(cost, longestName),
      0,
    );
    return steps > mostPatternSteps;
  }

  /** Makes the visits of a subschema count. */
  watch(schema: Record<string, unknown>): void {
    const { type } = schema;
    const steps = stepsOf(schema);
    Object.defineProperty(schema, "type", {
      enumerable: true,
      get: () => {
        this.#left -= steps;
        if (this.#left < 0) throw new StepsSpent();
        return type;
      },
    });
  }

  /** Counts a pattern that judges names. */
  watchNames({ cost, maxLength }: AcceptedPattern): void {
    this.#nameCosts.push(cost);
    this.maxNameLength = Math.min(this.maxNameLength, maxLength);
  }

  /** Makes a pattern count its steps, and refuse texts that are too long. */
  watchPattern(
    schema: Record<string, unknown>,
    { cost, maxLength }: AcceptedPattern,
  ): void {
    const { pattern } = schema;
    Object.defineProperty(schema, "pattern", {
      enumerable: true,
      get: () => {
        const length = this.#textLength();
        if (length > maxLength) this.#refuse(new TextTooLong(maxLength));
        this.#patternLeft -= stepsFor(cost, length);
        if (this.#patternLeft < 0) this.#refuse(new StepsSpent());
        return pattern;
      },
    });
  }

  /**
   * A copy of an input that tells which of its values is being judged: the one
   * that was read last, as a text has nothing inside to be read after it.
   */
  follow(value: unknown): unknown {
    this.#isFollowed = true;
    const copy = this.#followed(value);
    this.#current = copy;
    return copy;
  }

  /** Of the text that is judged, where that is known; else of the longest. */
  #textLength(): number {
    if (!this.#isFollowed) return this.#longestText;
    return typeof this.#current === "string" ? this.#current.length : 0;
  }

  #refuse(error: Error): never {
    throw this.#isFollowed ? error : new TextsUnknown();
  }

  #followed(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    const copy = Array.isArray(value) ? [] : {};
    for (const [key, item] of Object.entries(value)) {
      const followed = this.#followed(item);
      Object.defineProperty(copy, key, {
        enumerable: true,
        configurable: true,
        get: () => {
          this.#current = followed;
          return followed;
        },
      });
    }
    return copy;
  }
}

/**
 * What a visit takes beside the visits that it leads to: the validator goes over
 * all of these, whatever the value. The weights are measured.
 */
function stepsOf(schema: Record<string, unknown>): number {
  const { properties, patternProperties, required } = schema;
  const { dependentRequired, dependentSchemas, dependencies } = schema;
  const tried = sizeOf(properties) + sizeOf(patternProperties);
  const dependent = sizeOf(dependentRequired) + sizeOf(dependentSchemas) +
    sizeOf(dependencies);
  return 1 + tried + dependent / 2 + sizeOf(required) / 10 +
    weightOf(schema.enum) / 10;
}

function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

/** How many values there are in a value. */
function weightOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce(
    (sum: number, item) => sum + weightOf(item),
    1,
  );
}
