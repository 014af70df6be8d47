/**
 * Gives a module a memory that looks smaller than it is.
 *
 * A WebAssembly memory never shrinks, so a module that grew it once would
 * behave differently ever after: its heap goes on from the end. Here the size
 * that the module sees is a global instead, which can be set back, and growing
 * asks another global first, which is the host's limit.
 *
 * @module
 */

import { chargeCounted, type Tariff } from "./charge.ts";
import { i32, noResult, op } from "./instruction.ts";
import { signed, unsigned } from "./writer.ts";

/** The name of the exported global that holds how many pages the module sees. */
export const pagesName = "pages";
/** The name of the exported global that holds how many it may come to see. */
export const pageLimitName = "page_limit";

/** The indices of the globals that paging needs. */
export type PagingGlobals = {
  readonly fuel: number;
  readonly pages: number;
  readonly pageLimit: number;
};

const opcode = {
  if: 0x04,
  end: 0x0b,
  return: 0x0f,
  localGet: 0x20,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i32Equal: 0x46,
  i32GreaterUnsigned: 0x4b,
  i32Add: 0x6a,
  i32Subtract: 0x6b,
  i32Multiply: 0x6c,
} as const;

const pageBytes = 65_536;
const failed = -1;

/** The code that stands for `memory.size`. */
export function seenPages({ pages }: PagingGlobals): number[] {
  return [opcode.globalGet, ...unsigned(pages)];
}

/**
 * The body of the function that stands for `memory.grow`. It takes units for
 * the new pages as for filling them, since somebody has to clear them.
 */
export function growPages(globals: PagingGlobals, tariff: Tariff): number[] {
  const { fuel } = globals;
  const pages = unsigned(globals.pages);
  const limit = unsigned(globals.pageLimit);
  const delta = 0;
  const wanted = 1;
  const giveUp = [
    ...[opcode.if, noResult, opcode.i32Const, ...signed(failed)],
    ...[opcode.return, opcode.end],
  ];
  const unitsOfPage = Math.max(1, pageBytes / 2 ** tariff.sizeShift);
  return [
    ...[1, 1, i32],
    // No more than the limit allows, and nothing if that is exceeded already.
    ...[opcode.globalGet, ...pages, opcode.globalGet, ...limit],
    ...[opcode.i32GreaterUnsigned, ...giveUp],
    ...[opcode.localGet, delta, opcode.globalGet, ...limit],
    ...[opcode.globalGet, ...pages, opcode.i32Subtract],
    ...[opcode.i32GreaterUnsigned, ...giveUp],
    ...chargeCounted(fuel, [
      ...[opcode.localGet, delta],
      ...[opcode.i32Const, ...signed(unitsOfPage), opcode.i32Multiply],
    ]),
    ...[opcode.globalGet, ...pages, opcode.localGet, delta],
    ...[opcode.i32Add, opcode.localSet, wanted],
    // The memory may be that large already, from an earlier run.
    ...[opcode.localGet, wanted, op.memorySize, 0],
    ...[opcode.i32GreaterUnsigned, opcode.if, noResult],
    ...[opcode.localGet, wanted, op.memorySize, 0, opcode.i32Subtract],
    ...[op.memoryGrow, 0, opcode.i32Const, ...signed(failed)],
    ...[opcode.i32Equal, ...giveUp, opcode.end],
    ...[opcode.localGet, wanted, opcode.globalSet, ...pages],
    ...[opcode.localGet, wanted, opcode.localGet, delta, opcode.i32Subtract],
    opcode.end,
  ];
}
