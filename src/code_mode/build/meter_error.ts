/**
 * Why a module is refused.
 *
 * @module
 */

/** The module holds something that the meter does not know or does not allow. */
export class MeterError extends Error {
  override readonly name = "MeterError";

  /**
   * @param reason What is wrong, without a final period.
   * @param offset Where in the module, in bytes from its start.
   */
  constructor(reason: string, readonly offset: number) {
    super(`${reason}, at byte ${offset}`);
  }
}

/** Writes a byte or an opcode as it is printed in the WebAssembly specification. */
export function hex(value: number): string {
  return `0x${value.toString(16).padStart(2, "0")}`;
}
