/**
 * Whether a pattern can be judged in bounded time, and on texts of which length.
 * JavaScript's engines backtrack: `^(a+)+$` takes minutes on 40 characters that a
 * model sends.
 *
 * @module
 */

import { buildAutomata } from "./pattern_automaton.ts";
import { type Growth, growthOf } from "./pattern_cost.ts";
import { parsePattern, UnknownSyntax } from "./pattern_syntax.ts";

/** The verdict on a pattern. */
export type PatternVerdict =
  | {
    readonly tag: "accepted";
    /** The longest text to judge; `Infinity` for a pattern of linear cost. */
    readonly maxLength: number;
  }
  | { readonly tag: "refused"; readonly reason: string };

// About 10^8 steps of an engine, a tenth of a second or two, at each power.
const lengths: readonly number[] = [Infinity, Infinity, 10_000, 400, 100];

/** Judges a pattern, as the `u` flag of JavaScript reads it. */
export function judgePattern(pattern: string): PatternVerdict {
  try {
    new RegExp(pattern, "u");
  } catch {
    return refused(
      "is no regular expression that JavaScript takes with the u flag; check its escapes",
    );
  }
  const growth = costOf(pattern);
  const maxLength = growth === "exponential" ? undefined : lengths[growth];
  return maxLength === undefined
    ? refused(
      "could take exponential time on a text that nearly matches; write it so that each text has one way to match, without repetitions inside repetitions that overlap",
    )
    : { tag: "accepted", maxLength };
}

function costOf(pattern: string): Growth {
  try {
    const expression = parsePattern(pattern);
    const growths = buildAutomata(expression).map(growthOf);
    if (growths.includes("exponential")) return "exponential";
    const power = Math.max(...growths.map(Number));
    const anchored = pattern.startsWith("^") && expression.type !== "choice";
    const repeats = power > 1 || /[*+{]/.test(pattern);
    // Without an anchor every place of the text is tried as the start.
    return anchored || !repeats ? power : power + 1;
  } catch (error) {
    if (error instanceof UnknownSyntax) return "exponential";
    throw error;
  }
}

function refused(reason: string): PatternVerdict {
  return { tag: "refused", reason };
}
