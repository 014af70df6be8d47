import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { CellCall } from "../../../src/code_mode/cell.ts";
import { defaultCellLimits } from "../../support/cell_limits.ts";
import { ManualClock } from "../../support/ambient.ts";
import { answer, run, settled, valueOf } from "../cells.ts";

Deno.test("Date: shows the start of the cell, in UTC", async () => {
  const body =
    "return [Date.now(), new Date().toISOString(), new Date().getTimezoneOffset(), performance.now()]";
  assertEquals(await valueOf(body), [
    1_700_000_000_000,
    "2023-11-14T22:13:20.000Z",
    0,
    0,
  ]);
});

Deno.test("Math.random: gives the same numbers for the same seed", async () => {
  const body = "return Array.from({ length: 5 }, Math.random)";
  const first = await valueOf(body, { seed: "a" });
  assertEquals(await valueOf(body, { seed: "a" }), first);
  assertNotEquals(await valueOf(body, { seed: "b" }), first);
});

Deno.test("Math.random: is spread over zero to one", async () => {
  const body =
    "let n = 0, low = 1, high = 0; for (let i = 0; i < 2000; i++) { const r = Math.random(); n += r; low = Math.min(low, r); high = Math.max(high, r) } return [n / 2000, low, high]";
  const value = await valueOf(body);
  assert(Array.isArray(value));
  const [mean, low, high] = value;
  assert(mean > 0.47 && mean < 0.53 && low >= 0 && low < 0.01 && high < 1);
});

Deno.test("setTimeout: with nothing else to do, time jumps", async () => {
  const body =
    "await new Promise((r) => setTimeout(r, 3600000)); return [Date.now() - 1700000000000, performance.now()]";
  assertEquals(await valueOf(body), [3_600_000, 3_600_000]);
});

Deno.test("setTimeout: timers fire in the order in which they are due", async () => {
  const body = `
    const seen = [];
    const at = (ms, name) => setTimeout((n) => seen.push(n), ms, name);
    at(30, 'c'); at(10, 'a'); at(20, 'b'); at(10, 'a2'); at(0, 'now'); at(-5, 'now2'); at('x', 'now3');
    const gone = at(15, 'gone'); clearTimeout(gone); clearTimeout(99); clearTimeout();
    setImmediate(() => seen.push('soon'));
    await new Promise((r) => setTimeout(r, 40));
    return seen`;
  assertEquals(await valueOf(body), [
    "now",
    "now2",
    "now3",
    "soon",
    "a",
    "a2",
    "b",
    "c",
  ]);
});

Deno.test("setTimeout: jobs run between two timers", async () => {
  const body = `
    const seen = [];
    setTimeout(() => { seen.push(1); Promise.resolve().then(() => seen.push(2)) }, 1);
    setTimeout(() => seen.push(3), 1);
    await new Promise((r) => setTimeout(r, 2));
    return seen`;
  assertEquals(await valueOf(body), [1, 2, 3]);
});

Deno.test("setInterval: fires until it is cleared", async () => {
  const body =
    "let n = 0; await new Promise((r) => { const id = setInterval(() => { if (++n === 5) { clearInterval(id); r() } }, 10) }); return [n, performance.now()]";
  assertEquals(await valueOf(body), [5, 50]);
});

Deno.test("setTimeout: refuses code as text", async () => {
  assertEquals((await run("setTimeout('1')")).error?.name, "TypeError");
});

Deno.test("setTimeout: takes real time while a call runs", async () => {
  const clock = new ManualClock();
  const body =
    "return await Promise.race([tools.hang(), new Promise((r) => setTimeout(r, 50, 'timeout'))])";
  const promise = run(body, { timer: (ms, fire) => clock.timer(ms, fire) });
  await settled();
  clock.advance(49);
  await settled();
  clock.advance(1);
  const { value, unfinishedCalls } = await promise;
  assertEquals([value, unfinishedCalls], ['"timeout"', [1]]);
});

Deno.test("setTimeout: a call that settles does not start a timer's wait again", async () => {
  const clock = new ManualClock();
  const release: (() => void)[] = [];
  const call = async (made: CellCall) => {
    if (made.name === "echo") {
      await new Promise<void>((resolve) => release.push(resolve));
    }
    return answer(made);
  };
  const body = `
    const late = new Promise((r) => setTimeout(r, 100, 'timeout'));
    const slow = tools.hang();
    await tools.echo(1);
    return await Promise.race([slow, late])`;
  const promise = run(body, {
    call,
    timer: (ms, fire) => clock.timer(ms, fire),
  });
  await settled();
  clock.advance(60);
  release[0]?.();
  await settled();
  clock.advance(40);
  assertEquals((await promise).value, '"timeout"');
});

Deno.test("store: keeps values, and load sees them at once", async () => {
  const body =
    "store('a', { n: [1] }); const a = load('a'); a.n.push(2); return [load('a'), load('old'), load('none')]";
  const { value, stored } = await run(body, { stored: { old: '"kept"' } });
  assertEquals(value, '[{"n":[1]},"kept",null]');
  assertEquals(stored, { a: '{"n":[1]}' });
});

Deno.test("store: undefined drops a key", async () => {
  const body = "store('old', undefined); return load('old') === undefined";
  const { value, stored } = await run(body, { stored: { old: "1" } });
  assertEquals([value, stored], ["true", { old: null }]);
});

Deno.test("store: keys are data, whatever they are called", async () => {
  // R31
  const body =
    "store('__proto__', { a: 1 }); return [load('__proto__'), load('constructor'), load('toString')]";
  const { value, stored } = await run(body);
  assertEquals(value, '[{"a":1},null,null]');
  assertEquals(Object.getOwnPropertyNames(stored), ["__proto__"]);
});

Deno.test("store: refuses keys and values that are none", async () => {
  for (const code of ["store(1, 2)", "load({})", "store('x'.repeat(257), 1)"]) {
    assertEquals((await run(code)).error?.name, "TypeError");
  }
  const { error } = await run("store('a', { b: () => 1 })");
  assertEquals(
    error?.message,
    "value.b is a function, which JSON cannot carry",
  );
});

Deno.test("store: refuses more than its limit, and says so", async () => {
  const limits = { ...defaultCellLimits, storeBytes: 60 };
  const body =
    "store('a', 'x'.repeat(20)); try { store('b', 'x'.repeat(20)) } catch (e) { return [e.code, e.message] }";
  const { value, stored } = await run(body, { limits });
  assertEquals(
    value,
    '["store","A cell may store 60 bytes; this needs 84"]',
  );
  assertEquals(Object.keys(stored), ["a"]);
});

Deno.test("budget: shows what the host says, and the fuel", async () => {
  const value = await valueOf("return budget()", {
    budget: () => ({ calls: 7 }),
  });
  assert(typeof value === "object" && value !== null && "fuel" in value);
  const { fuel, ...rest } = value;
  assertEquals(rest, { calls: 7 });
  assert(Number(fuel) > 0 && Number(fuel) < defaultCellLimits.fuel);
});

Deno.test("budget: survives a host that fails", async () => {
  const broken = () => {
    throw new Error("secret");
  };
  const body = "return Object.keys(budget())";
  assertEquals(await valueOf(body, { budget: broken }), ["fuel"]);
  assertEquals(await valueOf(body, { budget: () => ({ n: 1n }) }), ["fuel"]);
  assertEquals(await valueOf(body, { budget: () => "words" }), ["fuel"]);
});
