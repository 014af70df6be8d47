// The gate before tests that need permissions. Its name makes this file the last
// of a run: what it says of the ignored tests stands beside their number.

import { assertMatch } from "@std/assert";
import { permitted, test } from "./support/permissions.ts";

if (!permitted) {
  console.log(
    "Not every permission is given: the tests that need files, the network, programs or the environment are ignored. Every test runs with: deno task test",
  );
}

const config = new URL("../deno.json", import.meta.url).pathname;
const gate = new URL("./support/permissions.ts", import.meta.url).href;

/** The counts of a run of one test behind the gate, with these flags. */
async function counts(flags: readonly string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/gated_test.ts`;
    await Deno.writeTextFile(
      file,
      `import { test } from ${JSON.stringify(gate)};\ntest("gated", () => {});`,
    );
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", `--config=${config}`, ...flags, file],
      env: { NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder().decode(stdout);
    return /^(?:ok|FAILED) \|.*(?= \()/m.exec(text)?.[0] ?? text;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

test("a test behind the gate runs with the permissions of deno.json", async () => {
  assertMatch(await counts(["-P"]), /^ok \| 1 passed \| 0 failed$/);
});

test("a test behind the gate is ignored where a permission lacks, in whole or in part", async () => {
  for (const flags of [["--no-prompt"], ["-A", "--deny-env=HOME"]]) {
    assertMatch(
      await counts(flags),
      /^ok \| 0 passed \| 0 failed \| 1 ignored$/,
    );
  }
});
