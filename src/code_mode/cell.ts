/**
 * One cell as the host sees it: what it asks the sandbox to run, and what
 * comes back.
 *
 * @module
 */

import type { CellLimits } from "./limits.ts";

/** A tool as a program sees it. */
export type CellTool = {
  /** The name on the wire, and in {@link CellCall.name}. */
  readonly name: string;
  /** The name in code, `tools.<identifier>`; the wire name works too. */
  readonly identifier: string;
  readonly description: string;
  /** What `describe(name)` gives: TypeScript. */
  readonly declaration: string;
};

/** A call that a program made. */
export type CellCall = {
  /** Counts from 1 within the cell, in the order of the calls. */
  readonly id: number;
  /** The tool's wire name, or whatever the program wrote if there is no such tool. */
  readonly name: string;
  /** Parsed from JSON: plain data, well-formed texts, at most 200 levels. */
  readonly input: unknown;
};

/** How a call ended. */
export type CellCallOutcome =
  | {
    readonly ok: true;
    /** The value as JSON text. */
    readonly json: string;
  }
  | {
    readonly ok: false;
    readonly error: {
      readonly name: string;
      readonly code: string;
      readonly message: string;
      readonly retryable: boolean;
    };
  };

/** Something to run. */
export type CellRequest = {
  /** The body of an async function; its line 1 is the model's line 1. */
  readonly body: string;
  /** The same array for the same set of tools makes the next cell start faster. */
  readonly tools: readonly CellTool[];
  readonly limits: CellLimits;
  /** What `Date` shows at the start, in milliseconds since the epoch. */
  readonly startTime: number;
  /** What `Math.random` starts from. */
  readonly seed: number | string;
  /** What `load(key)` sees: JSON text by key. */
  readonly stored: Readonly<Record<string, string>>;
  /** What the guest's `budget()` shows besides the fuel; an object that JSON can carry. */
  budget(): unknown;
  /** Runs a call, unknown tools and invalid inputs included; must not reject. */
  call(call: CellCall, signal: AbortSignal): Promise<CellCallOutcome>;
  /** Cancels the cell. */
  readonly signal: AbortSignal;
  /** Calls `fire` after some milliseconds, unless the function it returns is called before. */
  timer(ms: number, fire: () => void): () => void;
};

/**
 * Why a cell failed.
 *
 * - `source`: the program is too long; nothing ran.
 * - `syntax`: it does not parse; nothing ran.
 * - `thrown`: it threw.
 * - `encoding`: it returned what JSON cannot carry.
 * - `calls`: it wanted more calls than allowed, and did not catch the refusal.
 * - `output`: it returned more than allowed.
 * - `stack`: it recursed too deeply.
 * - `memory`, `fuel`, `wait`: it used up its memory, its CPU, its wall time.
 * - `deadlock`: it waits for something that nothing can settle.
 * - `cancelled`: the host cancelled it.
 * - `engine`: a fault of ours.
 */
export type CellErrorKind =
  | "source"
  | "syntax"
  | "thrown"
  | "encoding"
  | "calls"
  | "output"
  | "stack"
  | "memory"
  | "fuel"
  | "wait"
  | "deadlock"
  | "cancelled"
  | "engine";

/** The error of a cell, for the model to read. */
export type CellError = {
  readonly kind: CellErrorKind;
  readonly name: string;
  readonly message: string;
  /** A line of the program, counted from 1. */
  readonly line?: number;
  /** How much was used of what ran out. */
  readonly used?: number;
  /** How much was allowed. */
  readonly allowed?: number;
};

/** A call that the guest refused by itself, so that the host never saw it. */
export type RefusedCall = {
  readonly name: string;
  /** `encoding` or `calls`. */
  readonly code: string;
  readonly message: string;
};

/** What became of a cell. */
export type CellResult = {
  /** `stopped` means that the program could not go on, whatever it caught. */
  readonly outcome: "returned" | "threw" | "stopped";
  /** The returned value as JSON text; absent for `undefined`. */
  readonly value?: string;
  readonly error?: CellError;
  /** What `text()` wrote, a line a call. */
  readonly text: string;
  readonly textTruncated: boolean;
  /** The console, a line a call. */
  readonly console: string;
  readonly consoleTruncated: boolean;
  /** What `store()` changed: JSON text, or `null` for a dropped key. The host applies it, or not. */
  readonly stored: Readonly<Record<string, string | null>>;
  readonly fuelUsed: number;
  /** Calls that were still running; their signal is aborted. */
  readonly unfinishedCalls: readonly number[];
  /** Calls the program made just before its end; they never reached {@link CellRequest.call}. */
  readonly unstartedCalls: readonly CellCall[];
  /** Calls refused in the guest, at most as many as calls are allowed. */
  readonly refusedCalls: readonly RefusedCall[];
  /** A line about each of the first rejections that nobody caught, of a program that returned. */
  readonly uncaughtRejections: readonly string[];
};
