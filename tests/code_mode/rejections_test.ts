import { assert, assertEquals } from "@std/assert";
import { run } from "./cells.ts";

/** Programs, and what nobody caught in them. */
const programs: readonly (readonly [string, readonly string[]])[] = [
  ["tools.fail(); await tools.echo(1)", ["ToolError: It broke (line 1)"]],
  ["[1].forEach(async () => {\n  throw 'no' })", ["no"]],
  [
    "setTimeout(async () => { throw new Error('t') }, 1)\nawait new Promise((end) => setTimeout(end, 5))",
    ["Error: t (line 1)"],
  ],
  ["await Promise.all([tools.fail(), tools.echo(1)]).catch(() => {})", []],
  ["await Promise.race([tools.echo(1), tools.fail()])", []],
  [
    "const p = Promise.reject(new Error('late'))\nawait tools.echo(1)\nawait p.catch(() => {})",
    [],
  ],
  [
    "for (let i = 0; i < 5000; i++) await Promise.reject(1).catch(() => {})",
    [],
  ],
  ["Promise.reject(new Error('other')); throw new Error('own')", []],
];

for (const [code, expected] of programs) {
  Deno.test(`rejections: what nobody catches is known: ${JSON.stringify(code)}`, async () => {
    assertEquals((await run(code)).uncaughtRejections, expected);
  });
}

Deno.test("rejections: only the first are kept", async () => {
  const { outcome, uncaughtRejections } = await run(
    "for (let i = 0; i < 100; i++) Promise.reject(i); return 1",
  );
  assertEquals([outcome, uncaughtRejections.length], ["returned", 16]);
});

for (const getter of ["for (;;);", "tools.echo(1)", "throw 1"]) {
  Deno.test(`rejections: to describe one changes no result: ${getter}`, async () => {
    const { outcome, value, fuelUsed, unstartedCalls } = await run(
      `Promise.reject({ get message() { ${getter} } }); return 1`,
    );
    assertEquals([outcome, value, unstartedCalls], ["returned", "1", []]);
    assert(fuelUsed < 2_000_000, `${fuelUsed} units of fuel`);
  });
}
