/**
 * Serves the example agent on this machine: `dev.ts deno` under `deno serve`,
 * `dev.ts cloudflare` on a local workerd; `--port=<number>` names another port
 * than 8787. Without a provider's key the model is
 * an embedded server that plays the part. Everybody who reaches the port may use
 * it, so it listens on the loopback only.
 *
 * @module
 */

import { startDemoModel } from "./demo_model.ts";

const root = new URL("../../", import.meta.url).pathname;

type Environment = Record<string, string>;

type Command = AsyncDisposable & { readonly command: Deno.Command };

function denoCommand(env: Environment, port: string): Command {
  return {
    command: new Deno.Command(Deno.execPath(), {
      args: [
        "serve",
        "-A",
        "--host=127.0.0.1",
        `--port=${port}`,
        "edge/examples/deno.ts",
      ],
      cwd: root,
      env,
    }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Wrangler takes variables from a file: arguments could be read by others. */
async function wranglerCommand(
  env: Environment,
  port: string,
): Promise<Command> {
  const file = await Deno.makeTempFile({ suffix: ".env" });
  const lines = Object.entries(env).map(([name, value]) =>
    `${name}=${JSON.stringify(value)}\n`
  );
  await Deno.writeTextFile(file, lines.join(""), { mode: 0o600 });
  return {
    command: new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "npm:wrangler@4.164.0",
        "dev",
        "--config=edge/wrangler.jsonc",
        `--env-file=${file}`,
        "--ip=127.0.0.1",
        `--port=${port}`,
        "--show-interactive-dev-session=false",
      ],
      cwd: root,
      env: { WRANGLER_SEND_METRICS: "false" },
    }),
    [Symbol.asyncDispose]: () => Deno.remove(file),
  };
}

/** Who answers as the model: the provider, or an embedded server. */
async function provider(): Promise<AsyncDisposable & { env: Environment }> {
  const key = Deno.env.get("ANTHROPIC_API_KEY");
  if (key !== undefined) {
    return {
      env: { ANTHROPIC_API_KEY: key },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const model = await startDemoModel();
  return {
    env: {
      ANTHROPIC_API_KEY: "embedded",
      NANOCODE_PROVIDER_URL: model.baseUrl,
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

async function main(args: readonly string[]): Promise<number> {
  const [platform, option = "--port=8787"] = args;
  const port = /^--port=(\d+)$/.exec(option)?.[1];
  if ((platform !== "deno" && platform !== "cloudflare") || !port) {
    console.error(
      'Say "deno" or "cloudflare", and --port=<number> if you like',
    );
    return 1;
  }
  await using model = await provider();
  const env = { NANOCODE_AUTH: "off", ...model.env };
  await using start = platform === "deno"
    ? denoCommand(env, port)
    : await wranglerCommand(env, port);
  const server = start.command.spawn();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      try {
        server.kill(signal);
      } catch {
        // It has ended by itself.
      }
    });
  }
  return (await server.status).code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
