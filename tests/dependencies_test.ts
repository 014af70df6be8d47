// What the package needs at run time is little, named, and free to use.

import { assert, assertEquals } from "@std/assert";
import { isRecord } from "../src/json.ts";
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

/** Licences under which what is only used here may be used; none is shipped. */
const free: ReadonlySet<string> = new Set([
  "(AFL-2.1 OR BSD-3-Clause)",
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT OR Apache-2.0",
  "MPL-2.0",
  "Unlicense",
]);

/** The descriptions of all installed packages. */
function* installed(): Generator<unknown> {
  const store = new URL("node_modules/.deno/", root);
  for (const { name: entry, isDirectory } of Deno.readDirSync(store)) {
    if (!isDirectory || entry === "node_modules") continue;
    // `@scope+name@1.0.0`, with what sets two of one version apart.
    const [, own = ""] = /^(@?[^@]+)@/.exec(entry) ?? [];
    const path = `${entry}/node_modules/${own.replace("+", "/")}/package.json`;
    yield JSON.parse(Deno.readTextFileSync(new URL(path, store)));
  }
}

test("every package of the tests and tools is free to use", () => {
  let count = 0;
  for (const described of installed()) {
    assert(isRecord(described));
    const { name, license } = described;
    assert(free.has(String(license)), `${name}: ${license}`);
    count++;
  }
  assert(count > 50, `only ${count} packages were found`);
});
