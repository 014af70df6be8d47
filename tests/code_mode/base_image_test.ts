import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type BaseImage,
  bootImage,
  imageWithTools,
  reset,
} from "../../src/code_mode/base_image.ts";
import { Engine, EngineFault } from "../../src/code_mode/engine.ts";
import { runCell } from "../../src/code_mode/sandbox.ts";
import { hostileGuests, hostileLimits } from "./hostile_guests.ts";
import { engineModule } from "../support/engine.ts";
import { cell, tools } from "./cells.ts";

function boot(): { engine: Engine; image: BaseImage } {
  const engine = new Engine(engineModule);
  const base = bootImage(engine);
  return { engine, image: imageWithTools(engine, base, JSON.stringify(tools)) };
}

function assertSameBytes(engine: Engine, image: Uint8Array): void {
  const { bytes } = engine;
  // assertEquals on megabytes is slow, and its report of no use.
  const differs = bytes.findIndex((byte, i) => byte !== (image[i] ?? 0));
  assertEquals(differs, -1);
}

Deno.test("reset: memory equals the image byte for byte after every hostile guest", async () => {
  const { engine, image } = boot();
  reset(engine, image);
  const expected = engine.bytes.slice();
  for (const { code, fuel } of hostileGuests) {
    if (fuel !== undefined) continue;
    await runCell(engine, image, cell(code, { limits: hostileLimits }));
    reset(engine, image);
    assertSameBytes(engine, expected);
    assertEquals(engine.stackPointer, image.stackPointer);
  }
});

Deno.test("reset: clears memory that a cell grew", async () => {
  const { engine, image } = boot();
  const body =
    "const a = []; for (let i = 0; i < 50; i++) a.push(new Uint8Array(1e5).fill(7)); return a.length";
  await runCell(engine, image, cell(body));
  assert(engine.bytes.length > image.memoryBytes);
  reset(engine, image);
  assert(engine.bytes.subarray(image.memoryBytes).every((byte) => byte === 0));
});

Deno.test("reset: an image starts an instance that never booted", async () => {
  const { image } = boot();
  const other = new Engine(engineModule);
  const { value } = await runCell(other, image, cell("return 1 + 1"));
  assertEquals(value, "2");
});

Deno.test("bootImage: is the same bytes every time", () => {
  const first = bootImage(new Engine(engineModule));
  const second = bootImage(new Engine(engineModule));
  assertEquals(second.pieces.length, first.pieces.length);
  for (const [i, { at, bytes }] of second.pieces.entries()) {
    assertEquals(at, first.pieces[i]?.at);
    assertEquals(bytes.length, first.pieces[i]?.bytes.length);
    assert(bytes.every((byte, j) => byte === first.pieces[i]?.bytes[j]));
  }
});

Deno.test("imageWithTools: refuses tools that are no JSON", () => {
  const engine = new Engine(engineModule);
  const base = bootImage(engine);
  assertThrows(() => imageWithTools(engine, base, "["), EngineFault);
});
