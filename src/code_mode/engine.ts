/**
 * One engine instance, typed: strings and numbers in, strings out.
 *
 * The only file that knows the engine's C interface. It trusts no pointer or
 * length beyond the instance's memory.
 *
 * @module
 */

import { type EngineExports, readExports } from "./exports.ts";
import { makeImports } from "./imports.ts";

/** A pointer to a boxed guest value. */
export type GuestValue = number;

/**
 * Takes one message of the guest; a text it returns goes back as the value of
 * the guest's call.
 */
export type Receiver = (
  operation: number,
  id: number,
  text: string,
  bytes: number,
) => string | undefined;

/** Hears of a promise that was rejected; both values are the listener's to free. */
export type RejectionListener = (
  promise: GuestValue,
  reason: GuestValue,
  isHandled: boolean,
) => void;

/** The engine did something that it never does unless it is broken. */
export class EngineFault extends Error {
  override readonly name = "EngineFault";
}

/** The guest's memory has no room for something the host must put there. */
export class GuestMemoryFull extends Error {
  override readonly name = "GuestMemoryFull";
}

const scratchBytes = 8192;
const maximumArguments = 4;
/** Bytes in a page of memory. */
export const pageBytes = 65_536;

/** One instance of the engine. */
export class Engine {
  /** What the guest's clock shows, in milliseconds since the epoch. */
  now = 0;
  /** Takes what the guest sends; set while a cell owns the instance. */
  receiver: Receiver | undefined;
  /** Hears of rejections; set while a cell owns the instance. */
  rejected: RejectionListener | undefined;
  readonly #exports: EngineExports;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #bytes = new Uint8Array();
  #words = new Uint32Array();
  #scratch = 0;

  /** @param module The compiled, metered engine. */
  constructor(module: WebAssembly.Module) {
    const instance = new WebAssembly.Instance(
      module,
      makeImports({
        memory: () => this.#exports.memory,
        now: () => this.now,
        receive: (count, at) => this.#receive(count, at),
        reject: (promise, reason, handled) =>
          this.rejected?.(promise, reason, handled !== 0),
      }),
    );
    this.#exports = readExports(instance.exports);
  }

  /** The engine's C functions. */
  get functions(): EngineExports["functions"] {
    return this.#exports.functions;
  }

  /** The whole memory; valid until the guest runs next. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) this.#view();
    return this.#bytes;
  }

  /** Units of CPU the guest may still spend; below zero it has been stopped. */
  get fuel(): number {
    return this.#exports.fuel.value;
  }
  set fuel(units: number) {
    this.#exports.fuel.value = units;
  }

  /** Where the engine's stack begins now. */
  get stackPointer(): number {
    return this.#exports.stackPointer.value;
  }
  set stackPointer(at: number) {
    this.#exports.stackPointer.value = at;
  }

  /** Pages of 64 KiB that the guest sees; its memory may be larger. */
  get pages(): number {
    return this.#exports.pages.value;
  }
  set pages(pages: number) {
    this.#exports.pages.value = pages;
  }

  /** Pages of 64 KiB that the guest may come to see. */
  get pageLimit(): number {
    return this.#exports.pageLimit.value;
  }
  set pageLimit(pages: number) {
    this.#exports.pageLimit.value = pages;
  }

  /** Where texts and arguments pass through; part of every image. */
  get scratch(): number {
    return this.#scratch;
  }
  set scratch(at: number) {
    this.#scratch = at;
  }

  /** Sets the room aside that {@link scratch} names. */
  allocateScratch(): void {
    this.#scratch = this.#allocate(scratchBytes + 4 * (maximumArguments + 1));
  }

  /** Makes the memory at least so many pages large. */
  growTo(pages: number): void {
    const missing = pages - this.#exports.memory.buffer.byteLength / pageBytes;
    if (missing > 0) this.#exports.memory.grow(missing);
  }

