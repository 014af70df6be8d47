/**
 * Meters a WebAssembly module: whatever it runs is paid for in fuel, and a
 * run that has none left traps. So no input can keep it busy for longer than
 * the host allows, without a clock.
 *
 * Work repeats only through loops and through calls that come back to where
 * they began, and one instruction can do much work at once only where it says
 * how many bytes. So it is paid for there: at the head of every loop, at the
 * entry of one function at least of every cycle of calls, and before every
 * instruction with a size.
 *
 * @module
 */

import { entriesToPay } from "./call_cycles.ts";
import { type Import, readDeclarations } from "./declarations.ts";
import { MeterError } from "./meter_error.ts";
import type { Tariff } from "./charge.ts";
import { reachableFunctions } from "./reachable.ts";
import { scanCode } from "./scan.ts";
import { readSections } from "./sections.ts";
import { writeMetered } from "./write_metered.ts";

/** What the metered module must be. */
export type MeterOptions = {
  /** The most memory it may ever have, in pages of 64 KiB. */
  readonly maximumPages: number;
  /** Everything it may import, as `module.name`, in order. */
  readonly imports: readonly string[];
  /** The module that everything is imported from afterwards; as before without it. */
  readonly importModule?: string;
  /**
   * What stays exported of what was; everything without it. Each export of an
   * instance takes memory, and time to make. Code that none of them reaches
   * is dropped.
   */
  readonly exports?: readonly string[];
  /** What work costs. */
  readonly tariff: Tariff;
};

/**
 * Meters a module. The same module always gives the same bytes.
 *
 * @param bytes The module.
 * @param options What the metered module must be.
 * @returns The metered module.
 * @throws {MeterError} If the module is not valid, or holds anything that the
 *   meter does not know or that the sandbox cannot allow.
 * @throws {RangeError} If the tariff would take nothing for some work.
 */
export function meter(
  bytes: Uint8Array<ArrayBuffer>,
  options: MeterOptions,
): Uint8Array<ArrayBuffer> {
  const sections = readSections(bytes);
  const declared = readDeclarations(bytes, sections);
  checkImports(declared.imports, options.imports);
  const bodies = scanCode(bytes, sections);
  // Only now: a module that is not known says more about itself than this.
  if (!WebAssembly.validate(bytes)) {
    throw new MeterError("The module is not valid", 0);
  }
  const metered = writeMetered({
    bytes,
    sections,
    declared,
    bodies,
    paidEntries: entriesToPay(declared, bodies),
    reachable: options.exports &&
      reachableFunctions(declared, bodies, options.exports),
    maximumPages: options.maximumPages,
    importModule: options.importModule,
    keptExports: options.exports,
    tariff: options.tariff,
  });
  if (!WebAssembly.validate(metered)) {
    throw new MeterError("The module is not valid once it is metered", 0);
  }
  return metered;
}

function checkImports(
  found: readonly Import[],
  expected: readonly string[],
): void {
  for (const [index, { name, at }] of found.entries()) {
    if (name !== expected[index]) {
      throw new MeterError(`Unexpected import ${name}`, at);
    }
  }
  const missing = expected[found.length];
  if (missing !== undefined) {
    throw new MeterError(`Missing import ${missing}`, 0);
  }
}
