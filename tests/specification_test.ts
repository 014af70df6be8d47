// The specification's examples compile word for word, under the name by which it
// imports the package, and do what it says of them.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AgentConfiguration,
  type BackendName,
  open,
  type RuntimeOptions,
  type Surface,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { engineModule } from "./support/engine.ts";
import { permitted } from "./support/permissions.ts";
import { scriptedFetch, streamed } from "./support/scripted_fetch.ts";
import { stepOfCalls, type WantedCall } from "./support/surface.ts";
import { told } from "./support/turn_bench.ts";
import { wireEvents } from "./support/wire.ts";

const root = new URL("../", import.meta.url);
const specification = new URL("../shared/spec/HostTool.md", root);

function read(): string | undefined {
  if (!permitted) return undefined;
  try {
    return Deno.readTextFileSync(specification);
  } catch {
    console.log("The specification is not at hand: its test is skipped");
    return undefined;
  }
}

const text = read();

/** The TypeScript blocks as modules. Two of them are signatures, not programs. */
function modules(markdown: string): string[] {
  return [...markdown.matchAll(/^```ts.*\n([\s\S]*?)^```$/gm)].map(
    ([, block = ""]) => {
      if (block.startsWith("type HostTool")) {
        return `import type { HostTool as Ours } from "nanocode-wasm";\n${block}
const ours: Ours = {} as HostTool;\nconst theirs: HostTool = {} as Ours;\nexport { ours, theirs };`;
      }
      if (block.includes("\ncall(")) {
        return `import type { RuntimeOptions } from "nanocode-wasm";\ninterface Tools {\n${block}}
export const tools: RuntimeOptions["tools"] = {} as Tools;`;
      }
      return block.includes("import ") ? block : `${block}\nexport {};`;
    },
  );
}

Deno.test({
  name: "every example of the specification compiles",
  // Without the specification there is nothing to compile; CI has it.
  ignore: text === undefined,
  async fn() {
    const found = modules(text ?? "");
    assertEquals(found.length, 8);
    const folder = await Deno.makeTempDir();
    try {
      const { imports, compilerOptions } = JSON.parse(
        await Deno.readTextFile(new URL("deno.json", root)),
      );
      const config = {
        imports: { ...imports, "nanocode-wasm": new URL("mod.ts", root).href },
        compilerOptions,
        nodeModulesDir: "none",
      };
      delete config.imports["@std/assert"];
      await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));
      const names = await Promise.all(found.map(async (block, index) => {
        await Deno.writeTextFile(`${folder}/example_${index}.ts`, block);
        return `example_${index}.ts`;
      }));
      const { success, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["check", ...names],
        cwd: folder,
        env: { NO_COLOR: "1" },
      }).output();
      assertEquals(success, true, new TextDecoder().decode(stderr));
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

type Example = {
  readonly config?: Pick<AgentConfiguration, "tools">;
  readonly tools: RuntimeOptions["tools"];
};

/** What the example with these words declares. */
async function example(words: string): Promise<Example> {
  const block = modules(text ?? "").find((one) => one.includes(words));
  assert(block !== undefined, words);
  const names = block.includes("const config") ? "config, tools" : "tools";
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, `${block}\nexport { ${names} };`);
    return await import(`file://${file}`);
  } finally {
    await Deno.remove(file);
  }
}

/** Runs one step with these calls, and gives what went over the wire. */
async function turn(
  backend: BackendName,
  surface: Surface,
  calls: readonly WantedCall[],
  tools: RuntimeOptions["tools"] | undefined,
) {
  const { config } = await example("const config");
  const { fetch, sent } = scriptedFetch(
    [stepOfCalls(surface, calls), { text: "done" }].map((step) =>
      streamed(wireEvents(backend, step))
    ),
  );
  await using agent = await open({ backend, model: "m", ...config }, {
    ...manualAmbient(),
    apiKey: "test-key",
    fetch,
    wasm: engineModule,
    ...(tools === undefined ? {} : { tools }),
  });
  const { receipts } = await agent.prompt("Look up").result();
  return {
    config,
    offered: sent[0]?.body.tools,
    read: told(sent[1]).map(({ text }) => text).join("\n"),
    receipts: receipts.filter(({ tool }) => tool !== "exec"),
  };
}

const alphaAndBeta: readonly WantedCall[] = ["alpha", "beta"].map((key) => ({
  name: "lookup",
  input: { key },
}));

for (const backend of ["openai", "anthropic"] as const) {
  for (const surface of ["direct", "code"] as const) {
    const specified = (
      name: string,
      fn: () => Promise<void>,
    ) => Deno.test({ name, ignore: text === undefined, fn });

    specified(
      `${backend}, ${surface}: the specification's tool is seen, called and answered, with receipts`,
      async () => {
        const { tools } = await example("const config");
        const { config, offered, read, receipts } = await turn(
          backend,
          surface,
          alphaAndBeta,
          tools,
        );
        const [lookup, exec] = offered;
        assertEquals(
          [lookup.name, lookup.description],
          [config?.tools?.[0]?.name, config?.tools?.[0]?.description],
        );
        assertEquals(
          lookup.parameters ?? lookup.input_schema,
          config?.tools?.[0]?.parameters,
        );
        assertStringIncludes(
          exec.description,
          "lookup(input: { key: string })",
        );
        assertStringIncludes(exec.description, lookup.description);
        assertEquals(
          receipts.map(({ outcome, output }) => [outcome, output]),
          ["ALPHA", "BETA"].map((
            value,
          ) => ["succeeded", { name: "lookup", value }]),
        );
        assertStringIncludes(read, '{"name":"lookup","value":"ALPHA"}');
        assertStringIncludes(read, '{"name":"lookup","value":"BETA"}');
      },
    );

    specified(
      `${backend}, ${surface}: the specification's thrown error is what the model reads`,
      async () => {
        const { tools } = await example("throw new Error");
        const { read, receipts } = await turn(
          backend,
          surface,
          alphaAndBeta.slice(0, 1),
          tools,
        );
        assertEquals(receipts.map(({ outcome }) => outcome), ["failed"]);
        assertStringIncludes(read, "lookup is not available");
      },
    );

    specified(
      `${backend}, ${surface}: without options.tools each call fails as the specification says`,
      async () => {
        const { read, receipts } = await turn(
          backend,
          surface,
          alphaAndBeta,
          undefined,
        );
        const message = "host tools are not configured";
        assertEquals(
          receipts.map(({ outcome, error }) => [outcome, error?.message]),
          [["failed", message], ["failed", message]],
        );
        assertEquals(read.split(message).length - 1, 2);
      },
    );
  }
}
