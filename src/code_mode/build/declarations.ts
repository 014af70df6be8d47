/**
 * Reads what a module declares outside its code, and refuses what a sandbox
 * that is reset by copying its memory back cannot allow.
 *
 * The reset restores one memory and one stack pointer. So nothing else may
 * change while the module runs: no second memory, no other mutable global, no
 * table that the code writes, no segment that it drops.
 *
 * @module
 */

import { i32, readValueType, skipExpression } from "./instruction.ts";
import { hex, MeterError } from "./meter_error.ts";
import { Reader } from "./reader.ts";
import { type Section, section } from "./sections.ts";

/** What a module declares. */
export type Declarations = {
  /** The types of functions, each as a text that equal types share. */
  readonly types: readonly string[];
  /** The imported functions, in their order. */
  readonly imports: readonly Import[];
  /** The functions' types, imported ones left out. */
  readonly functionTypes: readonly string[];
  readonly memory: Limits;
  readonly globals: number;
  /** The index of the one mutable global, if there is one. */
  readonly mutableGlobal: number | undefined;
  readonly exports: readonly Export[];
  /** The functions that a table holds, so that they can be called indirectly. */
  readonly tableFunctions: ReadonlySet<number>;
  /** The function that runs when the module starts, if there is one. */
  readonly startFunctions: readonly number[];
};

/** One imported function. */
export type Import = {
  /** `module.name` */
  readonly name: string;
  /** Where it stands in the module, as in all that follows. */
  readonly at: number;
};

/** The size of a memory in pages of 64 KiB. */
export type Limits = {
  readonly at: number;
  readonly minimum: number;
  readonly maximum: number | undefined;
};

/** One export. */
export type Export = {
  readonly at: number;
  readonly name: string;
  readonly kind: number;
  readonly index: number;
};

/** The kinds of imports and exports. */
export const kind = { function: 0, table: 1, memory: 2, global: 3 } as const;

/** Reads the declarations of a module. */
export function readDeclarations(
  bytes: Uint8Array,
  sections: readonly Section[],
): Declarations {
  const entries = <Entry>(id: number, read: (reader: Reader) => Entry) => {
    const found = sections.find((one) => one.id === id);
    return found === undefined ? [] : readEntries(bytes, found, read);
  };
  const types = entries(section.type, readType);
  const imports = entries(section.import, readImport);
  const globals = entries(section.global, readGlobal);
  const memory = onlyMemory(entries(section.memory, readLimits));
  entries(section.table, readTable);
  entries(section.data, readData);
  return {
    types,
    imports,
    functionTypes: entries(section.function, (reader) => {
      return types[reader.u32()] ?? "";
    }),
    memory,
    globals: globals.length,
    mutableGlobal: onlyMutable(globals),
    exports: entries(section.export, readExport),
    tableFunctions: new Set(entries(section.element, readElements).flat()),
    startFunctions: sections.filter(({ id }) => id === section.start)
      .map(({ start, end }) => new Reader(bytes, start, end).u32()),
  };
}

function readEntries<Entry>(
  bytes: Uint8Array,
  { start, end }: Section,
  read: (reader: Reader) => Entry,
): Entry[] {
  const reader = new Reader(bytes, start, end);
  const entries: Entry[] = [];
  for (let count = reader.u32(); count > 0; count--) entries.push(read(reader));
  reader.finish("A section");
  return entries;
}

function readType(reader: Reader): string {
  reader.expect(0x60, "sort of type");
  const list = () => {
    const types: number[] = [];
    for (let count = reader.u32(); count > 0; count--) {
      types.push(readValueType(reader));
    }
    return types.join(",");
  };
  return `${list()}>${list()}`;
}

function readImport(reader: Reader): Import {
  const at = reader.at;
  const name = `${reader.name()}.${reader.name()}`;
  const sort = reader.byte();
  if (sort !== kind.function) {
    throw new MeterError(`Import ${name} is no function`, at);
  }
  reader.u32();
  return { name, at };
}

function readTable(reader: Reader): void {
  readValueType(reader);
  readLimits(reader);
}

function readLimits(reader: Reader): Limits {
  const at = reader.at;
  const flags = reader.byte();
  if (flags > 1) {
    throw new MeterError(`Unknown sort of limits ${hex(flags)}`, reader.at - 1);
  }
  const minimum = reader.u32();
  return { at, minimum, maximum: flags === 1 ? reader.u32() : undefined };
}

function onlyMemory(memories: readonly Limits[]): Limits {
  const [memory, second] = memories;
  if (memory === undefined) throw new MeterError("There is no memory", 0);
  if (second !== undefined) {
    throw new MeterError("There is a second memory", second.at);
  }
  return memory;
}

type Global = { readonly at: number; readonly isMutable: boolean };

function readGlobal(reader: Reader): Global {
  const at = reader.at;
  const type = readValueType(reader);
  const isMutable = reader.byte() !== 0;
  if (isMutable && type !== i32) {
    throw new MeterError(`A mutable global of type ${hex(type)}`, at);
  }
  skipExpression(reader);
  return { at, isMutable };
}

function onlyMutable(globals: readonly Global[]): number | undefined {
  const [first, second] = globals.flatMap(({ isMutable }, at) =>
    isMutable ? [at] : []
  );
  if (second !== undefined) {
    throw new MeterError("A second mutable global", globals[second]?.at ?? 0);
  }
  return first;
}

function readExport(reader: Reader): Export {
  return {
    at: reader.at,
    name: reader.name(),
    kind: reader.byte(),
    index: reader.u32(),
  };
}

function readElements(reader: Reader): number[] {
  // Any other sort is passive, or holds more than functions.
  reader.expect(0, "sort of element segment");
  skipExpression(reader);
  const functions: number[] = [];
  for (let count = reader.u32(); count > 0; count--) {
    functions.push(reader.u32());
  }
  return functions;
}

function readData(reader: Reader): void {
  reader.expect(0, "sort of data segment");
  skipExpression(reader);
  reader.sized();
}
