/**
 * Starts the test servers: `deno serve`, and workerd under wrangler.
 *
 * @module
 */

import { token } from "../client.ts";
import { type ServerProcess, startProcess } from "../server_process.ts";
import { agents } from "./agent.ts";

/** A platform that a test server runs on. */
export type Platform = "deno" | "cloudflare";

/**
 * Starts the server of all test agents.
 *
 * @param platform What it runs on.
 * @param providerUrl The model's address.
 * @param folder Where it keeps its sessions.
 */
export async function startServer(
  platform: Platform,
  providerUrl: string,
  folder: string,
): Promise<ServerProcess> {
  const env = { NANOCODE_TOKEN: token, NANOCODE_PROVIDER_URL: providerUrl };
  return platform === "deno"
    ? await startProcess([
      "serve",
      "-A",
      "--host=127.0.0.1",
      "--port=0",
      "tests/edge/servers/deno.ts",
    ], { ...env, NANOCODE_KV_PATH: `${folder}/kv` })
    : await startWorker(
      "worker.ts",
      folder,
      env,
      agents.map((_, index) => ({
        name: `AGENT_${index}`,
        class_name: `Agent${index}`,
      })),
    );
}

/** A Durable Object class, and what its objects are bound to. */
export type ObjectBinding = {
  readonly name: string;
  readonly class_name: string;
};

/**
 * Starts a Worker on a local workerd, with the settings of the example
 * deployment.
 *
 * @param main The Worker's file, in this folder.
 * @param folder Where wrangler keeps the objects, and its own files.
 * @param vars The Worker's variables.
 * @param bindings Its Durable Object classes.
 */
export async function startWorker(
  main: string,
  folder: string,
  vars: Record<string, string>,
  bindings: readonly ObjectBinding[],
): Promise<ServerProcess> {
  const { compatibility_date, compatibility_flags } = await deployment();
  await bundle(main, folder);
  const config = `${folder}/wrangler.json`;
  await Deno.writeTextFile(
    config,
    JSON.stringify({
      name: "nanocode-wasm-test",
      main: "bundle/main.js",
      compatibility_date,
      compatibility_flags,
      vars,
      services: [{ binding: "SELF", service: "nanocode-wasm-test" }],
      durable_objects: { bindings },
      migrations: bindings.length === 0 ? [] : [{
        tag: "v1",
        new_sqlite_classes: bindings.map(({ class_name }) => class_name),
      }],
    }),
  );
  return await startProcess([
    "run",
    "-A",
    "npm:wrangler@4.164.0",
    "dev",
    // Wrangler's own bundling would start anew whenever a source file changes.
    "--no-bundle",
    `--config=${config}`,
    `--persist-to=${folder}/state`,
    "--ip=127.0.0.1",
    "--port=0",
    "--inspector-port=0",
    "--show-interactive-dev-session=false",
  ], {});
}

async function bundle(main: string, folder: string): Promise<void> {
  const esbuild = await import("esbuild");
  try {
    await esbuild.build({
      entryPoints: [new URL(main, import.meta.url).pathname],
      outfile: `${folder}/bundle/main.js`,
      bundle: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      loader: { ".wasm": "copy" },
      logLevel: "silent",
    });
  } finally {
    await esbuild.stop();
  }
}

/** The example deployment's settings. */
async function deployment(): Promise<Record<string, unknown>> {
  const file = new URL("../../../edge/wrangler.jsonc", import.meta.url);
  const text = await Deno.readTextFile(file);
  return JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ""));
}
