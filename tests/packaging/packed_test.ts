// What a user gets from the published package, in projects of their own.

import { assert, assertEquals, assertMatch } from "@std/assert";
import { startDemoModel } from "../../edge/examples/demo_model.ts";
import { noBrowser, startBrowser } from "../edge/page/browser.ts";
import { startProcess } from "../edge/server_process.ts";
import type { Send } from "../edge/client.ts";
import { test } from "../support/permissions.ts";
import { sse } from "../support/stream_server.ts";
import { type ScriptedStep, wireEvents } from "../support/wire.ts";
import { makeProject } from "./project.ts";

const wrangler = "npm:wrangler@4.164.0";

/** The agent of all three projects; each fills in how it gets the engine. */
const agent = `
import { open } from "@nanocode/wasm";

export async function ask(baseUrl, surface, wasm) {
  await using agent = await open({
    backend: "anthropic",
    model: "any",
    surfaces: [surface],
    tools: [{
      name: "lookup",
      description: "Look up the value stored under a key.",
      parameters: {
        type: "object",
        properties: { key: { type: "string" } },
        required: ["key"],
      },
    }],
  }, {
    baseUrl,
    apiKey: "any",
    wasm,
    tools: { call: (name, { key }) => ({ name, value: key.toUpperCase() }) },
  });
  const { text, receipts } = await agent.prompt("Look up alpha and beta").result();
  return { text, calls: receipts.map(({ tool, outcome }) => tool + " " + outcome) };
}
`
  // Node 20 has no explicit resource management.
  .replace("await using agent", "const agent");

/** The same agent behind the HTTP API, on either platform. */
function served(platform: "cloudflare" | "deno"): string {
  const [head, options, foot] = platform === "deno"
    ? [
      `import { denoServer } from "@nanocode/wasm/deno";
const env = { MODEL: Deno.env.get("MODEL") };`,
      "options: () => live(env), auth, kvPath: ':memory:'",
      "export default denoServer(parts);",
    ]
    : [
      `import engine from "@nanocode/wasm/engine";
import { cloudflare } from "@nanocode/wasm/cloudflare";`,
      "options: (env) => live(env, engine), auth, namespace: (env) => env.SESSIONS",
      "const { app, Session } = cloudflare(parts);\nexport { Session };\nexport default app;",
    ];
  return `${head}
const config = {
  backend: "anthropic",
  model: "any",
  tools: [{
    name: "lookup",
    description: "Look up the value stored under a key.",
    parameters: {
      type: "object",
      properties: { key: { type: "string" } },
      required: ["key"],
    },
  }],
};
const live = (env, wasm) => ({
  baseUrl: env.MODEL,
  apiKey: "any",
  wasm,
  tools: { call: (name, { key }) => ({ name, value: key.toUpperCase() }) },
});
const auth = () => ({ tokens: ["a-token-for-this-test-only-0123"] });
const parts = { config, ${options} };
${foot}
`;
}

async function checkServed(send: Send): Promise<void> {
  const path = "/sessions/one/turns";
  const body = JSON.stringify({ input: "Look up alpha and beta" });
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
  };
  const refused = await send(path, { method: "POST", headers, body });
  assertEquals(refused.status, 401);
  await refused.body?.cancel();
  const response = await send(path, {
    method: "POST",
    headers: {
      ...headers,
      authorization: "Bearer a-token-for-this-test-only-0123",
    },
    body,
  });
  const { end } = await response.json();
  assertEquals([response.status, end.text], [
    200,
    "The values are ALPHA and BETA.",
  ]);
  const authorization = "Bearer a-token-for-this-test-only-0123";
  // Answered at once, and the turn goes on: also where the platform aborts the
  // request's signal after every answer.
  const started = await send("/sessions/two/turns", {
    method: "POST",
    headers: { ...headers, authorization, prefer: "respond-async" },
    body,
  });
  await started.body?.cancel();
  assertEquals(started.status, 202);
  const events = await send(`${started.headers.get("location")}/events`, {
    headers: { authorization },
  });
  assertMatch(await events.text(), /"stopReason":"completed"/);
}

