// What `deno task deploy:cloudflare` would upload: it builds, and it is small.

import { assert } from "@std/assert";
import { test } from "../support/permissions.ts";

/** 400 kB for the whole upload, compressed, in KiB as wrangler counts it. */
const limitKib = 400_000 / 1024;

test("the Worker builds, and its whole upload is small", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { success, stdout, stderr } = await new Deno.Command(
      Deno.execPath(),
      {
        args: ["task", "deploy:cloudflare", "--dry-run", `--outdir=${folder}`],
        cwd: new URL("../../", import.meta.url).pathname,
        env: { NO_COLOR: "1", WRANGLER_SEND_METRICS: "false" },
      },
    ).output();
    const text = new TextDecoder().decode(stdout);
    assert(success, `${new TextDecoder().decode(stderr)}\n${text}`);
    const [, kib] = /Total Upload: .* gzip: ([\d.]+) KiB/.exec(text) ?? [];
    assert(kib !== undefined, text);
    assert(Number(kib) <= limitKib, `${kib} KiB`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
