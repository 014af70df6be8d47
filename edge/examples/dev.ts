/**
 * Serves the example agent on this machine: `dev.ts deno` under `deno serve`,
 * `dev.ts cloudflare` on a local workerd; `--port=<number>` names another port
 * than 8787. Without a provider's key the model is an embedded server that plays
 * the part. Everybody who reaches the port may use it, so it listens on the
 * loopback only.
 *
 * @module
 */

import { configFor, suggestions } from "./agent.ts";
import { startShopModel } from "./shop_model.ts";

const root = new URL("../../", import.meta.url);

/** So long the embedded model takes for a few words, as a real one would. */
const answerChunkMs = 12;

// Windows knows no other. A terminal that is closed says SIGHUP.
const signals: readonly Deno.Signal[] = Deno.build.os === "windows"
  ? ["SIGINT"]
  : ["SIGINT", "SIGTERM", "SIGHUP"];

/** What reaches the agent of this process's environment. */
const names = [
  "ANTHROPIC_API_KEY",
  "OPENAI_API_KEY",
  "NANOCODE_MODEL",
  "NANOCODE_PROVIDER_URL",
];

type Environment = Record<string, string>;

type Command = AsyncDisposable & {
  readonly command: Deno.Command;
  /** The server answers: deletes what only its start needed. */
  started(): Promise<void>;
};

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
    started: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/**
 * Wrangler takes variables from a file: arguments could be read by others. It
 * reads the file when it starts, and again only where its configuration changes;
 * after that it wants to be started anew.
 */
async function wranglerCommand(
  env: Environment,
  port: string,
): Promise<Command> {
  const file = await Deno.makeTempFile({ suffix: ".env" });
  const lines = Object.entries(env).map(([name, value]) =>
    `${name}=${JSON.stringify(value)}\n`
  );
  await Deno.writeTextFile(file, lines.join(""), { mode: 0o600 });
  let removed: Promise<void> | undefined;
  const remove = () => removed ??= Deno.remove(file);
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
    started: remove,
    [Symbol.asyncDispose]: remove,
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

/** Whether the server answers before it has ended. */
async function begins(url: string, ended: AbortSignal): Promise<boolean> {
  while (!(await answers(url, ended))) {
    if (ended.aborted) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

/** Says what to open and to ask. */
function announce(url: string, model: string): void {
  console.log(`
Open ${url}/ and ask, for instance:

${suggestions.map((suggestion) => `  ${suggestion}`).join("\n")}
  Look at the tyres. Make a mistake in your first program

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
  const endWithThis = endOnSignals();
  await using start = platform === "deno"
    ? denoCommand(env, port)
    : await wranglerCommand(env, port);
  const server = start.command.spawn();
  endWithThis(server);
  const ended = new AbortController();
  const url = `http://127.0.0.1:${port}`;
  const begun = begins(url, ended.signal).then(async (isUp) => {
    if (!isUp) return;
    await start.started();
    announce(url, model.name);
  });
  const { code } = await server.status;
  ended.abort();
  await begun;
  return code;
}

/**
 * Ends a server with this process, which then tidies up. It listens before there
 * is anything to tidy up; the server comes later.
 */
function endOnSignals(): (server: Deno.ChildProcess) => void {
  let running: Deno.ChildProcess | undefined;
  let asked: Deno.Signal | undefined;
  const end = () => {
    if (asked === undefined) return;
    try {
      running?.kill(asked === "SIGHUP" ? "SIGTERM" : asked);
    } catch {
      // It has ended by itself.
    }
  };
  for (const signal of signals) {
    Deno.addSignalListener(signal, () => {
      asked = signal;
      end();
    });
  }
  return (server) => {
    running = server;
    end();
  };
}

if (import.meta.main) Deno.exit(await main(Deno.args));
