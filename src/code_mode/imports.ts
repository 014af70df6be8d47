/**
 * What the engine imports: one function for the guest, and a system without
 * files, randomness or a clock of its own.
 *
 * The answers are the same on every machine, so the same cell always takes
 * the same steps.
 *
 * @module
 */

/** What the imports need from the instance they belong to. */
export type ImportHost = {
  /** The instance's memory; read at each use, because growing replaces its buffer. */
  readonly memory: () => WebAssembly.Memory;
  /** What the guest's clock shows, in milliseconds since the epoch. */
  readonly now: () => number;
  /** The one way out of the guest; answers with a pointer to a guest value. */
  readonly receive: (argumentCount: number, argumentsAt: number) => number;
  /** Hears of a promise that is rejected and not handled, or handled later. */
  readonly reject: (promise: number, reason: number, handled: number) => void;
};

const success = 0;
const badDescriptor = 8;
const notSupported = 52;

/**
 * The one module that the engine imports from. The build names a file beside
 * the engine, so that tools which follow a WebAssembly module's imports find
 * something; nothing runs it.
 */
export const importModule = "./engine_imports.js";

/** Makes the import object of one engine instance. */
export function makeImports(host: ImportHost): WebAssembly.Imports {
  return { [importModule]: { ...guestImports(host), ...system(host) } };
}

function guestImports(host: ImportHost): WebAssembly.ModuleImports {
  return {
    host_call: (
      _name: number,
      _nameLength: number,
      _self: number,
      argumentCount: number,
      argumentsAt: number,
    ) => host.receive(argumentCount, argumentsAt),
    host_get_timezone_offset: () => 0,
    host_interrupt: () => 0,
    host_module_load: () => 0,
    host_module_normalize: () => 0,
    host_promise_rejection: host.reject,
  };
}

function system(host: ImportHost): WebAssembly.ModuleImports {
  return {
    clock_time_get: (_clock: number, _precision: bigint, resultAt: number) => {
      const nanoseconds = BigInt(Math.trunc(host.now())) * 1_000_000n;
      new DataView(host.memory().buffer)
        .setBigUint64(resultAt, nanoseconds, true);
      return success;
    },
    random_get: (at: number, length: number) => {
      new Uint8Array(host.memory().buffer, at, length).fill(0);
      return success;
    },
    fd_close: () => notSupported,
    fd_fdstat_get: () => badDescriptor,
    fd_seek: () => notSupported,
    fd_write: () => badDescriptor,
  };
}
