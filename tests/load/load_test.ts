// A short load run: as `deno task load`, with fewer turns.

import { assertEquals } from "@std/assert";
import { test } from "../support/permissions.ts";
import { courses } from "./plan.ts";
import { runLoad } from "./run.ts";

for (const platform of ["deno", "cloudflare"] as const) {
  test(`load: ${platform}: turns at once with every kind of trouble all end, each call with one receipt`, async () => {
    const turns = courses.length * 3;
    const { problems, seen } = await runLoad(platform, {
      turns,
      rounds: 1,
      nothings: 100,
      limitMs: 120_000,
    });
    assertEquals(problems, []);
    assertEquals(seen.length, turns);
  });
}
