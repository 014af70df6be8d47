/**
 * The instructions that the meter knows, and how long each is.
 *
 * Only what is listed passes. In particular nothing passes that could repeat
 * work without a `loop` or a call (tail calls, exceptions), or that changes
 * state which a copy of the memory does not hold (tables, dropped segments).
 *
 * @module
 */

import { hex, MeterError } from "./meter_error.ts";
import type { Reader } from "./reader.ts";

/** The instructions that something depends on; a prefixed one is its prefix, then its number in 16 bits. */
export const op = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  refFunction: 0xd2,
  callIndirect: 0x11,
  memorySize: 0x3f,
  memoryGrow: 0x40,
  i32DivideSigned: 0x6d,
  i32RemainderUnsigned: 0x70,
  i64DivideSigned: 0x7f,
  i64RemainderUnsigned: 0x82,
  memoryInit: 0xfc0008,
  memoryCopy: 0xfc000a,
  memoryFill: 0xfc000b,
} as const;

/** One instruction. */
export type Instruction = {
  readonly code: number;
  /** The first immediate where it is an index; else 0. */
  readonly index: number;
};

/** What follows an opcode. Gives the first index, if there is one. */
type Immediates = (reader: Reader) => number;

const none: Immediates = () => 0;
const index: Immediates = (reader) => reader.u32();

const twoIndices: Immediates = (reader) => {
  const first = reader.u32();
  reader.u32();
  return first;
};

const memory: Immediates = (reader) => {
  reader.expect(0, "memory");
  return 0;
};

const indexAndMemory: Immediates = (reader) => {
  const first = reader.u32();
  reader.expect(0, "memory");
  return first;
};

const twoMemories: Immediates = (reader) => memory(reader) + memory(reader);

const address: Immediates = (reader) => {
  const start = reader.at;
  // A larger number is a flag: another memory's index follows.
  const alignment = reader.u32();
  if (alignment > 4) {
    throw new MeterError(`Unknown alignment ${alignment}`, start);
  }
  reader.u32();
  return 0;
};

const bytes = (count: number): Immediates => (reader) => {
  reader.skip(count);
  return 0;
};

const signedBytes = (maximum: number): Immediates => (reader) => {
  reader.skipSigned(maximum);
  return 0;
};

const blockType: Immediates = (reader) => {
  const start = reader.at;
  const first = reader.byte();
  if (first === noResult || valueTypes.includes(first)) return 0;
  // It is a type's index, then. A negative one would be the head of a longer
  // type, whose other bytes would pass for instructions.
  reader.at = start;
  if (reader.skipSigned(5)) {
    throw new MeterError(`Unknown type ${hex(first)}`, start);
  }
  return 0;
};

const heapType: Immediates = (reader) => {
  const type = reader.byte();
  if (!references.includes(type)) {
    throw new MeterError(`Unknown type ${hex(type)}`, reader.at - 1);
  }
  return 0;
};

const indices: Immediates = (reader) => {
  for (let count = reader.u32(); count >= 0; count--) reader.u32();
  return 0;
};

const types: Immediates = (reader) => {
  for (let count = reader.u32(); count > 0; count--) readValueType(reader);
  return 0;
};

/** From and to which opcode, and what follows those. */
const known: readonly (readonly [number, number, Immediates])[] = [
  [0x00, 0x01, none], // unreachable, nop
  [0x02, 0x04, blockType], // block, loop, if
  [0x05, 0x05, none], // else
  [0x0b, 0x0b, none], // end
  [0x0c, 0x0d, index], // br, br_if
  [0x0e, 0x0e, indices], // br_table
  [0x0f, 0x0f, none], // return
  [0x10, 0x10, index], // call
  [0x11, 0x11, twoIndices], // call_indirect
  [0x1a, 0x1b, none], // drop, select
  [0x1c, 0x1c, types], // select with a type
  [0x20, 0x25, index], // local.*, global.*, table.get
  [0x28, 0x3e, address], // loads and stores
  [0x3f, 0x40, memory], // memory.size, memory.grow
  [0x41, 0x41, signedBytes(5)], // i32.const
  [0x42, 0x42, signedBytes(10)], // i64.const
  [0x43, 0x43, bytes(4)], // f32.const
  [0x44, 0x44, bytes(8)], // f64.const
  [0x45, 0xc4, none], // comparisons, arithmetic, conversions, sign extensions
  [0xd0, 0xd0, heapType], // ref.null
  [0xd1, 0xd1, none], // ref.is_null
  [0xd2, 0xd2, index], // ref.func
  [0xfc0000, 0xfc0007, none], // saturating truncations
  [0xfc0008, 0xfc0008, indexAndMemory], // memory.init
  [0xfc000a, 0xfc000a, twoMemories], // memory.copy
  [0xfc000b, 0xfc000b, memory], // memory.fill
  [0xfc0010, 0xfc0010, index], // table.size
];

const plain: (Immediates | undefined)[] = [];
const prefixed: (Immediates | undefined)[] = [];
for (const [from, to, immediates] of known) {
  for (let code = from; code <= to; code++) {
    if (code > 0xff) prefixed[code & 0xffff] = immediates;
    else plain[code] = immediates;
  }
}

/** Reads one instruction; refuses one that is not known. */
export function readInstruction(reader: Reader): Instruction {
  const start = reader.at;
  const first = reader.byte();
  if (first !== 0xfc) {
    const immediates = plain[first];
    if (immediates === undefined) {
      throw new MeterError(`Unknown instruction ${hex(first)}`, start);
    }
    return { code: first, index: immediates(reader) };
  }
  const second = reader.u32();
  const immediates = prefixed[second];
  if (immediates === undefined) {
    const code = `${hex(first)} ${hex(second)}`;
    throw new MeterError(`Unknown instruction ${code}`, start);
  }
  return { code: first << 16 | second, index: immediates(reader) };
}

/** The type of 32-bit integers. */
export const i32 = 0x7f;
/** What stands for the type of a block without parameters and results. */
export const noResult = 0x40;

/** `funcref`, `externref`. */
const references: readonly number[] = [0x70, 0x6f];
/** Those, and `i32`, `i64`, `f32`, `f64`. */
const valueTypes: readonly number[] = [i32, 0x7e, 0x7d, 0x7c, ...references];

/** Reads the type of a value; refuses one that is not known. */
export function readValueType(reader: Reader): number {
  const type = reader.byte();
  if (!valueTypes.includes(type)) {
    throw new MeterError(`Unknown type ${hex(type)}`, reader.at - 1);
  }
  return type;
}

/** Passes over an expression that ends where its own `end` stands. */
export function skipExpression(reader: Reader): void {
  for (;;) {
    const { code } = readInstruction(reader);
    if (code === op.end) return;
    if (code <= op.if && code >= op.block) {
      throw new MeterError("An initial value with blocks", reader.at);
    }
  }
}
