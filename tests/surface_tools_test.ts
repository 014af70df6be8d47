import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { defaultBudget } from "../src/budget_presets.ts";
import { CellStore } from "../src/code_mode/cell_store.ts";
import type { Surface } from "../src/receipt.ts";
import {
  type CodeParts,
  surfacesOf,
  surfaceTools,
} from "../src/surface_tools.ts";
import { createToolSet, type ToolSet } from "../src/tools/tool_set.ts";
import { manualAmbient } from "./support/ambient.ts";

function toolSet(...names: readonly string[]): ToolSet {
  const set = createToolSet(
    names.map((name) => ({
      name,
      description: `The tool ${name}.`,
      parameters: {
        type: "object",
        properties: { key: { type: "string" } },
      },
    })),
    undefined,
  );
  assert(set.tag === "accepted");
  return set.tools;
}

const code: CodeParts = {
  // Nothing runs here: the smallest module, its magic number and version, will do.
  wasm: new WebAssembly.Module(
    new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
  ),
  store: new CellStore({}, 1_000),
  budget: defaultBudget,
  ambient: manualAmbient(),
};

for (
  const [asked, toolCount, surfaces] of [
    [undefined, 0, ["direct"]],
    [undefined, 1, ["direct", "code"]],
    [["direct"], 5, ["direct"]],
    [["code"], 5, ["code"]],
    [["code", "direct"], 5, ["code", "direct"]],
    // Who asks for code gets it: a program needs no tools to compute.
    [["code"], 0, ["code"]],
  ] as const
) {
  Deno.test(`surfacesOf() gives ${surfaces.join(" and ")} for ${asked ?? "nothing"} asked and ${toolCount} tools`, () => {
    assertEquals(surfacesOf(asked, toolCount), surfaces);
  });
}

function names(
  surfaces: readonly Surface[],
  parts: CodeParts | undefined,
  tools = toolSet("lookup", "save"),
): { direct: string[]; code: string[] } {
  const by = surfaceTools(tools, surfaces, parts);
  return { direct: [...by.direct.keys()], code: [...by.code.keys()] };
}

Deno.test("surfaceTools() gives nothing on a surface that was not asked for", () => {
  assertEquals(names(["direct"], undefined), {
    direct: ["lookup", "save"],
    code: [],
  });
  assertEquals(names(["code"], code), {
    direct: ["exec"],
    code: ["lookup", "save"],
  });
  // Before the engine is there, code offers nothing.
  assertEquals(names(["code"], undefined), { direct: [], code: [] });
});

Deno.test("surfaceTools() adds exec to the host's tools, and never to what code may call", () => {
  assertEquals(names(["direct", "code"], code), {
    direct: ["lookup", "save", "exec"],
    code: ["lookup", "save"],
  });
  assertEquals(names(["code"], code, toolSet()), {
    direct: ["exec"],
    code: [],
  });
});

Deno.test("surfaceTools() gives the same tool on both surfaces", () => {
  const tools = toolSet("lookup");
  const by = surfaceTools(tools, ["direct", "code"], code);
  assert(by.direct.get("lookup") === tools.get("lookup"));
  assert(by.code.get("lookup") === tools.get("lookup"));
});

Deno.test("exec takes a program, is not metered, and its description declares the tools", () => {
  const exec = surfaceTools(toolSet("search-items"), ["code"], code).direct
    .get("exec");
  assert(exec !== undefined);
  assertEquals(exec.metered, false);
  assertEquals(exec.check({ code: "return 1" }), []);
  assertEquals(exec.check({}).map(({ path }) => path), ["input.code"]);
  assertStringIncludes(
    exec.description,
    "search_items(input?: { key?: string }): Promise<unknown>;",
  );
});
