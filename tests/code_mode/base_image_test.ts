import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  type BaseImage,
  bootImage,
  imageWithTools,
  reset,
} from "../../src/code_mode/base_image.ts";
import { Engine, EngineFault, pageBytes } from "../../src/code_mode/engine.ts";
import { runCell } from "../../src/code_mode/sandbox.ts";
import { reserveBytes } from "../../src/code_mode/stops.ts";
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
    assertEquals(engine.pages, image.pages);
  }
});

Deno.test("reset: clears memory that a cell grew", async () => {
  const { engine, image } = boot();
  const body =
    "const a = []; for (let i = 0; i < 50; i++) a.push(new Uint8Array(1e5).fill(7)); return a.length";
  await runCell(engine, image, cell(body));
  const end = image.pages * pageBytes;
  assert(engine.bytes.length > end);
  reset(engine, image);
  assert(engine.bytes.subarray(end).every((byte) => byte === 0));
});

Deno.test("reset: an instance that grew runs a cell as a new one does, to the last byte", async () => {
  const grown = boot();
  const body = "const a = []; for (let i = 0; i < 30; i++) " +
    "a.push(new Uint8Array(1e5).fill(i), 'x'.repeat(i)); return a.length";
  for (let i = 0; i < 3; i++) {
    await runCell(grown.engine, grown.image, cell(body));
  }
  const fresh = boot();
  const again = await runCell(grown.engine, grown.image, cell(body));
  assertEquals(await runCell(fresh.engine, fresh.image, cell(body)), again);
  assertEquals(fresh.engine.pages, grown.engine.pages);
  assertSameBytes(grown.engine, fresh.engine.bytes);
});

Deno.test("a cell never gets more memory than its limit and a reserve", async () => {
  const { engine, image } = boot();
  for (const memoryBytes of [0, 1e6, 5e6]) {
    const limits = { ...hostileLimits, memoryBytes, fuel: 400_000_000 };
    const body = "const a = []; for (;;) a.push(new Uint8Array(1e5))";
    const { error } = await runCell(engine, image, cell(body, { limits }));
    assertEquals(error?.kind, "memory");
    const most = image.pages * pageBytes + memoryBytes + reserveBytes;
    assert(engine.pages * pageBytes <= most + pageBytes);
  }
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
