/**
 * Why a cell ended without a result, in words that a model can act on.
 *
 * @module
 */

import { byteLength } from "../text.ts";
import type { CellError, CellErrorKind, CellRequest } from "./cell.ts";
import { type Engine, GuestMemoryFull, pageBytes } from "./engine.ts";
import type { CellLimits } from "./limits.ts";
import type { GuestError } from "./protocol.ts";

/** Thrown inside the host to end a cell for a reason it already knows. */
export class CellStop extends Error {
  override readonly name = "CellStop";

  /** @param error What the model will read. */
  constructor(readonly error: CellError) {
    super(error.message);
  }
}

const names = {
  source: "SourceError",
  syntax: "SyntaxError",
  thrown: "Error",
  encoding: "EncodingError",
  calls: "LimitError",
  output: "OutputError",
  stack: "StackError",
  memory: "MemoryError",
  fuel: "FuelError",
  wait: "TimeoutError",
  deadlock: "DeadlockError",
  cancelled: "CancelledError",
  engine: "EngineError",
} as const satisfies Record<CellErrorKind, string>;

/** Room beyond the limit in which a program that is full can still say so. */
export const reserveBytes = 1024 * 1024;

/** An error for a limit, with what was used and allowed. */
export function limitError(
  kind: "source" | "output" | "fuel" | "memory" | "wait",
  used: number,
  allowed: number,
): CellError {
  return {
    kind,
    name: names[kind],
    message: words(kind, used, allowed),
    used,
    allowed,
  };
}

/** An error without numbers. */
export function plainError(
  kind: "stack" | "deadlock" | "cancelled" | "engine",
): CellError {
  return { kind, name: names[kind], message: plainWords[kind] };
}

const plainWords = {
  stack:
    "The program recursed too deeply and was stopped; use a loop, or recurse less deeply",
  deadlock:
    "The program waits for a promise that nothing can settle: no tool call and no timer is left",
  cancelled: "The program was cancelled",
  engine: "The sandbox failed; this is not the program's fault",
} as const;

function words(
  kind: "source" | "output" | "fuel" | "memory" | "wait",
  used: number,
  allowed: number,
): string {
  switch (kind) {
    case "source":
      return `The program is ${used} bytes long, ${allowed} are allowed; nothing ran`;
    case "output":
      return `The returned value is ${used} bytes long, ${allowed} are allowed; return less of it`;
    case "fuel":
      return `The program used all its ${allowed} units of CPU and was stopped; do less work in one program`;
    case "memory":
      return `The program needed more than the ${allowed} bytes of memory it may use; keep less data at a time`;
    case "wait":
      return `The program ran and waited for ${allowed} ms and was stopped; calls that still ran were cancelled`;
    default:
      return kind satisfies never;
  }
}

/** What an exception that came out of the engine means. */
export function errorOfTrap(
  trap: unknown,
  engine: Engine,
  limits: CellLimits,
): CellError {
  if (trap instanceof CellStop) return trap.error;
  if (engine.fuel < 0) return limitError("fuel", limits.fuel, limits.fuel);
  if (trap instanceof GuestMemoryFull) return memoryError(engine, limits);
  if (isStackTrap(trap, engine)) return plainError("stack");
  if (isNearlyFull(engine, limits)) return memoryError(engine, limits);
  return plainError("engine");
}

/** What an error that the guest reported means. */
export function errorOfGuest(
  error: GuestError,
  origin: { readonly compiled: boolean; readonly callsRefused: boolean },
  engine: Engine,
  limits: CellLimits,
): CellError {
  const { name, message } = error;
  const line = error.line === undefined ? {} : { line: error.line };
  if (isMemoryError(error, engine, limits)) {
    return { ...memoryError(engine, limits), ...line };
  }
  if (name === "RangeError" && message.startsWith(stackMessage)) {
    return { ...plainError("stack"), ...line };
  }
  if (name === names.calls && origin.callsRefused) {
    const allowed = limits.calls;
    return { kind: "calls", name, message, ...line, used: allowed, allowed };
  }
  if (!origin.compiled && name === names.syntax) {
    return { kind: "syntax", name, message, ...line };
  }
  return { kind: error.kind, name, message, ...line };
}

/** With no room even for an error, the engine throws `null`; its memory shows it was full. */
function isMemoryError(
  { name, message }: GuestError,
  engine: Engine,
  limits: CellLimits,
): boolean {
  if (name === "InternalError") return message === "out of memory";
  return name === "ThrownValue" && message === "null" &&
    engine.pages * pageBytes > limits.memoryBytes;
}

const stackMessage = "Maximum call stack size exceeded";

function memoryError(engine: Engine, limits: CellLimits): CellError {
  // What the program let go of while it failed no longer counts.
  const used = Math.max(allocated(engine), limits.memoryBytes);
  return limitError("memory", used, limits.memoryBytes);
}

function isStackTrap(trap: unknown, engine: Engine): boolean {
  if (trap instanceof RangeError || nameOf(trap) === "InternalError") {
    return true;
  }
  // The stack lies at the bottom of the memory: below zero is outside.
  return trap instanceof WebAssembly.RuntimeError && engine.stackPointer < 4096;
}

function nameOf(value: unknown): string {
  return value instanceof Error ? value.name : "";
}

function isNearlyFull(engine: Engine, limits: CellLimits): boolean {
  return allocated(engine) + reserveBytes > limits.memoryBytes ||
    engine.pages + reserveBytes / pageBytes > engine.pageLimit;
}

function allocated(engine: Engine): number {
  return engine.functions.qjs_get_allocated_size() >>> 0;
}

/** The result of a program that never ran: it is too long, or was cancelled before. */
export function refusal(request: CellRequest): CellError | undefined {
  if (request.signal.aborted) return plainError("cancelled");
  const { sourceBytes } = request.limits;
  const used = byteLength(request.body);
  return used > sourceBytes
    ? limitError("source", used, sourceBytes)
    : undefined;
}
