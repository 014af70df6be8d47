// What the README says is so.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { budgets } from "nanocode-wasm";
import config from "../deno.json" with { type: "json" };
import readme from "../README.md" with { type: "text" };
import { startDemoModel } from "../edge/examples/demo_model.ts";
import { stopReasons } from "../src/events.ts";
import { hostFailureKinds } from "../src/failure.ts";
import { outcomes, toolErrorCodes } from "../src/receipt.ts";
import "./support/engine.ts";
import { test } from "./support/permissions.ts";

const root = new URL("../", import.meta.url);

/** What stands in code quotes in the table's line that begins so. */
function namesIn(head: string): string[] {
  const line = readme.split("\n").find((one) => one.startsWith(`| ${head}`));
  assert(line !== undefined, `There is no line for ${head}`);
  const [, , text = ""] = line.split("|");
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
}

Deno.test("README: is under 150 lines long", () => {
  assert(readme.trimEnd().split("\n").length < 150);
});

Deno.test("README: names every kind, reason, outcome, code and limit there is", () => {
  assertEquals(namesIn("`HostFailure.kind`"), [...hostFailureKinds]);
  assertEquals(
    namesIn("a turn's `stopReason`").filter((name) => name !== "exhausted"),
    [...stopReasons, "interrupted"],
  );
  assertEquals(namesIn("a receipt's `outcome`"), [...outcomes]);
  assertEquals(namesIn("a tool error's `code`"), [...toolErrorCodes]);
  const presets = Object.keys(budgets);
  assertEquals(
    namesIn("`budget`").filter((name) => !presets.includes(name)).sort(),
    Object.keys(budgets.workersFree).sort(),
  );
});

Deno.test("README: its tasks exist", () => {
  const named = [...readme.matchAll(/\btask ([a-z]+(?::[a-z]+)?)/g)]
    .map(([, name = ""]) => name);
  assert(named.length > 5);
  for (const name of named) assert(name in config.tasks, name);
});

Deno.test("README: its entry points exist", () => {
  const named = [...readme.matchAll(/@nanocode\/wasm(\/[a-z-]+)/g)]
    .map(([, path = ""]) => path);
  assert(named.length > 2);
  for (const path of named) assert(`.${path}` in config.exports, path);
});

Deno.test("README: every package is named that is used, with why", () => {
  const used = Object.values<string>(config.imports)
    .flatMap((from) => /^npm:(@?[^@]+)@/.exec(from)?.[1] ?? []);
  for (const name of used) {
    assert(readme.includes(`\`${name}\``), `${name} is not in the README`);
  }
});

test("README: its links lead somewhere", async () => {
  for (const [, path = ""] of readme.matchAll(/\]\(([^)#]+)\)/g)) {
    if (!path.startsWith("http")) await Deno.stat(new URL(path, root));
  }
});

/** Gives what the README's code takes as there: the user's module, a provider. */
const given = {
  "store.ts": `export const store = {
    get: (key: string, _options: { signal: AbortSignal }) =>
      Promise.resolve({ value: key.toUpperCase() }),
  };`,
  "provider.ts": `const { fetch } = globalThis;
  globalThis.fetch = (input, init) =>
    fetch(String(input).replace("https://api.anthropic.com", Deno.args[0] ?? ""), init);`,
};

test("README: its code compiles and runs as it stands", async () => {
  const blocks = [...readme.matchAll(/```ts[^\n]*\n([\s\S]*?)```/g)];
  assert(blocks.length > 0);
  const folder = new URL(`tests/.readme_${crypto.randomUUID()}/`, root);
  await using model = await startDemoModel();
  await Deno.mkdir(folder);
  try {
    for (const [name, text] of Object.entries(given)) {
      await Deno.writeTextFile(new URL(name, folder), text);
    }
    for (const [index, [, code = ""]] of blocks.entries()) {
      const file = new URL(`${index}.ts`, folder);
      await Deno.writeTextFile(file, `import "./provider.ts";\n${code}`);
      const { success, stdout, stderr } = await new Deno.Command(
        Deno.execPath(),
        {
          args: [
            "run",
            "--check",
            "-A",
            file.pathname,
            model.baseUrl.replace(/\/v1$/, ""),
          ],
          cwd: root,
          env: { NO_COLOR: "1", ANTHROPIC_API_KEY: "any" },
        },
      ).output();
      assert(success, new TextDecoder().decode(stderr));
      assertStringIncludes(
        new TextDecoder().decode(stdout),
        "The values are ALPHA and BETA.",
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
