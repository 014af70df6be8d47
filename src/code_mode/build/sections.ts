/**
 * Cuts a WebAssembly module into its sections.
 *
 * @module
 */

import { hex, MeterError } from "./meter_error.ts";
import { Reader } from "./reader.ts";

/** The numbers of the sections. */
export const section = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
} as const;

/** One section: its number, and where its content lies. */
export type Section = {
  readonly id: number;
  /** Offsets into the module, without the section's head. */
  readonly start: number;
  readonly end: number;
};

/** The sections in the one order they may stand in. */
export const order: readonly number[] = [
  section.type,
  section.import,
  section.function,
  section.table,
  section.memory,
  section.global,
  section.export,
  section.start,
  section.element,
  section.dataCount,
  section.code,
  section.data,
];

/** Custom sections that stay true when code is added to the functions. */
const harmless: readonly string[] = ["name", "producers", "target_features"];

const magic: readonly number[] = [0x00, 0x61, 0x73, 0x6d];
const version: readonly number[] = [0x01, 0x00, 0x00, 0x00];

/** Lists a module's sections; refuses those that are not known. */
export function readSections(bytes: Uint8Array): Section[] {
  const reader = new Reader(bytes);
  for (const byte of magic) reader.expect(byte, "file type");
  for (const byte of version) reader.expect(byte, "version");
  const sections: Section[] = [];
  let last = -1;
  while (!reader.isDone) {
    const head = reader.at;
    const id = reader.byte();
    const content = reader.sized();
    const start = content.at;
    if (id === section.custom) checkCustom(content, head);
    else last = checkOrder(id, last, head);
    sections.push({ id, start, end: reader.at });
  }
  return sections;
}

function checkCustom(content: Reader, head: number): void {
  const name = content.name();
  if (!harmless.includes(name)) {
    throw new MeterError(
      `Unknown custom section ${JSON.stringify(name)}`,
      head,
    );
  }
}

function checkOrder(id: number, last: number, head: number): number {
  const place = order.indexOf(id);
  if (place < 0) throw new MeterError(`Unknown section ${hex(id)}`, head);
  if (place <= last) {
    throw new MeterError(`Section ${hex(id)} is out of order`, head);
  }
  return place;
}
