/**
 * The engine alone, without sandbox and prelude, metered or not: runs a
 * program and tells what it took.
 *
 * @module
 */

import { importModule, makeImports } from "../../src/code_mode/imports.ts";

type Native = (...args: number[]) => number;

/** What a run took, and how it ended. */
export type Run = {
  readonly milliseconds: number;
  /** Units spent; zero on an engine without a meter. */
  readonly units: number;
  /** `"fuel"`, or the text of what the program threw, or `undefined`. */
  readonly end: string | undefined;
};

const allFuel = 2 ** 31 - 1;
const memoryLimit = 64 * 1024 * 1024;
const stackLimit = 256 * 1024;

/** An engine instance that runs programs one after the other. */
export class BareEngine {
  readonly #exports: WebAssembly.Exports;
  readonly #memory: WebAssembly.Memory;
  readonly #fuel: { value: number } | undefined;

  /** @param module The compiled engine. */
  constructor(module: WebAssembly.Module) {
    const functions = makeImports({
      memory: () => this.#memory,
      now: () => 0,
      receive: () => 0,
      reject: () => {},
    })[importModule] ?? {};
    this.#exports = new WebAssembly.Instance(module, {
      [importModule]: functions,
      // As the engine's package names them.
      env: functions,
      wasi_snapshot_preview1: functions,
    }).exports;
    const { memory, fuel } = this.#exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new Error("No memory");
    this.#memory = memory;
    this.#fuel = fuel instanceof WebAssembly.Global ? fuel : undefined;
    if (this.#fuel !== undefined) this.#fuel.value = allFuel;
    this.#call("_initialize");
    this.#call("qjs_init2", ~0);
    this.#call("qjs_set_memory_limit", memoryLimit);
    this.#call("qjs_set_max_stack_size", stackLimit);
  }

  /** Runs a program and the jobs it leaves. An engine that ran out of fuel is dead. */
  run(source: string, fuel = allFuel): Run {
    if (this.#fuel !== undefined) this.#fuel.value = fuel;
    const text = this.#text(source);
    const name = this.#text("bench");
    const start = performance.now();
    const end = this.#evaluate(text, source.length, name);
    const milliseconds = performance.now() - start;
    const units = this.#fuel === undefined ? 0 : fuel - this.#fuel.value;
    return { milliseconds, units, end };
  }

  #evaluate(text: number, length: number, name: number): string | undefined {
    try {
      const value = this.#call("qjs_eval", text, length, name, 0);
      while (this.#call("qjs_is_job_pending") !== 0) {
        this.#call("qjs_execute_pending_job");
      }
      const threw = this.#call("qjs_is_exception", value) !== 0;
      this.#call("qjs_free_value", value);
      return threw ? this.#read(this.#call("qjs_get_exception")) : undefined;
    } catch (trap) {
      if (this.#fuel !== undefined && this.#fuel.value < 0) return "fuel";
      throw trap;
    }
  }

  #call(name: string, ...values: number[]): number {
    const callee = this.#exports[name];
    if (!isNative(callee)) throw new Error(`No function ${name}`);
    return callee(...values);
  }

  /** Programs are ASCII, so their length is their size. */
  #text(text: string): number {
    const at = this.#call("wasm_malloc", text.length + 1);
    const bytes = new Uint8Array(this.#memory.buffer, at, text.length + 1);
    new TextEncoder().encodeInto(`${text}\0`, bytes);
    return at;
  }

  #read(value: number): string {
    const at = this.#call("qjs_get_string_len", value, 0);
    const bytes = new Uint8Array(this.#memory.buffer, at);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }
}

function isNative(value: unknown): value is Native {
  return typeof value === "function";
}
