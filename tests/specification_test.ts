// The specification's examples compile word for word, under the name by which it
// imports the package.

import { assertEquals } from "@std/assert";

const root = new URL("../", import.meta.url);
const specification = new URL("../shared/spec/HostTool.md", root);

function read(): string | undefined {
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
