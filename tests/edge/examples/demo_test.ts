// The demo as a user starts it, against its embedded server.

import { assertEquals } from "@std/assert";
import "../../support/engine.ts";
import { test } from "../../support/permissions.ts";

const root = new URL("../../../", import.meta.url);

test("the demo makes two parallel calls on each backend and surface, and says that all is well", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--allow-net",
      "--allow-env",
      "--allow-read",
      "--allow-sys",
      "edge/examples/demo.ts",
      "--json",
    ],
    cwd: root,
    env: { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" },
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => JSON.parse(line));
  assertEquals(lines.at(-1), { type: "result", ok: true, problems: [] });
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertEquals(
    lines.filter(({ type }) => type === "start")
      .map(({ backend, surface }) => [backend, surface]),
    [
      ["openai", "direct"],
      ["openai", "code"],
      ["anthropic", "direct"],
      ["anthropic", "code"],
    ],
  );
  const lookups = lines.filter(({ type, receipt }) =>
    type === "tool_finished" && receipt.tool === "lookup"
  );
  assertEquals(lookups.length, 8);
});