  /** Runs a script; the result may be an exception. */
  evaluate(source: string, filename: string): GuestValue {
    const name = this.#encoder.encode(`${filename}\0`);
    const nameAt = this.#allocate(name.length);
    this.bytes.set(name, nameAt);
    const result = this.#withText(
      source,
      (at, length) => this.functions.qjs_eval(at, length, nameAt, 0),
    );
    this.functions.wasm_free(nameAt);
    return result;
  }

  /** Calls a guest function, and frees the arguments. */
  call(callee: GuestValue, ...values: GuestValue[]): GuestValue {
    const argumentsAt = this.#scratch + scratchBytes + 4;
    const self = this.functions.qjs_get_undefined();
    this.#refresh();
    for (let i = 0; i < values.length; i++) {
      this.#words[(argumentsAt >>> 2) + i] = values[i] ?? 0;
    }
    const result = this.functions.qjs_call(
      callee,
      self,
      values.length,
      argumentsAt,
    );
    for (const value of values) this.free(value);
    this.free(self);
    return result;
  }

  /** Makes a guest string. */
  string(text: string): GuestValue {
    return this.#withText(
      text,
      (at, length) => this.#boxed(this.functions.qjs_new_string(at, length)),
    );
  }

  /** Makes a guest number. */
  number(value: number): GuestValue {
    return this.#boxed(this.functions.qjs_new_number(value));
  }

  /** Makes the guest function through which every message leaves. */
  postFunction(): GuestValue {
    return this.#withText(
      "post",
      (at, length) =>
        this.#boxed(this.functions.qjs_new_host_function(at, length, 0)),
    );
  }

  /** Reads a guest string, or what a value looks like as one. */
  text(value: GuestValue): string {
    const lengthAt = this.#scratch + scratchBytes;
    const at = this.functions.qjs_get_string_len(value, lengthAt) >>> 0;
    if (at === 0) throw new GuestMemoryFull("No room to read a text");
    this.#refresh();
    const length = this.#words[lengthAt >>> 2] ?? 0;
    if (at + length > this.#bytes.length) {
      throw new EngineFault(`A text ends outside the memory: ${at + length}`);
    }
    const text = this.#decoder.decode(this.#bytes.subarray(at, at + length));
    this.functions.qjs_free_cstring(at);
    return text;
  }

  /** A number that two values share only if both are the same object. */
  identity(value: GuestValue): number {
    this.#refresh();
    return this.#words[value >>> 2] ?? 0;
  }

  /** Lets go of a guest value. */
  free(value: GuestValue): void {
    this.functions.qjs_free_value(value);
  }

  /** Takes units of CPU away for work the host does on the guest's behalf. */
  charge(units: number): void {
    this.#exports.fuel.value = Math.max(this.#exports.fuel.value - units, -1);
  }

  #receive(count: number, argumentsAt: number): number {
    this.#refresh();
    const first = argumentsAt >>> 2;
    const operation = this.#words[first] ?? 0;
    const id = this.#words[first + 1] ?? 0;
    const text = this.#words[first + 2] ?? 0;
    if (count !== 3 || this.receiver === undefined) {
      throw new EngineFault(`A message with ${count} parts`);
    }
    const read = this.text(text);
    const answer = this.receiver(
      this.functions.qjs_get_float64(operation),
      this.functions.qjs_get_float64(id),
      read,
      this.#words[(this.#scratch + scratchBytes) >>> 2] ?? 0,
    );
    return answer === undefined
      ? this.functions.qjs_get_undefined()
      : this.string(answer);
  }

  #withText(text: string, use: (at: number, length: number) => number): number {
    const window = this.bytes.subarray(
      this.#scratch,
      this.#scratch + scratchBytes - 1,
    );
    if (this.#scratch !== 0 && text.length < scratchBytes) {
      const { read, written } = this.#encoder.encodeInto(text, window);
      if (read === text.length) {
        this.#bytes[this.#scratch + written] = 0;
        return use(this.#scratch, written);
      }
    }
    const encoded = this.#encoder.encode(text);
    const at = this.#allocate(encoded.length + 1);
    this.bytes.set(encoded, at);
    this.#bytes[at + encoded.length] = 0;
    const result = use(at, encoded.length);
    this.functions.wasm_free(at);
    return result;
  }

  #allocate(bytes: number): number {
    const at = this.functions.wasm_malloc(bytes) >>> 0;
    if (at === 0) throw new GuestMemoryFull(`No room for ${bytes} bytes`);
    return at;
  }

  #boxed(value: GuestValue): GuestValue {
    if (value === 0) throw new GuestMemoryFull("No room for a value");
    return value;
  }

  #refresh(): void {
    if (this.#bytes.buffer !== this.#exports.memory.buffer) this.#view();
  }

  #view(): void {
    const { buffer } = this.#exports.memory;
    if (!(buffer instanceof ArrayBuffer)) {
      throw new EngineFault("The engine's memory is shared");
    }
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
  }
}
