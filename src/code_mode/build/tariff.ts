/**
 * What the engine's work costs.
 *
 * A unit is about a nanosecond: measured over 65 unlike programs, the
 * geometric mean is 0.9 ns a unit, and nine of ten lie between 0.33 and 1.9.
 * `deno task bench` measures it anew.
 *
 * @module
 */

import type { Tariff } from "./charge.ts";

/** The tariff of the engine that this package ships. */
export const tariff: Tariff = {
  // A tight loop over bytes takes about a nanosecond a round; a round of the
  // interpreter, or any other that calls, takes about four.
  loop: ({ instructions, isHeavy }) =>
    isHeavy ? 4 : Math.min(4, Math.ceil(instructions / 16)),
  entry: 4,
  // Memory is copied and filled at about 16 bytes a nanosecond.
  sizeShift: 4,
};
