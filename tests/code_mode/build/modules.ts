/**
 * Small modules for the meter's tests, and how to run them.
 *
 * @module
 */

import wabt from "wabt";
import type { Tariff } from "../../../src/code_mode/build/charge.ts";
import {
  meter,
  type MeterOptions,
} from "../../../src/code_mode/build/meter.ts";
import { named, unsigned } from "../../../src/code_mode/build/writer.ts";

const toolkit = await wabt();

/** What WebAssembly a text may use besides what is on by itself. */
export type Features = NonNullable<Parameters<typeof toolkit.parseWat>[2]>;

/** Assembles a module from its text. */
export function wat(
  text: string,
  features: Features = {},
): Uint8Array<ArrayBuffer> {
  const module = toolkit.parseWat("test.wat", text, features);
  try {
    return Uint8Array.from(module.toBinary({}).buffer);
  } finally {
    module.destroy();
  }
}

/** Writes a module as text: one instruction a line, everything numbered. */
export function disassemble(bytes: Uint8Array): string {
  const module = toolkit.readWasm(bytes, {});
  try {
    return module.toText({ foldExprs: false, inlineExport: false });
  } finally {
    module.destroy();
  }
}

/** Puts sections together, for what the text form cannot say. */
export function raw(
  ...sections: readonly (readonly [id: number, ...content: number[]])[]
): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...sections.flatMap(([id, ...content]) => [
      id,
      ...unsigned(content.length),
      ...content,
    ]),
  ]);
}

/** A module with one memory of one page and one function, `run`, of these instructions. */
export function bodyOf(
  instructions: readonly number[],
  locals: readonly number[] = [0],
): Uint8Array<ArrayBuffer> {
  const body = [...locals, ...instructions];
  return raw(
    [1, 1, 0x60, 0, 0],
    [3, 1, 0],
    [5, 1, 0, 1],
    [7, 1, ...named("run"), 0, 0],
    [10, 1, ...unsigned(body.length), ...body],
  );
}

/** A tariff that tells loops from recursion. */
export const plainTariff: Tariff = {
  loop: () => 1,
  entry: 100,
  sizeShift: 4,
};

/** Meters with a plain tariff, 16 pages and no imports. */
export function metered(
  bytes: Uint8Array<ArrayBuffer>,
  options: Partial<MeterOptions> = {},
): Uint8Array<ArrayBuffer> {
  return meter(bytes, {
    maximumPages: 16,
    imports: [],
    tariff: plainTariff,
    ...options,
  });
}

/** What an exported function takes; the text of a number is one of any type. */
export type Value = number | bigint | string;

/** How a run ended: with what it gave, or with the message of its trap. */
export type End = { readonly gave: unknown } | { readonly trap: string };

/** Instantiates a module; `fuel` is of no matter to one that is not metered. */
export function start(
  bytes: Uint8Array<ArrayBuffer>,
  fuel: number,
  imports: WebAssembly.Imports = {},
): Running {
  const module = new WebAssembly.Module(bytes);
  const running = new Running(new WebAssembly.Instance(module, imports));
  if (running.isMetered) running.fuel = fuel;
  return running;
}

/** An instance, with what tests ask of it. */
export class Running {
  readonly #exports: WebAssembly.Exports;

  constructor(instance: WebAssembly.Instance) {
    this.#exports = instance.exports;
  }

  get isMetered(): boolean {
    return this.#exports.fuel instanceof WebAssembly.Global;
  }

  get fuel(): number {
    return Number(this.global("fuel").value);
  }
  set fuel(units: number) {
    this.global("fuel").value = units;
  }

  global(name: string): WebAssembly.Global {
    const found = this.#exports[name];
    if (found instanceof WebAssembly.Global) return found;
    throw new TypeError(`No global is exported as ${name}`);
  }

  /** The memory's bytes; none where it is not exported. */
  get memory(): Uint8Array {
    const { memory } = this.#exports;
    return memory instanceof WebAssembly.Memory
      ? new Uint8Array(memory.buffer)
      : new Uint8Array();
  }

  call(name: string, ...values: Value[]): End {
    const callee = this.#exports[name];
    if (typeof callee !== "function") {
      throw new TypeError(`No function is exported as ${name}`);
    }
    try {
      return { gave: callee(...values) };
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) {
        return { trap: error.message };
      }
      if (error instanceof RangeError) return { trap: stackTrap };
      throw error;
    }
  }
}

/** How a run ends that found no more room on the stack. */
export const stackTrap = "stack";
/** How a run ends that had no more fuel. */
export const fuelTrap: End = { trap: "unreachable" };

/** Where two arrays differ first; -1 if nowhere. */
export function firstDifference(one: Uint8Array, other: Uint8Array): number {
  if (one.length !== other.length) return Math.min(one.length, other.length);
  for (let at = 0; at < one.length; at++) {
    if (one[at] !== other[at]) return at;
  }
  return -1;
}
