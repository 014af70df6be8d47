/**
 * A Worker on a workerd of its own, without wrangler, which takes longer to
 * start than what is timed here.
 *
 * @module
 */

import * as esbuild from "esbuild";
import workerd, { compatibilityDate } from "workerd";
import type { FirstCells } from "./first_cells.ts";

/** The package has no types. */
const binary: string = workerd.default;

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [
    (name = "main.js", esModule = embed "main.js"),
    (name = "engine.wasm", wasm = embed "engine.wasm"),
  ],
  compatibilityDate = "${compatibilityDate}",
);
`;

/**
 * Bundles the Worker.
 *
 * @param folder Where to put it, with workerd's configuration.
 */
export async function bundleWorker(folder: string): Promise<void> {
  try {
    await esbuild.build({
      entryPoints: [new URL("./worker.ts", import.meta.url).pathname],
      outfile: `${folder}/main.js`,
      bundle: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      loader: { ".wasm": "copy" },
      assetNames: "[name]",
      logLevel: "silent",
    });
  } finally {
    await esbuild.stop();
  }
  await Deno.writeTextFile(`${folder}/config.capnp`, config);
}

/**
 * Starts workerd, and sends it one request.
 *
 * @param folder What {@link bundleWorker} made.
 * @returns The answer, and the milliseconds until workerd listened.
 */
export async function askWorker(
  folder: string,
): Promise<FirstCells & { readonly listening: number }> {
  const start = performance.now();
  const process = new Deno.Command(binary, {
    args: ["serve", "config.capnp", "--control-fd=1"],
    cwd: folder,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  try {
    const port = await portOf(process.stdout);
    const listening = performance.now() - start;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const answer: FirstCells = await response.json();
    return { ...answer, listening };
  } finally {
    process.kill("SIGKILL");
    await process.status;
  }
}

/** Where it listens: it says so in a line of JSON. */
async function portOf(
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<number> {
  let printed = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    printed += text;
    const [, port] = /"port":(\d+)/.exec(printed) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`workerd did not start: ${printed}`);
}
