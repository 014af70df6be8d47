/**
 * Writes a module anew with its meter.
 *
 * What is added stands at the end of its index space, so nothing else is
 * renumbered.
 *
 * @module
 */

import {
  charge,
  chargeBySize,
  chargeBySizeText,
  chargeBySizeType,
  type Tariff,
} from "./charge.ts";
import { type Declarations, kind } from "./declarations.ts";
import { i32, op } from "./instruction.ts";
import { MeterError } from "./meter_error.ts";
import { Reader } from "./reader.ts";
import type { Body } from "./scan.ts";
import { order, type Section, section } from "./sections.ts";
import { named, unsigned, Writer } from "./writer.ts";

/** The name of the exported global that holds the fuel left. */
export const fuelName = "fuel";
/** The name under which the stack pointer is exported. */
export const stackPointerName = "__stack_pointer";

/** A module's parts, read, and what to make of them. */
export type Metered = {
  readonly bytes: Uint8Array;
  readonly sections: readonly Section[];
  readonly declared: Declarations;
  readonly bodies: readonly Body[];
  /** The functions whose entry is paid for. */
  readonly paidEntries: ReadonlySet<number>;
  readonly maximumPages: number;
  readonly importModule: string | undefined;
  readonly tariff: Tariff;
};

/** Writes the metered module. */
export function writeMetered(module: Metered): Uint8Array<ArrayBuffer> {
  const written = new Writer();
  written.push(module.bytes.subarray(0, 8));
  for (const id of order) {
    const content = writeSection(module, id);
    if (content === undefined) continue;
    written.push([id]);
    written.pushSized(content);
  }
  for (const { id, start, end } of module.sections) {
    if (id !== section.custom) continue;
    const content = new Writer();
    content.push(module.bytes.subarray(start, end));
    written.push([id]);
    written.pushSized(content);
  }
  return written.join();
}

function writeSection(module: Metered, id: number): Writer | undefined {
  const { declared } = module;
  switch (id) {
    case section.memory:
      return writeMemory(declared, module.maximumPages);
    case section.code:
      return writeCode(module);
    case section.import:
      return writeImports(module);
    case section.type:
      return appended(module, id, addedTypes(module));
    case section.function:
      return appended(module, id, addedFunctions(module));
    case section.global:
      return appended(module, id, [fuelGlobal]);
    case section.export:
      return appended(module, id, addedExports(declared));
    default:
      return appended(module, id, []);
  }
}

/** A section with entries added; none if it has none. */
function appended(
  { bytes, sections }: Metered,
  id: number,
  entries: readonly (readonly number[])[],
): Writer | undefined {
  const found = sections.find((one) => one.id === id);
  if (found === undefined && entries.length === 0) return undefined;
  const content = new Writer();
  if (found === undefined) content.push(unsigned(entries.length));
  else if (entries.length === 0) {
    content.push(bytes.subarray(found.start, found.end));
  } else {
    const reader = new Reader(bytes, found.start, found.end);
    content.push(unsigned(reader.u32() + entries.length));
    content.push(bytes.subarray(reader.at, found.end));
  }
  for (const entry of entries) content.push(entry);
  return content;
}

const fuelGlobal: readonly number[] = [i32, 0x01, 0x41, 0x00, 0x0b];

function needsHelper({ bodies }: Metered): boolean {
  return bodies.some(({ sized }) => sized.length > 0);
}

function helperType({ types }: Declarations): number {
  const index = types.indexOf(chargeBySizeText);
  return index < 0 ? types.length : index;
}

function addedTypes(module: Metered): (readonly number[])[] {
  const isMissing = !module.declared.types.includes(chargeBySizeText);
  return needsHelper(module) && isMissing ? [chargeBySizeType] : [];
}

function addedFunctions(module: Metered): number[][] {
  return needsHelper(module) ? [unsigned(helperType(module.declared))] : [];
}

function addedExports({ exports, globals, mutableGlobal }: Declarations) {
  const byName = (name: string) => exports.find((one) => one.name === name);
  const taken = byName(fuelName);
  if (taken !== undefined) {
    throw new MeterError(`The module already exports ${fuelName}`, taken.at);
  }
  const added = [exportGlobal(fuelName, globals)];
  const own = byName(stackPointerName);
  if (own === undefined) {
    return mutableGlobal === undefined
      ? added
      : [...added, exportGlobal(stackPointerName, mutableGlobal)];
  }
  if (own.kind !== kind.global || own.index !== mutableGlobal) {
    throw new MeterError(`Unknown export ${stackPointerName}`, own.at);
  }
  return added;
}

function exportGlobal(name: string, index: number): number[] {
  return [...named(name), kind.global, ...unsigned(index)];
}

function writeMemory({ memory }: Declarations, maximumPages: number): Writer {
  const maximum = Math.min(memory.maximum ?? maximumPages, maximumPages);
  if (memory.minimum > maximum) {
    throw new MeterError(
      `The memory begins with ${memory.minimum} pages, over ${maximum}`,
      memory.at,
    );
  }
  const content = new Writer();
  const hasMaximum = 1;
  content.push([1, hasMaximum]);
  content.push([...unsigned(memory.minimum), ...unsigned(maximum)]);
  return content;
}

/** The imports, from another module if one is named. */
function writeImports(module: Metered): Writer | undefined {
  const { bytes, sections, importModule } = module;
  const found = sections.find(({ id }) => id === section.import);
  if (found === undefined || importModule === undefined) {
    return appended(module, section.import, []);
  }
  const reader = new Reader(bytes, found.start, found.end);
  const content = new Writer();
  const count = reader.u32();
  content.push(unsigned(count));
  const seen = new Set<string>();
  for (let left = count; left > 0; left--) {
    const at = reader.at;
    reader.name();
    const name = reader.name();
    // Two that differ only in their modules would become one.
    if (seen.has(name)) throw new MeterError(`A second import ${name}`, at);
    seen.add(name);
    content.push(named(importModule));
    content.push([...named(name), reader.byte()]);
    content.push(unsigned(reader.u32()));
  }
  return content;
}

function writeCode(module: Metered): Writer | undefined {
  const { bodies, declared, tariff } = module;
  if (bodies.length === 0) return undefined;
  const fuel = declared.globals;
  const content = new Writer();
  const helper = needsHelper(module);
  content.push(unsigned(bodies.length + (helper ? 1 : 0)));
  for (const [index, body] of bodies.entries()) {
    content.pushSized(writeBody(module, body, index));
  }
  if (helper) {
    const body = new Writer();
    body.push(chargeBySize(fuel, tariff));
    content.pushSized(body);
  }
  return content;
}

function writeBody(module: Metered, body: Body, index: number): Writer {
  const { bytes, declared, paidEntries, tariff } = module;
  const fuel = declared.globals;
  const helper = declared.imports.length + declared.functionTypes.length;
  const additions = [
    ...body.loops.map((loop) => ({
      at: loop.start,
      code: charge(fuel, tariff.loop(loop)),
    })),
    ...body.sized.map((at) => ({ at, code: [op.call, ...unsigned(helper)] })),
  ];
  if (paidEntries.has(index)) {
    additions.push({ at: body.code, code: charge(fuel, tariff.entry) });
  }
  additions.sort((one, other) => one.at - other.at);
  const content = new Writer();
  let copied = body.start;
  for (const { at, code } of additions) {
    content.push(bytes.subarray(copied, at));
    content.push(code);
    copied = at;
  }
  content.push(bytes.subarray(copied, body.end));
  return content;
}
