/**
 * Finds the places in a module's code where work is paid for.
 *
 * @module
 */

import { op, readInstruction, readValueType } from "./instruction.ts";
import { MeterError } from "./meter_error.ts";
import { Reader } from "./reader.ts";
import { type Section, section } from "./sections.ts";

/** One function's code. */
export type Body = {
  /** Offsets into the module: the local variables, the instructions, the end. */
  readonly start: number;
  readonly code: number;
  readonly end: number;
  readonly loops: readonly Loop[];
  /** Where the instructions stand that do as much as the number on the stack says. */
  readonly sized: readonly number[];
  /** Where the memory's size is asked for. */
  readonly sizes: readonly number[];
  /** Where the memory grows. */
  readonly grows: readonly number[];
  /** The calls outside of every loop. */
  readonly calls: readonly Call[];
  /** The calls in loops, and the functions that are only named. */
  readonly otherCalls: readonly Call[];
};

/** One call. */
export type Call = {
  /** Whether it goes through a table. */
  readonly isIndirect: boolean;
  /** The function's index; through a table, its type's. */
  readonly index: number;
};

/** One loop. */
export type Loop = {
  /** Where its first instruction stands. */
  readonly start: number;
  /** How many instructions it holds, those of inner loops not counted. */
  instructions: number;
  /** Whether one of them takes much longer than the others: a call, a division. */
  isHeavy: boolean;
};

/** Reads the code of all functions. */
export function scanCode(
  bytes: Uint8Array,
  sections: readonly Section[],
): Body[] {
  const found = sections.find(({ id }) => id === section.code);
  if (found === undefined) return [];
  const reader = new Reader(bytes, found.start, found.end);
  const bodies: Body[] = [];
  for (let count = reader.u32(); count > 0; count--) {
    bodies.push(scanBody(reader.sized()));
  }
  reader.finish("The code");
  return bodies;
}

function scanBody(reader: Reader): Body {
  const start = reader.at;
  for (let count = reader.u32(); count > 0; count--) {
    reader.u32();
    readValueType(reader);
  }
  const code = reader.at;
  const loops: Loop[] = [];
  const sized: number[] = [];
  const sizes: number[] = [];
  const grows: number[] = [];
  const calls: Call[] = [];
  const otherCalls: Call[] = [];
  // The innermost loop around every block that is open.
  const open: (Loop | undefined)[] = [undefined];
  while (open.length > 0) {
    const at = reader.at;
    const instruction = readInstruction(reader);
    const inner = open.at(-1);
    if (inner !== undefined) {
      inner.instructions++;
      inner.isHeavy ||= isHeavy(instruction.code);
    }
    switch (instruction.code) {
      case op.block:
      case op.if:
        open.push(inner);
        break;
      case op.loop: {
        const loop = { start: reader.at, instructions: 0, isHeavy: false };
        loops.push(loop);
        open.push(loop);
        break;
      }
      case op.end:
        open.pop();
        break;
      case op.call:
      case op.callIndirect: {
        const isIndirect = instruction.code === op.callIndirect;
        const list = inner === undefined ? calls : otherCalls;
        list.push({ isIndirect, index: instruction.index });
        break;
      }
      case op.refFunction:
        otherCalls.push({ isIndirect: false, index: instruction.index });
        break;
      case op.memoryInit:
      case op.memoryCopy:
      case op.memoryFill:
        sized.push(at);
        break;
      case op.memorySize:
        sizes.push(at);
        break;
      case op.memoryGrow:
        grows.push(at);
        break;
    }
  }
  if (!reader.isDone) {
    throw new MeterError("Code after a function's end", reader.at);
  }
  const { at: end } = reader;
  return { start, code, end, loops, sized, sizes, grows, calls, otherCalls };
}

function isHeavy(code: number): boolean {
  return code === op.call || code === op.callIndirect ||
    (code >= op.i32DivideSigned && code <= op.i32RemainderUnsigned) ||
    (code >= op.i64DivideSigned && code <= op.i64RemainderUnsigned);
}
