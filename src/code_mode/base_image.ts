/**
 * An engine's state as bytes: booted once, copied back before every cell.
 *
 * The engine's whole state is its memory, how much of it it sees, and its stack
 * pointer (the build asserts it), so an image made on one instance also starts any other one of
 * the same module.
 *
 * @module
 */

import { type Engine, EngineFault, type GuestValue } from "./engine.ts";
import { prelude } from "./prelude.ts";
import { type EntryPoint, entryPoints } from "./protocol.ts";

/** Everything an instance needs to be as good as freshly booted. */
export type BaseImage = {
  /** What of the memory is not zero, from the bottom up. */
  readonly pieces: readonly Piece[];
  /** How many pages of memory the engine sees. */
  readonly pages: number;
  readonly stackPointer: number;
  /** Where texts pass through. */
  readonly scratch: number;
  /** The guest functions the host may call. */
  readonly entries: Readonly<Record<EntryPoint, GuestValue>>;
};

/** A stretch of memory. */
export type Piece = {
  readonly at: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
};

/** Bits of the language that the engine leaves out; garbage must not show. */
const leftOut = (1 << 9) | (1 << 10);
const bootFuel = 2 ** 31 - 1;
/** Well below the engine's stack: the host's own stack must not end first. */
const stackBytes = 256 * 1024;
/** A cell that makes little garbage never pays for collecting it. */
const collectAfterBytes = 1024 * 1024;
/** Room that a cell may fill before the memory has to grow. */
const slackBytes = 256 * 1024;
const blockBytes = 4096;

/** Boots an instance, and takes its image. */
export function bootImage(engine: Engine): BaseImage {
  engine.fuel = bootFuel;
  engine.now = 0;
  engine.functions._initialize();
  if (engine.functions.qjs_init2(~leftOut) !== 0) {
    throw new EngineFault("The engine does not start");
  }
  engine.functions.qjs_set_max_stack_size(stackBytes);
  engine.functions.qjs_set_gc_threshold(collectAfterBytes);
  engine.functions.qjs_set_promise_rejection_handler(1);
  engine.allocateScratch();
  engine.functions.wasm_free(engine.functions.wasm_malloc(slackBytes));
  return takeImage(engine, runPrelude(engine));
}

/** Makes an image that also holds a set of tools, from their JSON text. */
export function imageWithTools(
  engine: Engine,
  base: BaseImage,
  toolsJson: string,
): BaseImage {
  reset(engine, base);
  engine.fuel = bootFuel;
  const done = engine.call(base.entries.define, engine.string(toolsJson));
  if (engine.functions.qjs_is_exception(done) !== 0) {
    throw new EngineFault("The engine does not take the tools");
  }
  engine.free(done);
  return takeImage(engine, base.entries);
}

/** Puts an instance back to the state of an image, byte for byte. */
export function reset(engine: Engine, image: BaseImage): void {
  engine.growTo(image.pages);
  const memory = engine.bytes;
  let end = 0;
  for (const { at, bytes } of image.pieces) {
    memory.fill(0, end, at);
    memory.set(bytes, at);
    end = at + bytes.length;
  }
  memory.fill(0, end);
  engine.pages = image.pages;
  engine.stackPointer = image.stackPointer;
  engine.scratch = image.scratch;
  engine.receiver = undefined;
  engine.rejected = undefined;
}

function runPrelude(engine: Engine): BaseImage["entries"] {
  const make = engine.evaluate(prelude, "prelude");
  const list = engine.call(make, engine.postFunction());
  if (engine.functions.qjs_is_exception(list) !== 0) {
    throw new EngineFault(
      `The prelude failed: ${
        engine.text(engine.functions.qjs_get_exception())
      }`,
    );
  }
  const entry = (name: EntryPoint) =>
    engine.functions.qjs_get_prop_uint32(list, entryPoints.indexOf(name));
  return {
    define: entry("define"),
    begin: entry("begin"),
    settle: entry("settle"),
    nextTimer: entry("nextTimer"),
    fireTimer: entry("fireTimer"),
    finish: entry("finish"),
    report: entry("report"),
    summarize: entry("summarize"),
  };
}

function takeImage(engine: Engine, entries: BaseImage["entries"]): BaseImage {
  engine.functions.qjs_run_gc();
  const { stackPointer, scratch, bytes } = engine;
  return {
    // The stack grows down: what lies below its pointer is dead, and may be zero.
    pieces: piecesOf(bytes, stackPointer),
    pages: engine.pages,
    stackPointer,
    scratch,
    entries,
  };
}

/** Copies the blocks of memory that hold anything, joined where they touch. */
function piecesOf(memory: Uint8Array, start: number): Piece[] {
  const pieces: Piece[] = [];
  let from: number | undefined;
  for (let at = start; at < memory.length; at = nextBlock(at)) {
    const isEmpty = isZero(memory, at, nextBlock(at));
    if (isEmpty && from !== undefined) {
      pieces.push({ at: from, bytes: memory.slice(from, at) });
      from = undefined;
    } else if (!isEmpty) from ??= at;
  }
  if (from !== undefined) pieces.push({ at: from, bytes: memory.slice(from) });
  return pieces;
}

function nextBlock(at: number): number {
  return at - at % blockBytes + blockBytes;
}

function isZero(memory: Uint8Array, start: number, end: number): boolean {
  const words = new Uint32Array(memory.buffer, start, (end - start) >>> 2);
  for (let i = 0; i < words.length; i++) {
    if (words[i] !== 0) return false;
  }
  return true;
}
