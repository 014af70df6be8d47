/**
 * Makes the engine that this package ships out of the one that the package
 * `quickjs-wasi` ships.
 *
 * @module
 */

import { exportNames } from "../exports.ts";
import { importModule } from "../imports.ts";
import { meter } from "./meter.ts";
import { tariff } from "./tariff.ts";

/** SHA-256 of the engine as its package ships it. */
export const sourceHash =
  "c0bd8f296e18cf074969f6401b9ecb72609a1323818ec2b9bf7a8f8d740d1363";
/** SHA-256 of the metered engine; changes with the meter, the tariff, the source. */
export const engineHash =
  "951bccd867915159c19e78ed0759d71bd714736e516210e738bb37dab3327963";

/** All that the engine may import; `imports.ts` answers each. */
const imports: readonly string[] = [
  "env.host_get_timezone_offset",
  "env.host_interrupt",
  "env.host_promise_rejection",
  "env.host_module_normalize",
  "env.host_module_load",
  "env.host_call",
  "wasi_snapshot_preview1.clock_time_get",
  "wasi_snapshot_preview1.fd_close",
  "wasi_snapshot_preview1.fd_fdstat_get",
  "wasi_snapshot_preview1.fd_seek",
  "wasi_snapshot_preview1.fd_write",
  "wasi_snapshot_preview1.random_get",
];

/** 80 MiB: an isolate on Workers has 128 MB for everything. */
const maximumPages = 1280;

/**
 * Meters the engine.
 *
 * @param source The bytes of the package's `quickjs.wasm`.
 * @returns The metered engine, always the same bytes.
 * @throws {Error} If the source or what came of it is not what was reviewed:
 *   says both hashes.
 * @throws {MeterError} If the source holds anything that the meter refuses.
 */
export async function buildEngine(
  source: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  expectHash("The package's engine", await hashOf(source), sourceHash);
  const engine = meter(source, {
    maximumPages,
    imports,
    importModule,
    exports: exportNames,
    tariff,
  });
  expectHash("The metered engine", await hashOf(engine), engineHash);
  return engine;
}

/** The SHA-256 of bytes, in hexadecimal. */
export async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(
    new Uint8Array(digest),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join("");
}

function expectHash(what: string, found: string, expected: string): void {
  if (found === expected) return;
  throw new Error(
    `${what} has the hash ${found} where ${expected} was reviewed: review ` +
      "what changed, then change the hash in src/code_mode/build/engine.ts",
  );
}
