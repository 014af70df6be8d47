/**
 * Writes a module anew with its meter.
 *
 * @module
 */

import {
  addedExports,
  type AddedFunctions,
  addedFunctions,
  addedGlobals,
  addedTypes,
  globalsOf,
  maximumOf,
  type Metered,
  typesOfAdded,
} from "./additions.ts";
import { charge } from "./charge.ts";
import { op } from "./instruction.ts";
import { MeterError } from "./meter_error.ts";
import { seenPages } from "./paging.ts";
import { Reader } from "./reader.ts";
import type { Body } from "./scan.ts";
import { order, section } from "./sections.ts";
import { named, unsigned, Writer } from "./writer.ts";

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
  switch (id) {
    case section.memory:
      return writeMemory(module);
    case section.code:
      return writeCode(module);
    case section.import:
      return writeImports(module);
    case section.type:
      return appended(module, id, addedTypes(module));
    case section.function:
      return appended(module, id, typesOfAdded(module));
    case section.global:
      return appended(module, id, addedGlobals(module));
    case section.export:
      return writeExports(module);
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

function writeMemory(module: Metered): Writer {
  const { memory } = module.declared;
  const maximum = maximumOf(module);
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

/** The exports that stay, and those that are added. */
function writeExports({ declared, keptExports }: Metered): Writer {
  const kept = declared.exports
    .filter(({ name }) => keptExports?.includes(name) ?? true)
    .map(({ name, kind, index }) => [...named(name), kind, ...unsigned(index)]);
  const entries = [...kept, ...addedExports(declared)];
  const content = new Writer();
  content.push(unsigned(entries.length));
  for (const entry of entries) content.push(entry);
  return content;
}

function writeCode(module: Metered): Writer | undefined {
  const { bodies } = module;
  if (bodies.length === 0) return undefined;
  const content = new Writer();
  const added = addedFunctions(module);
  content.push(unsigned(bodies.length + added.code.length));
  for (const [index, body] of bodies.entries()) {
    content.pushSized(writeBody(module, added, body, index));
  }
  for (const code of added.code) {
    const body = new Writer();
    body.push(code);
    content.pushSized(body);
  }
  return content;
}

/** Code to write at a place, and how many bytes there it stands for. */
type Edit = {
  readonly at: number;
  readonly code: readonly number[];
  readonly replaced: number;
};

/** `memory.size` and `memory.grow`, with the number of their memory. */
const memoryInstructionBytes = 2;

function writeBody(
  { bytes, declared, paidEntries, reachable, tariff }: Metered,
  added: AddedFunctions,
  body: Body,
  index: number,
): Writer {
  if (reachable?.has(index) === false) return emptyBody();
  const globals = globalsOf(declared);
  const pay = (at: number, units: number): Edit => {
    return { at, code: charge(globals.fuel, units), replaced: 0 };
  };
  const edits = [
    ...(paidEntries.has(index) ? [pay(body.code, tariff.entry)] : []),
    ...body.loops.map((loop) => pay(loop.start, tariff.loop(loop))),
    ...body.sized.map((at) => ({ at, code: callOf(added.size), replaced: 0 })),
    ...body.sizes.map((at) => ({
      at,
      code: seenPages(globals),
      replaced: memoryInstructionBytes,
    })),
    ...body.grows.map((at) => ({
      at,
      code: callOf(added.grow),
      replaced: memoryInstructionBytes,
    })),
  ].sort((one, other) => one.at - other.at);
  const content = new Writer();
  let copied = body.start;
  for (const { at, code, replaced } of edits) {
    content.push(bytes.subarray(copied, at));
    content.push(code);
    copied = at + replaced;
  }
  content.push(bytes.subarray(copied, body.end));
  return content;
}

/** A body that only traps; the function stays, so that all keep their numbers. */
function emptyBody(): Writer {
  const content = new Writer();
  const locals = 0;
  content.push([locals, op.unreachable, op.end]);
  return content;
}

function callOf(index: number): number[] {
  return [op.call, ...unsigned(index)];
}
