// What the MCP endpoint brings into a Worker, and that nobody carries it who
// does not mount it.

import { assertEquals } from "@std/assert";
import { test } from "../support/permissions.ts";

const root = new URL("../../", import.meta.url).pathname;

/** Bundles as a Worker is bundled; gives the files that went into it. */
async function bundle(entry: string) {
  const esbuild = await import("esbuild");
  try {
    const { metafile, outputFiles, warnings } = await esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      conditions: ["workerd", "worker", "browser"],
      external: ["*.wasm"],
      metafile: true,
      logLevel: "silent",
    });
    assertEquals(warnings, []);
    const files = Object.keys(metafile.inputs);
    return { files, text: outputFiles[0]?.text ?? "" };
  } finally {
    await esbuild.stop();
  }
}

test("mcp.ts bundles for a Worker without Node's modules", async () => {
  const { files, text } = await bundle("edge/mcp.ts");
  assertEquals(text.match(/\bfrom\s*["']node:.*$|require\(["']node:/gm), null);
  assertEquals(files.some((file) => file.includes("ajv")), false);
});

test("the deployed Worker does not carry the protocol's library", async () => {
  const { files } = await bundle("edge/examples/worker.ts");
  assertEquals(
    files.filter((file) => /modelcontextprotocol|\bzod\b/.test(file)),
    [],
  );
});
