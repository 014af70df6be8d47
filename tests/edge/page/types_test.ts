import { assertEquals } from "@std/assert";
import { test } from "../../support/permissions.ts";

const page = new URL("../../../edge/page/", import.meta.url).pathname;

test("client: fits its types, with those of a browser", async () => {
  // Alone: a browser's types and Deno's cannot stand in one program.
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "check",
      "--quiet",
      "--no-lock",
      `--config=${page}client.json`,
      `${page}client/`,
    ],
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(success, true, new TextDecoder().decode(stderr));
});
