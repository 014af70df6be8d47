// What a user gets from the published package, in projects of their own.

import { assert, assertEquals, assertMatch } from "@std/assert";
import { startDemoModel } from "../../edge/examples/demo_model.ts";
import { startProcess } from "../edge/server_process.ts";
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

const calls = {
  direct: ["lookup succeeded", "lookup succeeded"],
  code: ["exec succeeded", "lookup succeeded", "lookup succeeded"],
};

Deno.test("the packed package", async (test) => {
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
      `import { readFile } from "node:fs/promises";
import { ask } from "./agent.js";
const wasm = new WebAssembly.Module(await readFile(
  new URL("./src/code_mode/engine.wasm", import.meta.resolve("@nanocode/wasm")),
));
for (const surface of ["direct", "code"]) {
  console.log(JSON.stringify({ surface, ...await ask(process.argv[2], surface, wasm) }));
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

  await test.step("has types that a strict compiler takes", async () => {
    await project.write(
      "typed.ts",
      `import { type AgentConfiguration, open, type Receipt } from "@nanocode/wasm";
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
