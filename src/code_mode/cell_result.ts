/**
 * Puts together what became of a cell.
 *
 * Before it on the path: `sandbox.ts`. After it: `exec_result.ts`.
 *
 * @module
 */

import { byteLength } from "../text.ts";
import type { Calls } from "./calls.ts";
import type { CellError, CellRequest, CellResult } from "./cell.ts";
import type { Engine } from "./engine.ts";
import type { Journal } from "./journal.ts";
import { errorOfGuest, limitError, plainError } from "./stops.ts";

/** Everything that is known of a cell at its end. */
export type CellEnd = {
  readonly request: CellRequest;
  readonly journal: Journal;
  readonly calls: Calls;
  readonly engine: Engine;
  /** Whether the program parsed. */
  readonly compiled: boolean;
  /** Why the host stopped it, if it did. */
  readonly stop: CellError | undefined;
  readonly fuelUsed: number;
  /** Rejections that nobody caught, a line each. */
  readonly uncaught: readonly string[];
};

type Outcome = Pick<CellResult, "outcome" | "value" | "error">;

/** Makes the result of a cell that has ended. */
export function makeResult(end: CellEnd): CellResult {
  const { journal, calls } = end;
  return {
    ...outcomeOf(end),
    text: journal.text.toString(),
    textTruncated: journal.text.truncated,
    console: journal.console.toString(),
    consoleTruncated: journal.console.truncated,
    stored: journal.stored,
    fuelUsed: end.fuelUsed,
    unfinishedCalls: calls.running,
    unstartedCalls: calls.made,
    refusedCalls: journal.refused,
    uncaughtRejections: end.uncaught,
  };
}

/** The result of a cell that could not run at all. */
export function emptyResult(error: CellError): CellResult {
  return {
    outcome: "stopped",
    error,
    text: "",
    textTruncated: false,
    console: "",
    consoleTruncated: false,
    stored: {},
    fuelUsed: 0,
    unfinishedCalls: [],
    unstartedCalls: [],
    refusedCalls: [],
    uncaughtRejections: [],
  };
}

function outcomeOf(end: CellEnd): Outcome {
  const { stop, journal, engine, compiled, request: { limits } } = end;
  if (stop !== undefined) return { outcome: "stopped", error: stop };
  if (journal.end === undefined) {
    return { outcome: "stopped", error: plainError("engine") };
  }
  if (journal.end.kind === "returned") {
    return returned(journal.end.json, limits.outputBytes);
  }
  const callsRefused = journal.refused.some(({ code }) => code === "calls");
  const origin = { compiled, callsRefused };
  const error = errorOfGuest(journal.end.error, origin, engine, limits);
  return { outcome: "threw", error };
}

function returned(json: string | undefined, allowed: number): Outcome {
  if (json === undefined) return { outcome: "returned" };
  const used = byteLength(json);
  if (used <= allowed) return { outcome: "returned", value: json };
  return { outcome: "threw", error: limitError("output", used, allowed) };
}
