import { assert, assertEquals } from "@std/assert";
import { test } from "../support/permissions.ts";
import { prelude } from "../../src/code_mode/prelude.ts";
import { run, valueOf } from "./cells.ts";

const ownGlobals = [
  "ALL_TOOLS",
  "budget",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "describe",
  "load",
  "performance",
  "search",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "store",
  "text",
  "tools",
];

const languageGlobals = [
  "AggregateError",
  "Array",
  "ArrayBuffer",
  "AsyncDisposableStack",
  "BigInt",
  "BigInt64Array",
  "BigUint64Array",
  "Boolean",
  "DOMException",
  "DataView",
  "Date",
  "DisposableStack",
  "Error",
  "EvalError",
  "Float16Array",
  "Float32Array",
  "Float64Array",
  "Function",
  "Infinity",
  "Int16Array",
  "Int32Array",
  "Int8Array",
  "InternalError",
  "Iterator",
  "JSON",
  "Map",
  "Math",
  "NaN",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "RangeError",
  "ReferenceError",
  "Reflect",
  "RegExp",
  "Set",
  "String",
  "SuppressedError",
  "Symbol",
  "Symbol(Symbol.toStringTag)",
  "SyntaxError",
  "TypeError",
  "URIError",
  "Uint16Array",
  "Uint32Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "WeakMap",
  "WeakSet",
  "atob",
  "btoa",
  "decodeURI",
  "decodeURIComponent",
  "encodeURI",
  "encodeURIComponent",
  "escape",
  "eval",
  "globalThis",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "queueMicrotask",
  "undefined",
  "unescape",
];

Deno.test("prelude: a program sees these globals and no others", async () => {
  assertEquals(
    await valueOf("return Reflect.ownKeys(globalThis).map(String).sort()"),
    [...ownGlobals, ...languageGlobals].toSorted(),
  );
});

Deno.test("prelude: the globals are functions and objects with plain names", async () => {
  const body = `return ${
    JSON.stringify(ownGlobals)
  }.map((n) => typeof globalThis[n] === 'function' ? globalThis[n].name === n : n)`;
  const objects = ["ALL_TOOLS", "console", "performance", "tools"];
  assertEquals(
    await valueOf(body),
    ownGlobals.map((name) => objects.includes(name) ? name : true),
  );
});

Deno.test("prelude: what a program can call is named as it is reached, whatever its text calls it", async () => {
  const names = JSON.stringify(ownGlobals);
  const body = `
    const shown = [];
    const look = (name, value) => {
      if (typeof value !== "function") return;
      shown.push([name, value.name, /^(async )?function/.test(value.toString())]);
    };
    const places = [console, performance, { random: Math.random, then: tools.then }];
    for (const name of ${names}) look(name, globalThis[name]);
    for (const place of places) {
      for (const name of Reflect.ownKeys(place)) look(name, place[name]);
    }
    return shown`;
  const shown = await valueOf(body);
  assert(Array.isArray(shown) && shown.length > 30);
  for (const [name, own, isNamedInText] of shown) {
    assertEquals([own, isNamedInText], [name, false]);
  }
});

Deno.test("prelude: garbage, threads and the host cannot be seen", async () => {
  const names = [
    "WeakRef",
    "FinalizationRegistry",
    "SharedArrayBuffer",
    "Atomics",
    "WebAssembly",
    "fetch",
    "process",
    "Deno",
    "require",
    "std",
    "os",
    "post",
  ];
  const body = `return [${names.map((name) => `typeof ${name}`)}]`;
  assertEquals(await valueOf(body), names.map(() => "undefined"));
});

Deno.test("prelude: code from text runs in the guest, where it can do no more than the program", async () => {
  const body =
    "return [eval('1 + 1'), new Function('a', 'return a + 1')(2), typeof eval('typeof post')]";
  assertEquals(await valueOf(body), [2, 3, "string"]);
});

Deno.test("prelude: nothing can be imported", async () => {
  for (const name of ["fs", "data:text/javascript,1", "cell"]) {
    const { error } = await run(`await import('${name}')`);
    assertEquals(error?.kind, "thrown");
    assertEquals(error?.message, `could not load module '${name}'`);
  }
});

Deno.test("prelude: a stack gives no functions away", async () => {
  const body = `
    Error.prepareStackTrace = (error, frames) => frames;
    const seen = [];
    const look = { toJSON() { seen.push(new Error().stack); return 1 } };
    text(look); console.log(look); store('k', look); await tools.echo(look);
    Error.captureStackTrace(look); seen.push(look.stack);
    return seen.map((stack) => typeof stack)`;
  const types = await valueOf(body);
  assert(Array.isArray(types) && types.length === 5);
  assert(types.every((type) => type === "string"));
});

Deno.test("prelude: no promise machinery gives the border's functions away", async () => {
  const body = `
    const seen = [];
    const spy = (value) => { if (typeof value === 'function') seen.push(value.toString()) };
    Object.defineProperty(Object.prototype, 'then', { configurable: true, get() { spy(this); return undefined } });
    for (const name of ['resolve', 'reject', 'error', 'callback'])
      Object.defineProperty(Object.prototype, name, { set(value) { spy(value) }, get() { return undefined } });
    for (let i = 0; i < 5; i++)
      Object.defineProperty(Array.prototype, i, { set(value) { spy(value) }, get() { return undefined } });
    await tools.echo({ a: [1] }); await tools.fail().catch(() => {});
    setTimeout(() => {}, 1); text('a'); console.log('b'); store('c', { d: 1 });
    return seen.length`;
  assertEquals(await valueOf(body), 0);
});

test("prelude: is made of the guest's files as they are now", async () => {
  const { preludeModule } = await import(
    "../../src/code_mode/guest/build.ts"
  );
  const made = await Deno.readTextFile(
    new URL("../../src/code_mode/prelude.ts", import.meta.url),
  );
  assertEquals(
    made === await preludeModule(),
    true,
    "Run: deno task build:guest",
  );
});

Deno.test("prelude: is strict, and holds no line that could close it", () => {
  assert(prelude.includes('"use strict"'));
  assert(!prelude.includes("</"));
});
