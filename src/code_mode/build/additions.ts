/**
 * What is added to a module: the globals that hold its fuel and its pages, and
 * the functions that use them. It stands at the end of its index space, so
 * nothing else is renumbered.
 *
 * @module
 */

import {
  addedFunctionText,
  addedFunctionType,
  chargeBySize,
  type Tariff,
} from "./charge.ts";
import { type Declarations, kind } from "./declarations.ts";
import { i32 } from "./instruction.ts";
import { MeterError } from "./meter_error.ts";
import {
  growPages,
  pageLimitName,
  pagesName,
  type PagingGlobals,
} from "./paging.ts";
import type { Body } from "./scan.ts";
import type { Section } from "./sections.ts";
import { named, signed, unsigned } from "./writer.ts";

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
  /** The functions that can run, where the others lose their code. */
  readonly reachable: ReadonlySet<number> | undefined;
  readonly maximumPages: number;
  readonly importModule: string | undefined;
  /** The names of the exports that stay; all without it. */
  readonly keptExports: readonly string[] | undefined;
  readonly tariff: Tariff;
};

/** The globals that are added, in this order. */
export function addedGlobals(module: Metered): number[][] {
  const { memory } = module.declared;
  const limit = maximumOf(module);
  return [0, memory.minimum, limit].map((
    initial,
  ) => [i32, 0x01, 0x41, ...signed(initial), 0x0b]);
}

/** The numbers of the added globals. */
export function globalsOf({ globals }: Declarations): PagingGlobals {
  return { fuel: globals, pages: globals + 1, pageLimit: globals + 2 };
}

/** The functions that are added: their bodies, by what they are for. */
export function addedFunctions(module: Metered): AddedFunctions {
  const { bodies, declared, tariff } = module;
  const globals = globalsOf(declared);
  const first = declared.imports.length + declared.functionTypes.length;
  const code: number[][] = [];
  const add = (isNeeded: boolean, body: () => number[]) => {
    if (isNeeded) code.push(body());
    return first + code.length - 1;
  };
  const isSized = bodies.some(({ sized }) => sized.length > 0);
  const grows = bodies.some(({ grows }) => grows.length > 0);
  const size = add(isSized, () => chargeBySize(globals.fuel, tariff));
  const grow = add(grows, () => growPages(globals, tariff));
  return { code, size, grow };
}

/** The added functions' bodies, and the index of each. */
export type AddedFunctions = {
  readonly code: readonly number[][];
  readonly size: number;
  readonly grow: number;
};

/** The type of the added functions, if the module lacks it. */
export function addedTypes(module: Metered): (readonly number[])[] {
  const isMissing = !module.declared.types.includes(addedFunctionText);
  return addedFunctions(module).code.length > 0 && isMissing
    ? [addedFunctionType]
    : [];
}

/** The number of the added functions' type, for each. */
export function typesOfAdded(module: Metered): number[][] {
  const { types } = module.declared;
  const index = types.indexOf(addedFunctionText);
  const type = unsigned(index < 0 ? types.length : index);
  return addedFunctions(module).code.map(() => type);
}

/**
 * The exports that are added.
 *
 * @throws {MeterError} If the module uses one of the names for something else.
 */
export function addedExports(declared: Declarations): number[][] {
  const { exports, mutableGlobal } = declared;
  const { fuel, pages, pageLimit } = globalsOf(declared);
  const byName = (name: string) => exports.find((one) => one.name === name);
  const added = [];
  for (
    const [name, index] of [
      [fuelName, fuel],
      [pagesName, pages],
      [pageLimitName, pageLimit],
    ] as const
  ) {
    const taken = byName(name);
    if (taken !== undefined) {
      throw new MeterError(`The module already exports ${name}`, taken.at);
    }
    added.push(exportGlobal(name, index));
  }
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

/** The most pages that the memory may ever have. */
export function maximumOf(
  { declared: { memory }, maximumPages }: Metered,
): number {
  return Math.min(memory.maximum ?? maximumPages, maximumPages);
}
