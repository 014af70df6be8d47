/**
 * The code that pays for work: it takes units of fuel, and traps when there
 * are none left.
 *
 * @module
 */

import { i32, noResult } from "./instruction.ts";
import type { Loop } from "./scan.ts";
import { signed, unsigned } from "./writer.ts";

/** What work costs, in units of fuel. */
export type Tariff = {
  /** One round of a loop: a whole number from 1 on. */
  readonly loop: (loop: Loop) => number;
  /** Entering a function that a cycle of calls goes through: as above. */
  readonly entry: number;
  /** Copying or filling takes one unit, and one more for every `2 ** sizeShift` bytes; from 1 to 31. */
  readonly sizeShift: number;
};

const opcode = {
  unreachable: 0x00,
  if: 0x04,
  end: 0x0b,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32LessSigned: 0x48,
  i32Add: 0x6a,
  i32Subtract: 0x6b,
  i32ShiftRightUnsigned: 0x76,
} as const;

/**
 * Code that takes a fixed number of units.
 *
 * @throws {RangeError} If that would take nothing, or more than fuel can be.
 */
export function charge(fuel: number, units: number): number[] {
  if (!Number.isInteger(units) || units < 1 || units >= 2 ** 31) {
    throw new RangeError(`Units must be a whole number from 1 on: ${units}`);
  }
  return take(fuel, [opcode.i32Const, ...signed(units)]);
}

/**
 * The body of a function that takes units for a size, and gives the size back.
 *
 * @throws {RangeError} If the largest size would come to more units than fuel
 *   can be, which would give fuel instead of taking it.
 */
export function chargeBySize(fuel: number, { sizeShift }: Tariff): number[] {
  if (!Number.isInteger(sizeShift) || sizeShift < 1 || sizeShift > 31) {
    throw new RangeError(`Size shift must be from 1 to 31: ${sizeShift}`);
  }
  const units = [
    ...[opcode.localGet, 0],
    ...[opcode.i32Const, ...signed(sizeShift), opcode.i32ShiftRightUnsigned],
    ...[opcode.i32Const, 1, opcode.i32Add],
  ];
  const noLocals = 0;
  return [noLocals, ...take(fuel, units), opcode.localGet, 0, opcode.end];
}

/** Code that takes as many units as other code leaves on the stack; below 2 ** 31. */
export function chargeCounted(
  fuel: number,
  units: readonly number[],
): number[] {
  return take(fuel, units);
}

/** The type of every added function, as the type section writes it. */
export const addedFunctionType: readonly number[] = [0x60, 1, i32, 1, i32];
/** The same as {@link Declarations.types} has it. */
export const addedFunctionText = `${i32}>${i32}`;

function take(fuel: number, units: readonly number[]): number[] {
  const global = unsigned(fuel);
  return [
    ...[opcode.globalGet, ...global, ...units, opcode.i32Subtract],
    ...[opcode.globalSet, ...global, opcode.globalGet, ...global],
    ...[opcode.i32Const, 0, opcode.i32LessSigned],
    ...[opcode.if, noResult, opcode.unreachable, opcode.end],
  ];
}
