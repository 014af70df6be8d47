/**
 * Serves the example agent on this machine: `dev.ts deno` under `deno serve`,
 * `dev.ts cloudflare` on a local workerd; `--port=<number>` names another port
 * than 8787. Without a provider's key the model is an embedded server that plays
 * the part. Everybody who reaches the port may use it, so it listens on the
 * loopback only.
 *
 * @module
 */

import { configFor } from "./agent.ts";
import { startShopModel } from "./shop_model.ts";

const root = new URL("../../", import.meta.url);

/** So long the embedded model takes for a few words, as a real one would. */
const answerChunkMs = 12;

// Windows knows no other.
const signals: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM"];

/** What reaches the agent of this process's environment. */
const names = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "NANOCODE_MODEL",
  "NANOCODE_PROVIDER_URL",
];

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

/** Who answers as the model. */
type Provider = AsyncDisposable & {
  readonly name: string;
  readonly env: Environment;
};

/** The provider whose key there is, or an embedded server. */
async function provider(): Promise<Provider> {
  const given = Object.fromEntries(
    names.flatMap((name) => {
      const value = Deno.env.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  if (given.ANTHROPIC_API_KEY || given.OPENAI_API_KEY) {
    const { backend, model } = configFor(given);
    return {
      name: `${model} of ${backend}`,
      env: given,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }
  const model = await startShopModel(answerChunkMs);
  return {
    name:
      "embedded (set ANTHROPIC_API_KEY or OPENAI_API_KEY for a provider's own)",
    env: {
      ANTHROPIC_API_KEY: "embedded",
      NANOCODE_MODEL: "embedded",
      NANOCODE_PROVIDER_URL: model.baseUrl,
    },
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

function isFree(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch {
    return false;
  }
}

/** Says what to open and to ask, once the server answers. */
async function announce(
  url: string,
  model: string,
  ended: AbortSignal,
): Promise<void> {
  while (!(await answers(url, ended))) {
    if (ended.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log(`
Open ${url}/ and ask, for instance:

  Which products run short within two weeks?
  Order 20 helmets, and the lamps that are missing
  How many tyres are there? Make a mistake in your first program

Or ask from a shell:

  curl -N ${url}/sessions/demo/turns -H 'content-type: application/json' \\
    -d '{"input":"Which products run short?"}'

The model: ${model}
`);
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
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
  if (!isFree(Number(port))) {
    console.error(`Port ${port} is taken; name another: --port=<number>`);
    return 1;
  }
  await using model = await provider();
  const env = { NANOCODE_AUTH: "off", ...model.env };
  await using start = platform === "deno"
    ? denoCommand(env, port)
    : await wranglerCommand(env, port);
  const server = start.command.spawn();
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      try {
        server.kill(signal);
      } catch {
        // It has ended by itself.
      }
    });
  }
  const ended = new AbortController();
  const url = `http://127.0.0.1:${port}`;
  const announced = announce(url, model.name, ended.signal);
  const { code } = await server.status;
  ended.abort();
  await announced;
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
