/**
 * `deno task load`: three times 200 turns at once on each platform, on the loopback only.
 * Exits with 1 if a turn did not end as it must.
 *
 * @module
 */

import { reportLines } from "./report.ts";
import { runLoad } from "./run.ts";

let failed = false;
for (const platform of ["deno", "cloudflare"] as const) {
  const result = await runLoad(platform, {
    turns: 200,
    rounds: 3,
    nothings: 2000,
    limitMs: 180_000,
  });
  console.log(`${reportLines(result).join("\n")}\n`);
  failed ||= result.problems.length > 0;
}
Deno.exit(failed ? 1 : 0);
