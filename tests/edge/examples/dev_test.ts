// The development servers, as the README says: each task gives a working server,
// and every `curl` line works against it as it is printed.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { startProcess } from "../server_process.ts";

const readme = await Deno.readTextFile(
  new URL("../../../README.md", import.meta.url),
);

/** The blocks of shell code that talk to the development server. */
const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, block = ""]) => block)
  .filter((block) => block.includes("localhost:8787"));

function freePort(): number {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  return listener.addr.port;
}

async function run(script: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-euc", script],
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert(success, `${new TextDecoder().decode(stderr)}\n${text}`);
  return text;
}

for (const platform of ["deno", "cloudflare"]) {
  Deno.test({
    name: `dev:${platform} serves what the README's lines ask for`,
    ignore: blocks.length === 0,
    async fn() {
      const port = freePort();
      await using _server = await startProcess(
        ["task", `dev:${platform}`, `--port=${port}`],
        {},
      );
      for (const block of blocks) {
        const printed = await run(block.replaceAll("8787", `${port}`));
        assertStringIncludes(printed, '{"status":"ok"}');
        assertStringIncludes(printed, "event: end");
        assertStringIncludes(printed, "The values are ALPHA and BETA.");
        const last = JSON.parse(printed.slice(printed.lastIndexOf('{"id":"demo"')));
        assertEquals(last.id, "demo");
        assertEquals(
          last.turns.map((t: { end: { stopReason: string } }) =>
            t.end.stopReason
          ),
          Array(last.turns.length).fill("completed"),
        );
      }
    },
  });
}
