// Data flows one way: a file imports from its own layer and from those below.

import { assertEquals } from "@std/assert";
import { permitted, test } from "./support/permissions.ts";

const root = new URL("../", import.meta.url);

/** From the bottom up; a file belongs to the first layer that names it. */
const layers: readonly (readonly RegExp[])[] = [
  [/^src\/(json|json_encode|json_place|text|failure|ambient|field_check|nearest|slots|stop)\.ts$/],
  [/^src\/(budget|budget_presets|budget_check|receipt|redaction|history|conversation|events)\.ts$/],
  [/^src\/tool_error\.ts$/, /^src\/tools\//],
  [/^src\/(call|call_request|call_end)\.ts$/, /^src\/report\//],
  [/^src\/code_mode\//, /^src\/backends\//],
  [/^src\/(snapshot|configuration|runtime_options|surface_tools|model_request)\.ts$/],
  [/^src\/(turn_end|step|turn)\.ts$/],
  [/^src\/(agent|tool_access|mcp_tools|ui_chunks|ui_stream)\.ts$/],
  [/^src\/(open|open_checks|open_tools)\.ts$/],
  [/^mod\.ts$/],
  [/^edge\//],
];

type File = {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
};

function* walk(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, root))) {
    if (isDirectory) yield* walk(`${folder}${name}/`);
    else if (/\.ts$/.test(name)) yield `${folder}${name}`;
  }
}

function read(path: string): File {
  const text = Deno.readTextFileSync(new URL(path, root));
  const imports = [
    ...text.matchAll(
      /^(?:import|export)\b[^"';]*?from "([^"]+)"|^import "([^"]+)"/gm,
    ),
  ]
    .map(([, from, bare]) => from ?? bare ?? "");
  return { path, text, imports };
}

const places = permitted ? ["mod.ts", "src/", "edge/"] : [];
const files = places.flatMap((place) =>
  place.endsWith("/") ? [...walk(place)] : [place]
).map(read);

function target({ path }: File, specifier: string): string | undefined {
  if (specifier === "nanocode-wasm") return "mod.ts";
  if (!specifier.startsWith(".")) return undefined;
  return new URL(specifier, new URL(path, root)).href.slice(root.href.length);
}

function layerOf(path: string): number {
  return layers.findIndex((layer) =>
    layer.some((pattern) => pattern.test(path))
  );
}

test("every file has a layer", () => {
  assertEquals(
    files.map(({ path }) => path).filter((path) => layerOf(path) < 0),
    [],
  );
});

test("no file imports from a layer above its own", () => {
  const upward = files.flatMap((file) =>
    file.imports.flatMap((specifier) => {
      const to = target(file, specifier);
      return to !== undefined && to.endsWith(".ts") &&
          layerOf(to) > layerOf(file.path)
        ? [`${file.path} -> ${to}`]
        : [];
    })
  );
  assertEquals(upward, []);
});

test("no files import one another in a circle", () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, above: readonly string[]) => {
    if (above.includes(path)) circles.push([...above, path].join(" -> "));
    const file = byPath.get(path);
    if (file === undefined || done.has(path) || above.includes(path)) return;
    for (const specifier of file.imports) {
      const to = target(file, specifier);
      if (to !== undefined) visit(to, [...above, path]);
    }
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  assertEquals(circles, []);
});

test("each library is used in one place only", () => {
  const users = (name: string) =>
    files.filter(({ imports, path }) =>
      path.startsWith("src/") && imports.includes(name)
    ).map(({ path }) => path);
  assertEquals(users("@cfworker/json-schema").sort(), [
    "src/tools/schema.ts",
    "src/tools/schema/describe.ts",
  ]);
  assertEquals(users("eventsource-parser"), ["src/backends/sse.ts"]);
});

test("only a backend knows a provider's field names", () => {
  const words =
    /tool_use_id|function_call|call_id\b|content_block|stop_reason|tool_result|output_index/;
  assertEquals(
    files.filter(({ path, text }) =>
      !/^src\/backends\//.test(path) && path.startsWith("src/") &&
      words.test(text)
    ).map(({ path }) => path),
    [],
  );
});

test("the core names no platform; its build scripts alone may", () => {
  const platform = /from "node:|\bDeno\.|\bprocess\.|\bBuffer\b|\bnavigator\./;
  const code = ({ text }: File) =>
    text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  assertEquals(
    files.filter((file) =>
      /^(src\/|mod\.ts)/.test(file.path) &&
      !/^src\/code_mode\/(build\/|guest\/build\.ts)/.test(file.path) &&
      platform.test(code(file))
    ).map(({ path }) => path),
    [],
  );
});
