/**
 * The limits of a cell where a configuration names none.
 *
 * @module
 */

import { defaultBudget } from "../../src/budget_presets.ts";
import { type CellLimits, cellLimits } from "../../src/code_mode/limits.ts";

/** The limits of a cell where a configuration names none. */
export const defaultCellLimits: CellLimits = Object.freeze(
  cellLimits(defaultBudget),
);
