/**
 * Cells for tests: the engine, and what runs a request on it.
 *
 * @module
 */

import type { CellRequest, CellResult } from "../../src/code_mode/cell.ts";
import { createPool } from "../../src/code_mode/pool.ts";
import { engineModule } from "../support/engine.ts";
import { cell } from "./cell_request.ts";

export { answer, cell, tool, tools } from "./cell_request.ts";

/** A pool that the tests share. */
export const pool = createPool(engineModule);

/** Runs a program, and gives what became of it. */
export function run(
  body: string,
  changes: Partial<CellRequest> = {},
): Promise<CellResult> {
  return pool.run(cell(body, changes));
}

/** Runs a program that must return, and gives its value. */
export async function valueOf(
  body: string,
  changes: Partial<CellRequest> = {},
): Promise<unknown> {
  const { outcome, value, error } = await run(body, changes);
  if (outcome !== "returned") {
    throw new Error(`The cell ${outcome}: ${JSON.stringify(error)}`);
  }
  return value === undefined ? undefined : JSON.parse(value);
}

/** Lets everything that waits for a promise go on, many times over. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}
