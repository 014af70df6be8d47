import { assert, assertEquals } from "@std/assert";
import { MeterError } from "../../../src/code_mode/build/meter_error.ts";
import {
  firstDifference,
  metered,
  type Running,
  start,
  wat,
} from "./modules.ts";
import { morePrograms } from "./more_programs.ts";
import { programs } from "./programs.ts";
import { randomFrom } from "./random.ts";

const modules = [...programs, ...morePrograms].map(({ text }) => wat(text))
  .filter(({ length }) => length < 1000);

/** Bytes that mean something: block types, opcodes, prefixes, LEB128's ends. */
const telling = [
  ...[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0b, 0x0c, 0x0e, 0x10, 0x11],
  ...[0x12, 0x1f, 0x26, 0x40, 0x60, 0x63, 0x64, 0x6f, 0x70, 0x7f, 0x80, 0xd0],
  ...[0xd2, 0xfb, 0xfc, 0xfd, 0xfe, 0xff],
];

/** Changes, adds, takes away or doubles a few bytes. */
function mutated(
  bytes: Uint8Array<ArrayBuffer>,
  random: (below: number) => number,
): Uint8Array<ArrayBuffer> {
  const changed = [...bytes];
  for (let count = 1 + random(2); count > 0; count--) {
    // The first eight bytes are always the same: there is little to find.
    const at = 8 + random(changed.length - 8);
    const byte = telling[random(telling.length)] ?? 0;
    switch (random(6)) {
      case 0:
        changed[at] = random(256);
        break;
      case 1:
        changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
        break;
      case 2:
        changed.splice(at, 0, byte);
        break;
      case 3:
        changed.splice(at, 1 + random(3));
        break;
      case 4:
        changed.splice(at, 0, ...changed.slice(at, at + random(12)));
        break;
      default:
        changed[at] = byte;
    }
  }
  return Uint8Array.from(changed);
}

/** Meters what may be no module; gives nothing where it is refused. */
function attempt(
  bytes: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> | undefined {
  try {
    return metered(bytes);
  } catch (error) {
    if (!(error instanceof MeterError)) throw error;
    assert(error.offset >= 0 && error.offset <= bytes.length, error.message);
    assert(!error.message.includes("once it is metered"), error.message);
    return undefined;
  }
}

const fuel = 5000;

/** Whatever a module exports, it ends; as the original does, unless fuel ends it. */
function compare(
  original: Uint8Array<ArrayBuffer>,
  paid: Uint8Array<ArrayBuffer>,
): number {
  const module = new WebAssembly.Module(original);
  if (WebAssembly.Module.imports(module).length > 0) return 0;
  let compared = 0;
  for (const { name, kind } of WebAssembly.Module.exports(module)) {
    if (kind !== "function") continue;
    const [before, after] = [started(original), started(paid)];
    // The data may not fit the memory.
    assertEquals(before === undefined, after === undefined);
    if (before === undefined || after === undefined) return compared;
    const end = called(after, name);
    if (after.fuel < 0) continue;
    compared++;
    assertEquals(end, called(before, name), name);
    assertEquals(firstDifference(after.memory, before.memory), -1, name);
  }
  return compared;
}

function called(running: Running, name: string): unknown {
  try {
    // Texts become numbers of whatever type is asked for.
    return running.call(name, "3", "2", "1");
  } catch (error) {
    // A parameter is a function.
    if (error instanceof TypeError) return "not called";
    throw error;
  }
}

function started(bytes: Uint8Array<ArrayBuffer>): Running | undefined {
  try {
    return start(bytes, fuel);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return undefined;
    throw error;
  }
}

Deno.test("meter: mutated modules are refused, or run as they would, until fuel ends", () => {
  for (const bytes of modules) assert(attempt(bytes) !== undefined);
  const random = randomFrom(20);
  let compared = 0;
  for (let round = 0; round < 2000; round++) {
    const bytes = modules[random(modules.length)];
    if (bytes === undefined) continue;
    const changed = mutated(bytes, random);
    const result = attempt(changed);
    if (result !== undefined) compared += compare(changed, result);
  }
  // Else the loop would prove nothing of what passes.
  assert(compared > 200, String(compared));
});

Deno.test("meter: a module cut short is refused, unless it is one without its end", () => {
  for (const bytes of modules) {
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      assert(attempt(cut) === undefined || WebAssembly.validate(cut));
    }
  }
});
