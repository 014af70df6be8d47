// What of the examples a deployed Worker carries.

import { assertEquals } from "@std/assert";
import { test } from "../../support/permissions.ts";

test("the deployed Worker carries the shop's tools, and nothing of the embedded model", async () => {
  const esbuild = await import("esbuild");
  try {
    const { metafile } = await esbuild.build({
      absWorkingDir: new URL("../../../", import.meta.url).pathname,
      entryPoints: ["edge/examples/worker.ts"],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      external: ["*.wasm"],
      metafile: true,
      logLevel: "silent",
    });
    const files = Object.keys(metafile.inputs);
    assertEquals(
      files.filter((file) => file.startsWith("edge/examples/")).sort(),
      ["agent", "shop_data", "shop_tools", "worker"].map((name) =>
        `edge/examples/${name}.ts`
      ),
    );
    assertEquals(files.filter((file) => /aimock|\/zod\//.test(file)), []);
  } finally {
    await esbuild.stop();
  }
});
