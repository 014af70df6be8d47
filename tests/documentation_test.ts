// Every exported name of every entry point is documented.

import { assertEquals } from "@std/assert";
import { test } from "./support/permissions.ts";

const root = new URL("../", import.meta.url);

async function entryPoints(): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("deno.json", root));
  const { exports }: { exports: Record<string, string> } = JSON.parse(text);
  return Object.values(exports).filter((path) => path.endsWith(".ts"));
}

test("all entry points are documented without a gap", async () => {
  const paths = await entryPoints();
  assertEquals(paths.length > 5, true);
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--lint", ...paths],
    cwd: root,
    env: { NO_COLOR: "1" },
  }).output();
  const [printed, complaints] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  );
  const found = `${printed}${complaints}`.split("\n")
    .filter((line) => line.startsWith("error["));
  // Another package's class: whoever mounts the app has it from there. That it is
  // found shows that the check ran.
  const [foreign, own] = [true, false].map((isHono) =>
    found.filter((line) =>
      line.endsWith("references private type 'Hono'") === isHono
    )
  );
  assertEquals(foreign?.length, 3);
  assertEquals(own, []);
});
