/**
 * Whether a pattern can be judged in bounded time, and on texts of which length.
 * JavaScript's engines backtrack: `^(a+)+$` takes minutes on 40 characters that a
 * model sends.
 *
 * @module
 */

import { buildAutomaton } from "./pattern_automaton.ts";
import { type Cost, costOf, stepsFor } from "./pattern_cost.ts";
import {
  type Expression,
  parsePattern,
  UnknownSyntax,
} from "./pattern_syntax.ts";

/** A pattern that can be judged. */
export type AcceptedPattern = {
  /** The longest text to judge; `Infinity` for a pattern of linear cost. */
  readonly maxLength: number;
  /** What judging a text costs. */
  readonly cost: Cost;
};

/** The verdict on a pattern. */
export type PatternVerdict =
  | { readonly tag: "accepted" } & AcceptedPattern
  | { readonly tag: "refused"; readonly reason: string };

/** The lengths that are told apart, beside any length. */
const lengths: readonly number[] = [10_000, 400, 100];

// About half a nanosecond each, once an engine has compiled the pattern.
const maxSteps = 400_000_000;

/** The steps of a character at which texts of any length are judged. */
const maxStepsPerCharacter = 500;

/** Judges a pattern, as the `u` flag of JavaScript reads it. */
export function judgePattern(pattern: string): PatternVerdict {
  try {
    new RegExp(pattern, "u");
  } catch {
    return refused(
      "is no regular expression that JavaScript takes with the u flag; check its escapes",
    );
  }
  try {
    const accepted = cheapest(parsePattern(pattern));
    return accepted === undefined
      ? refused(
        "could take exponential time on a text that nearly matches; write it so that each text has one way to match, without repetitions inside repetitions that overlap",
      )
      : { tag: "accepted", ...accepted };
  } catch (error) {
    if (!(error instanceof UnknownSyntax)) throw error;
    return refused(
      `holds ${error.message}, so the time that it takes has no known bound; write it without`,
    );
  }
}

/**
 * The least cost that is proven. First with every repetition as if it had no bound: that is
 * quick, and enough for most. Then with the short ones written out.
 */
function cheapest(expression: Expression): AcceptedPattern | undefined {
  let best: AcceptedPattern | undefined;
  for (const writtenOut of [1, 6]) {
    const cost = costOf(buildAutomaton(expression, { writtenOut }));
    const maxLength = cost && longestWithin(cost);
    if (cost === undefined || maxLength === undefined) continue;
    if (maxLength > (best?.maxLength ?? 0)) best = { maxLength, cost };
    if (maxLength === Infinity) break;
  }
  return best;
}

function longestWithin(cost: Cost): number | undefined {
  const [perCharacter = 0] = cost;
  if (cost.length === 1 && perCharacter <= maxStepsPerCharacter) {
    return Infinity;
  }
  return lengths.find((length) => stepsFor(cost, length) <= maxSteps);
}

function refused(reason: string): PatternVerdict {
  return { tag: "refused", reason };
}
