/**
 * Requests for cells in tests: a few tools, and a clock that stands still. Runs
 * on every platform.
 *
 * @module
 */

import type {
  CellCall,
  CellCallOutcome,
  CellRequest,
  CellTool,
} from "../../src/code_mode/cell.ts";
import { defaultCellLimits } from "../support/cell_limits.ts";
import { ManualClock } from "../support/ambient.ts";

/** `echo` gives its input back, `fail` fails, `hang` never settles, `find-items` echoes. */
export const tools: readonly CellTool[] = [
  tool("echo", "echo", "Gives its input back"),
  tool("fail", "fail", "Fails"),
  tool("hang", "hang", "Never settles"),
  tool("find-items", "find_items", "Finds items in the shop"),
];

/** A tool without much to it. */
export function tool(
  name: string,
  identifier: string,
  description: string,
): CellTool {
  const declaration = `${identifier}(input: unknown): Promise<unknown>;`;
  return { name, identifier, description, declaration };
}

/** Answers the calls to {@link tools}. */
export function answer({ name, input }: CellCall): Promise<CellCallOutcome> {
  switch (name) {
    case "echo":
    case "find-items":
      return Promise.resolve({ ok: true, json: JSON.stringify(input) });
    case "fail":
      return Promise.resolve(failure("ToolError", "broken", "It broke", true));
    case "hang":
      return new Promise(() => {});
    default:
      return Promise.resolve(
        failure("UnknownTool", "unknown_tool", `No ${name}`, false),
      );
  }
}

function failure(
  name: string,
  code: string,
  message: string,
  retryable: boolean,
): CellCallOutcome {
  return { ok: false, error: { name, code, message, retryable } };
}

/** A request that differs from the usual one only where a test says so. */
export function cell(
  body: string,
  changes: Partial<CellRequest> = {},
): CellRequest {
  const clock = new ManualClock();
  return {
    body,
    tools,
    limits: defaultCellLimits,
    startTime: 1_700_000_000_000,
    seed: "seed",
    stored: {},
    budget: () => ({ calls: 3 }),
    call: answer,
    signal: new AbortController().signal,
    timer: (ms, fire) => clock.timer(ms, fire),
    ...changes,
  };
}
