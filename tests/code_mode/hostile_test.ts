import { assert, assertEquals } from "@std/assert";
import { hostileGuests, hostileLimits } from "./hostile_guests.ts";
import { cell, pool, run } from "./cells.ts";

// R32, R33, R34, R37
for (const { name, code, expect, fuel } of hostileGuests) {
  Deno.test(`hostile guest: ${name}`, async () => {
    const limits = { ...hostileLimits, fuel: fuel ?? hostileLimits.fuel };
    const parallel = run("return await tools.echo({ a: 1 })");
    const { outcome, value, error, fuelUsed } = await run(code, { limits });
    const got = outcome === "returned" ? { value } : { error: error?.kind };
    assertEquals(got, expect, error?.message);
    assert(fuelUsed <= limits.fuel);
    assertEquals((await parallel).value, '{"a":1}');
    assertEquals((await run("return [1].map((x) => x + 1)")).value, "[2]");
  });
}

Deno.test("hostile guests: run at once, each ends as it does alone", async () => {
  const cells = hostileGuests.filter(({ fuel }) => fuel === undefined);
  const results = await Promise.all(
    cells.map(({ code }) => pool.run(cell(code, { limits: hostileLimits }))),
  );
  for (const [i, { outcome, value, error }] of results.entries()) {
    const got = outcome === "returned" ? { value } : { error: error?.kind };
    assertEquals(got, cells[i]?.expect, cells[i]?.name);
  }
});

Deno.test("hostile guests: use the same fuel every time", async () => {
  for (const { code } of hostileGuests.slice(-40)) {
    const first = await run(code, { limits: hostileLimits });
    const second = await run(code, { limits: hostileLimits });
    assertEquals(second, first);
  }
});
