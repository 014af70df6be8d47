import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { CellCall, CellCallOutcome } from "../../src/code_mode/cell.ts";
import { defaultCellLimits } from "../support/cell_limits.ts";
import { createPool } from "../../src/code_mode/pool.ts";
import { stockOf } from "../../src/code_mode/stock.ts";
import { engineBytes, engineModule } from "../support/engine.ts";
import { answer, cell, settled } from "./cells.ts";

/** Calls that wait until the test lets them go. */
function gate() {
  const open: (() => void)[] = [];
  const call = (made: CellCall) =>
    new Promise<CellCallOutcome>((resolve) => {
      open.push(() => resolve(answer(made)));
    });
  return { open, call };
}

Deno.test("createPool: refuses to run no cells", () => {
  assertThrows(() => createPool(engineModule, { cells: 0 }), RangeError);
  assertThrows(() => createPool(engineModule, { cells: 1.5 }), RangeError);
});

Deno.test("Pool.run: a cell beyond the bound waits its turn", async () => {
  const pool = createPool(engineModule, { cells: 1 });
  const { open, call } = gate();
  const first = pool.run(cell("return await tools.echo('first')", { call }));
  const second = pool.run(cell("return 'second'"));
  const third = pool.run(cell("return 'third'"));
  await settled();
  assertEquals([pool.running, pool.waiting], [1, 2]);
  open[0]?.();
  const results = await Promise.all([first, second, third]);
  assertEquals(results.map(({ value }) => value), [
    '"first"',
    '"second"',
    '"third"',
  ]);
  assertEquals([pool.running, pool.waiting], [0, 0]);
});

Deno.test("Pool.run: a cell that is cancelled leaves the queue", async () => {
  const pool = createPool(engineModule, { cells: 1 });
  const { open, call } = gate();
  const first = pool.run(cell("return await tools.echo(1)", { call }));
  const controller = new AbortController();
  const second = pool.run(cell("return 2", { signal: controller.signal }));
  controller.abort();
  assertEquals((await second).error?.kind, "cancelled");
  assertEquals(pool.waiting, 0);
  open[0]?.();
  assertEquals((await first).value, "1");
});

Deno.test("Pool.run: its place is free again after a cell that died", async () => {
  const pool = createPool(engineModule, { cells: 1 });
  for (let i = 0; i < 3; i++) {
    const limits = { ...defaultCellLimits, fuel: 100_000 };
    await pool.run(cell("for (;;) ;", { limits }));
  }
  assertEquals(pool.running, 0);
});

Deno.test("Pool.run: refuses limits that are none", async () => {
  const pool = createPool(engineModule);
  const limits = { ...defaultCellLimits, fuel: 1.5 };
  await assertRejects(() => pool.run(cell("", { limits })), RangeError, "fuel");
});

Deno.test("Pool.run: uses an instance again", async () => {
  const pool = createPool(engineModule);
  await pool.run(cell("return 1"));
  const { made } = stockOf(engineModule);
  for (let i = 0; i < 5; i++) await pool.run(cell("return 1"));
  assertEquals(stockOf(engineModule).made, made);
});

Deno.test("Pool.run: keeps an instance that grew a little, drops one that grew much", async () => {
  const pool = createPool(engineModule);
  await pool.run(cell("return 1"));
  const { idle } = stockOf(engineModule);
  await pool.run(cell("return new Uint8Array(2e6).length"));
  assertEquals(stockOf(engineModule).idle, idle);
  await pool.run(cell("return new Uint8Array(9e6).length"));
  assertEquals(stockOf(engineModule).idle, idle - 1);
});

Deno.test("Pool.run: two first cells at once share nothing but the image", async () => {
  // R50
  const cold = new WebAssembly.Module(engineBytes);
  const controller = new AbortController();
  const { call } = gate();
  const cancelled = createPool(cold).run(
    cell("return await tools.echo(1)", { call, signal: controller.signal }),
  );
  const other = createPool(cold).run(cell("return await tools.echo(2)"));
  controller.abort();
  assertEquals((await cancelled).error?.kind, "cancelled");
  assertEquals((await other).value, "2");
  assertEquals((await createPool(cold).run(cell("return 3"))).value, "3");
});

Deno.test("Pool.run: cells with different tools see their own", async () => {
  const pool = createPool(engineModule);
  const one = [{
    name: "a",
    identifier: "a",
    description: "",
    declaration: "",
  }];
  const two = [{
    name: "b",
    identifier: "b",
    description: "",
    declaration: "",
  }];
  const body = "return Object.keys(tools)";
  for (const [tools, name] of [[one, "a"], [two, "b"], [one, "a"]] as const) {
    assertEquals((await pool.run(cell(body, { tools }))).value, `["${name}"]`);
  }
});

Deno.test("Pool.run: more sets of tools than are kept still work", async () => {
  const pool = createPool(engineModule);
  for (let i = 0; i < 20; i++) {
    const tools = [{
      name: `t${i}`,
      identifier: `t${i}`,
      description: "",
      declaration: "",
    }];
    const { value } = await pool.run(
      cell("return ALL_TOOLS[0].name", { tools }),
    );
    assertEquals(value, `"t${i}"`);
  }
});
