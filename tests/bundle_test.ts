// The core is isomorphic: it bundles for a browser with nothing left outside,
// names no platform, and works where code from strings is forbidden.

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "./support/permissions.ts";

const root = new URL("../", import.meta.url);

async function bundle(): Promise<string> {
  const esbuild = await import("esbuild");
  try {
    const { outputFiles, warnings } = await esbuild.build({
      absWorkingDir: root.pathname,
      entryPoints: ["mod.ts"],
      bundle: true,
      write: false,
      format: "esm",
      platform: "browser",
      target: "es2022",
      logLevel: "silent",
    });
    assertEquals(warnings, []);
    return outputFiles[0]?.text ?? "";
  } finally {
    await esbuild.stop();
  }
}

test("mod.ts bundles for a browser without externals or platform names", async () => {
  const text = await bundle();
  assertMatch(text, /HostFailure/);
  assertEquals(text.match(/^\s*import\b[^(].*$|\bfrom\s*["']node:.*$/gm), null);
  assertEquals(text.match(/\b(?:Deno|process|Buffer)\.\w+/g), null);
  assertEquals(text.match(/\bnew Function\b|\beval\(/g), null);
});

// R46, R47, R49
test("the bundle runs a turn where code from strings is forbidden", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/core.js`, await bundle());
    await Deno.writeTextFile(`${folder}/main.js`, script);
    const { success, stdout, stderr } = await new Deno.Command(
      Deno.execPath(),
      { args: ["run", "--no-config", `${folder}/main.js`] },
    ).output();
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assertEquals([decode(stderr), success], ["", true]);
    assertEquals(JSON.parse(decode(stdout)), {
      text: "done",
      outcomes: ["succeeded", "rejected"],
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const script = `
const forbidden = () => { throw new EvalError("code generation from strings disallowed"); };
globalThis.eval = forbidden;
for (const value of [function () {}, async function () {}, function* () {}, async function* () {}]) {
  Object.defineProperty(Object.getPrototypeOf(value), "constructor", { value: forbidden });
}
globalThis.Function = forbidden;
// Importing and opening must do nothing that a Worker forbids at module scope.
const real = [];
let early = 0;
for (const [owner, names] of [
  [globalThis, ["fetch", "setTimeout", "setInterval"]],
  [Math, ["random"]],
  [crypto, ["getRandomValues", "randomUUID"]],
  [crypto.subtle, ["generateKey"]],
]) {
  for (const name of names) {
    const value = owner[name];
    real.push(() => { owner[name] = value.bind(owner); });
    owner[name] = () => { early++; };
  }
}
const { open } = await import("./core.js");

const events = (list) => list.map((event) => "data: " + JSON.stringify(event) + "\\n\\n").join("");
const call = (index, args) => ({
  type: "response.output_item.done",
  output_index: index,
  item: { type: "function_call", call_id: "c" + index, name: "lookup", arguments: args },
});
const end = { type: "response.completed", response: { status: "completed", output: [] } };
const streams = [
  events([call(0, '{"key":"alpha"}'), call(1, '{"key":1}'), end]),
  events([{
    type: "response.output_item.done",
    output_index: 0,
    item: { type: "message", content: [{ type: "output_text", text: "done" }] },
  }, end]),
];
const agent = await open({
  backend: "openai",
  model: "m",
  surfaces: ["direct"],
  tools: [{
    name: "lookup",
    description: "",
    parameters: { type: "object", properties: { key: { type: "string", pattern: "^[a-z]+$" } } },
  }],
}, { apiKey: "key", tools: { call: async () => "value" } });
if (early > 0) throw new Error("work at module scope");
for (const restore of real) restore();
// The platform's fetch demands its own receiver.
globalThis.fetch = function () {
  if (this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
  return Promise.resolve(new Response(streams.shift(), { headers: { "content-type": "text/event-stream" } }));
};
const { text, receipts } = await agent.prompt("Look up").result();
console.log(JSON.stringify({ text, outcomes: receipts.map(({ outcome }) => outcome) }));
`;
