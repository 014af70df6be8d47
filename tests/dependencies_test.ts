// What the package needs at run time is little, named, and free to use.

import { assert, assertEquals } from "@std/assert";
import { test } from "./support/permissions.ts";

const root = new URL("../", import.meta.url);

/** What the folders of the package hold besides; `deno.json` leaves it out too. */
const unpublished = [
  "src/code_mode/build",
  "src/code_mode/guest",
  "edge/examples",
];

/** The files that are published and run. */
function* published(folder = ""): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(folder, root))) {
    const path = `${folder}${name}`;
    const isOurs = path === "mod.ts" || /^(src|edge)\b/.test(path);
    if (!isOurs || unpublished.includes(path)) continue;
    if (isDirectory) yield* published(`${path}/`);
    else if (/\.ts$/.test(name) && path !== "edge/page/build.ts") yield path;
  }
}

const importPattern =
  /^(?:import|export)\b[^"';]*?from "([^"./][^"]*)"|^\/\/\/ <reference types="npm:([^"]+)"/gm;

/** Which files import which package. */
function packages(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of published()) {
    const text = Deno.readTextFileSync(new URL(path, root));
    for (const [, from = "", types = ""] of text.matchAll(importPattern)) {
      const [, name = ""] = /^(@[^/]+\/[^/@]+|[^/@]+)/.exec(from || types) ??
        [];
      // Node's own, which one file is for.
      if (name.startsWith("node:") && path === "edge/engine_node.ts") continue;
      found.set(name, [...found.get(name) ?? [], path]);
    }
  }
  return found;
}

test("the published files import these packages and no others", () => {
  assertEquals([...packages().keys()].sort(), [
    "@cfworker/json-schema",
    "@modelcontextprotocol/server",
    "eventsource-parser",
    "hono",
    "json-schema-to-ts",
  ]);
});

test("the core needs no package of the edge's", () => {
  for (const name of ["hono", "@modelcontextprotocol/server"]) {
    const files = packages().get(name) ?? [];
    assert(files.length > 0);
    assertEquals(files.filter((path) => !path.startsWith("edge/")), []);
  }
});

test("every package it needs is free to use", () => {
  for (const name of [...packages().keys(), "quickjs-wasi"]) {
    const path = new URL(`node_modules/${name}/package.json`, root);
    const { license } = JSON.parse(Deno.readTextFileSync(path));
    assert(["MIT", "Apache-2.0"].includes(license), `${name}: ${license}`);
  }
});
