// The development servers, as a user starts them: each task says what to open
// and gives a working server, and every `curl` line, its own and the README's,
// works against it as it is printed.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Receipt } from "nanocode-wasm";
import readme from "../../../README.md" with { type: "text" };
import { test } from "../../support/permissions.ts";
import { getJson } from "../client.ts";
import { type ServerProcess, startProcess } from "../server_process.ts";
import { overlap } from "./overlap.ts";

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

async function start(
  platform: string,
  port: number,
  folder: string,
): Promise<ServerProcess> {
  return await startProcess(["task", `dev:${platform}`, `--port=${port}`], {
    ANTHROPIC_API_KEY: "",
    OPENAI_API_KEY: "",
    NANOCODE_KV_PATH: `${folder}/kv`,
  });
}

/** What the task tells its user, which comes once the server answers. */
async function guideOf(server: ServerProcess): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    const [guide] = /\nOpen [\s\S]*\nThe model: .*\n/.exec(server.output()) ??
      [];
    if (guide !== undefined) return guide;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing is said of what to open:\n${server.output()}`);
}

/** That calls of the last turn ran in parallel, directly and from a program. */
function assertNestedAndParallel(receipts: readonly Receipt[]): void {
  const cell = receipts.find(({ tool }) => tool === "exec");
  const nested = receipts.filter(({ parentId }) => parentId === cell?.id);
  const direct = receipts.filter(({ tool }) => tool === "stock");
  assertEquals(cell?.outcome, "succeeded");
  assertEquals(direct.map(({ surface }) => surface), Array(8).fill("direct"));
  assertEquals(
    nested.map(({ tool, outcome }) => `${tool} ${outcome}`),
    [
      ...Array(8).fill("demand succeeded"),
      "suppliers succeeded",
      "suppliers succeeded",
      "suppliers failed",
      "suppliers succeeded",
    ],
  );
  assert(overlap(direct));
  assert(overlap(nested));
}

for (const platform of ["deno", "cloudflare"]) {
  test(`dev:${platform} says what to open, and its curl line gives a nested, parallel turn`, async () => {
    const port = freePort();
    const folder = await Deno.makeTempDir();
    try {
      await using server = await start(platform, port, folder);
      const guide = await guideOf(server);
      assertStringIncludes(guide, `Open http://127.0.0.1:${port}/ `);
      const page = await server.send("/");
      assertStringIncludes(await page.text(), "<title>");
      const [line = ""] = /^ +curl [^\n]*\\\n.*$/m.exec(guide) ?? [];
      const session = `s-${crypto.randomUUID()}`;
      const printed = await run(line.replace("/demo/", `/${session}/`));
      assertStringIncludes(printed, "event: end");
      assertStringIncludes(printed, "Short within two weeks: helmet, lamp");
      const { receipts } = await getJson(server.send, `/sessions/${session}`);
      assertNestedAndParallel(receipts);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  test({
    name: `dev:${platform} serves what the README's lines ask for`,
    ignore: blocks.length === 0,
    async fn() {
      const port = freePort();
      const folder = await Deno.makeTempDir();
      try {
        await using _server = await start(platform, port, folder);
        for (const block of blocks) {
          const printed = await run(block.replaceAll("8787", `${port}`));
          assertStringIncludes(printed, '{"status":"ok"}');
          assertStringIncludes(printed, "event: end");
          assertStringIncludes(printed, "hort within two weeks");
          const last = JSON.parse(
            printed.slice(printed.lastIndexOf('{"id":"demo"')),
          );
          assertEquals(last.id, "demo");
          assertEquals(
            last.turns.map((t: { end: { stopReason: string } }) =>
              t.end.stopReason
            ),
            Array(last.turns.length).fill("completed"),
          );
        }
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

/** The files with variables in a folder for temporary files. */
function filesOfVariables(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => name.endsWith(".env"));
}

test("dev:cloudflare leaves no file with a key: not while it serves, not when its terminal is closed", async () => {
  const folder = await Deno.makeTempDir();
  const start = (port: number) =>
    new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "edge/examples/dev.ts",
        "cloudflare",
        `--port=${port}`,
      ],
      cwd: new URL("../../../", import.meta.url),
      env: {
        ANTHROPIC_API_KEY: "secret",
        TMPDIR: folder,
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
      },
      stdout: "piped",
      stderr: "null",
    }).spawn();
  try {
    for (const isServing of [true, false]) {
      const server = start(freePort());
      const output = server.stdout.pipeThrough(new TextDecoderStream());
      if (isServing) {
        for await (const text of output.values({ preventCancel: true })) {
          if (text.includes("The model: ")) break;
        }
        assertEquals(filesOfVariables(folder), []);
      } else {
        while (filesOfVariables(folder).length === 0) {
          await new Promise((resolve) => setTimeout(resolve));
        }
      }
      server.kill("SIGHUP");
      await output.cancel();
      await server.status;
      assertEquals(filesOfVariables(folder), []);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

test("dev refuses a port that is taken, before it says anything else", async () => {
  using listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "edge/examples/dev.ts", "deno", `--port=${port}`],
    cwd: new URL("../../../", import.meta.url),
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assertEquals(
    [code, text(stdout), text(stderr)],
    [1, "", `Port ${port} is taken; name another: --port=<number>\n`],
  );
});