/** Serves a script, the engine, and a model that writes a program once. */
function serveBrowser(script: string, engine: Uint8Array<ArrayBuffer>) {
  const steps: ScriptedStep[] = [
    {
      calls: [{
        id: "cell_1",
        name: "exec",
        arguments: '{"code":"return 6 * 7"}',
      }],
    },
    { text: "42" },
  ];
  const type = (value: string) => ({ headers: { "content-type": value } });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ url }) => {
      switch (new URL(url).pathname) {
        case "/":
          return new Response("<!doctype html>", type("text/html"));
        case "/script.js":
          return new Response(script, type("text/javascript"));
        case "/engine.wasm":
          return new Response(engine, type("application/wasm"));
        case "/model":
          return new Response(
            sse(wireEvents("anthropic", steps.shift() ?? { text: "no more" })),
            type("text/event-stream"),
          );
        default:
          return new Response(null, { status: 404 });
      }
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const calls = {
  direct: ["lookup succeeded", "lookup succeeded"],
  code: ["exec succeeded", "lookup succeeded", "lookup succeeded"],
};

test("the packed package", async (test) => {
  await using model = await startDemoModel();
  await using project = await makeProject(["typescript@6.0.3"]);
  await project.write("agent.js", agent);
  const check = (printed: string) => {
    for (const line of printed.trim().split("\n")) {
      const { surface, text, calls: made } = JSON.parse(line);
      assertEquals(text, "The values are ALPHA and BETA.");
      assertEquals(made, calls[surface === "code" ? "code" : "direct"]);
    }
  };

  await test.step("runs in a plain Node script", async () => {
    await project.write(
      "script.js",
      `import engine from "@nanocode/wasm/engine-node";
import { ask } from "./agent.js";
for (const surface of ["direct", "code"]) {
  console.log(JSON.stringify({ surface, ...await ask(process.argv[2], surface, engine) }));
}
`,
    );
    check(await project.run("node", ["script.js", model.baseUrl]));
  });

  await test.step("runs in a Deno app, which finds the engine by itself", async () => {
    await project.write(
      "app.ts",
      `import { ask } from "./agent.js";
for (const surface of ["direct", "code"] as const) {
  console.log(JSON.stringify({ surface, ...await ask(Deno.args[0], surface) }));
}
`,
    );
    check(
      await project.run(Deno.execPath(), [
        "run",
        "--no-check",
        "--node-modules-dir=manual",
        "-A",
        "app.ts",
        model.baseUrl,
      ]),
    );
  });

  await test.step("runs in a Worker", async () => {
    await project.write(
      "worker.js",
      `import engine from "@nanocode/wasm/engine";
import { ask } from "./agent.js";
export default {
  async fetch(request, env) {
    const surface = new URL(request.url).pathname.slice(1);
    return Response.json({ surface, ...await ask(env.MODEL, surface, engine) });
  },
};
`,
    );
    await project.write(
      "wrangler.jsonc",
      JSON.stringify({
        name: "user",
        main: "worker.js",
        compatibility_date: "2026-08-01",
        vars: { MODEL: model.baseUrl },
      }),
    );
    const config = `--config=${project.folder}/wrangler.jsonc`;
    const dry = await project.run(Deno.execPath(), [
      "run",
      "-A",
      wrangler,
      "deploy",
      "--dry-run",
      config,
    ]);
    assertMatch(dry, /Total Upload/);
    await using server = await startProcess([
      "run",
      "-A",
      wrangler,
      "dev",
      config,
      "--ip=127.0.0.1",
      "--port=0",
      "--inspector-port=0",
      "--show-interactive-dev-session=false",
    ], {});
    for (const surface of ["direct", "code"]) {
      const response = await server.send(`/${surface}`, {});
      check(await response.text());
    }
  });

  await test.step("serves the HTTP API from a Worker of the user's", async () => {
    await project.write("served.js", served("cloudflare"));
    await project.write(
      "served.jsonc",
      JSON.stringify({
        name: "served",
        main: "served.js",
        compatibility_date: "2026-08-01",
        compatibility_flags: [
          "enable_request_signal",
          "request_signal_passthrough",
        ],
        durable_objects: {
          bindings: [{ name: "SESSIONS", class_name: "Session" }],
        },
        migrations: [{ tag: "v1", new_sqlite_classes: ["Session"] }],
        vars: { MODEL: model.baseUrl },
      }),
    );
    await using server = await startProcess([
      "run",
      "-A",
      wrangler,
      "dev",
      `--config=${project.folder}/served.jsonc`,
      "--ip=127.0.0.1",
      "--port=0",
      "--inspector-port=0",
      "--show-interactive-dev-session=false",
    ], {});
    await checkServed(server.send);
  });

  await test.step("serves the HTTP API from a Deno app of the user's", async () => {
    await project.write("served.ts", served("deno"));
    await using server = await startProcess([
      "serve",
      "--no-check",
      "--unstable-kv",
      "--node-modules-dir=manual",
      "-A",
      "--host=127.0.0.1",
      "--port=0",
      `${project.folder}/served.ts`,
    ], { MODEL: model.baseUrl });
    await checkServed(server.send);
  });

  await test.step({
    name: "runs a cell in a browser",
    ignore: noBrowser,
    async fn() {
      await project.write(
        "browser.js",
        `import { open } from "@nanocode/wasm";
export async function run(events) {
  const wasm = await WebAssembly.compileStreaming(fetch("/engine.wasm"));
  const agent = await open({
    backend: "anthropic",
    model: "any",
    surfaces: ["code"],
  }, {
    apiKey: "any",
    wasm,
    fetch: () => fetch("/model"),
  });
  const { receipts } = await agent.prompt("Count").result();
  return receipts.map(({ tool, outcome, output }) => ({ tool, outcome, output }));
}
`,
      );
      const esbuild = await import("esbuild");
      const bundled = await esbuild.build({
        entryPoints: [`${project.folder}/browser.js`],
        bundle: true,
        write: false,
        format: "esm",
        platform: "browser",
        logLevel: "silent",
      });
      await esbuild.stop();
      const script = bundled.outputFiles[0]?.text ?? "";
      await using pages = serveBrowser(
        script,
        await Deno.readFile(
          `${project.folder}/node_modules/@nanocode/wasm/src/code_mode/engine.wasm`,
        ),
      );
      await using browser = await startBrowser();
      const page = await browser.newPage();
      await page.goto(pages.url);
      const receipts = await page.evaluate(
        `import("/script.js").then(({ run }) => run())`,
      );
      assertEquals(receipts, [{
        tool: "exec",
        outcome: "succeeded",
        output: { result: 42 },
      }]);
    },
  });

  await test.step("has types that a strict compiler takes", async () => {
    await project.write(
      "typed.ts",
      `import { type AgentConfiguration, defineTools, open, type Receipt } from "@nanocode/wasm";
import engine from "@nanocode/wasm/engine";
const config: AgentConfiguration = { backend: "openai", model: "any" };
const agent = await open(config, { wasm: engine, apiKey: "any" });
for await (const event of agent.prompt("x")) {
  if (event.type === "tool_finished") {
    const receipt: Receipt = event.receipt;
    // @ts-expect-error: an outcome is a word.
    const wrong: number = receipt.outcome;
    console.log(wrong);
  }
}
defineTools({
  lookup: {
    description: "Looks up.",
    parameters: {
      type: "object",
      properties: { key: { type: "string" } },
      required: ["key"],
    },
    run: ({ key }) => {
      // @ts-expect-error: a key is a text.
      const wrong: number = key;
      return wrong;
    },
  },
});
`,
    );
    await project.run("npx", [
      "tsc",
      "--noEmit",
      "--strict",
      "--target",
      "es2024",
      "--lib",
      "esnext,dom",
      "--module",
      "nodenext",
      "typed.ts",
    ]);
  });

  await test.step("carries what users need and no more", async () => {
    const listed: string[] = [];
    const packed = `${project.folder}/node_modules/@nanocode/wasm`;
    for await (const { name } of Deno.readDir(packed)) listed.push(name);
    assertEquals(listed.filter((name) => !name.endsWith(".map")).sort(), [
      "LICENSE",
      "README.md",
      "edge",
      "mod.d.ts",
      "mod.js",
      "package.json",
      "src",
    ]);
    const engine = await Deno.stat(`${packed}/src/code_mode/engine.wasm`);
    assert(engine.size > 500_000);
    const builds = await Array.fromAsync(
      Deno.readDir(`${packed}/src/code_mode`),
      ({ name }) => name,
    );
    assertEquals(builds.includes("build"), false);
  });
});
