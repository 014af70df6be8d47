import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  buildEngine,
  engineHash,
  hashOf,
  sourceHash,
} from "../../../src/code_mode/build/engine.ts";
import { tariff } from "../../../src/code_mode/build/tariff.ts";
import { writeEngine } from "../../../src/code_mode/build/write_engine.ts";
import { exportNames } from "../../../src/code_mode/exports.ts";
import { importModule } from "../../../src/code_mode/imports.ts";
import {
  engineBytes,
  engineModule,
  sourceBytes,
} from "../../support/engine.ts";
import { test } from "../../support/permissions.ts";
import {
  list,
  type Listing,
  numberAfter,
  sizePayment,
  withoutPayments,
} from "./listing.ts";
import { firstDifference } from "./modules.ts";

const [source, engine] = [sourceBytes, engineBytes];

Deno.test("buildEngine: makes the shipped engine of the package's, both as reviewed", async () => {
  assertEquals(await hashOf(source), sourceHash);
  assertEquals(await hashOf(engine), engineHash);
  assertEquals(firstDifference(await buildEngine(source), engine), -1);
});

Deno.test("buildEngine: refuses another source, and says both hashes", async () => {
  const other = source.slice();
  other[other.length - 1] = 7;
  for (const bytes of [other, new Uint8Array(), engine]) {
    const { message } = await assertRejects(() => buildEngine(bytes), Error);
    assertEquals(
      message,
      `The package's engine has the hash ${await hashOf(bytes)} where ` +
        `${sourceHash} was reviewed: review what changed, then change the ` +
        "hash in src/code_mode/build/engine.ts",
    );
  }
});

test("writeEngine: makes nothing where the right engine is", async () => {
  assertEquals(await writeEngine(), false);
});

Deno.test("engine: imports these twelve functions and no more", () => {
  const imports = WebAssembly.Module.imports(engineModule);
  assert(imports.every(({ kind }) => kind === "function"));
  assert(imports.every(({ module }) => module === importModule));
  assertEquals(imports.map(({ name }) => name), [
    "host_get_timezone_offset",
    "host_interrupt",
    "host_promise_rejection",
    "host_module_normalize",
    "host_module_load",
    "host_call",
    "clock_time_get",
    "fd_close",
    "fd_fdstat_get",
    "fd_seek",
    "fd_write",
    "random_get",
  ]);
});

/** An instance whose imports do nothing. */
function instance(): WebAssembly.Exports {
  const functions = WebAssembly.Module.imports(engineModule)
    .map(({ name }) => [name, () => 0] as const);
  const imports = { [importModule]: Object.fromEntries(functions) };
  return new WebAssembly.Instance(engineModule, imports).exports;
}

Deno.test("engine: exports what the sandbox takes, and nothing else", () => {
  assertEquals(
    WebAssembly.Module.exports(engineModule).map(({ name }) => name).sort(),
    exportNames.toSorted(),
  );
});

Deno.test("engine: exports four globals, all 32 bits that change", () => {
  const globals = WebAssembly.Module.exports(engineModule)
    .filter(({ kind }) => kind === "global");
  assertEquals(
    globals.map(({ name }) => name).sort(),
    ["__stack_pointer", "fuel", "page_limit", "pages"],
  );
  const exports = instance();
  const atFirst: Record<string, number> = {
    __stack_pointer: 2 ** 20,
    fuel: 0,
    page_limit: 1280,
    pages: 18,
  };
  for (const { name } of globals) {
    const global = exports[name];
    assert(global instanceof WebAssembly.Global);
    assertEquals(global.value, atFirst[name]);
    global.value = 2 ** 32 - 5;
    assertEquals(global.value, -5);
  }
});

Deno.test("engine: has no fuel at first, so nothing that repeats runs", () => {
  const { _initialize, qjs_init2 } = instance();
  assert(typeof _initialize === "function" && typeof qjs_init2 === "function");
  let trap: unknown;
  try {
    _initialize();
    qjs_init2(0);
  } catch (error) {
    trap = error;
  }
  assert(trap instanceof WebAssembly.RuntimeError);
});

Deno.test("engine: its memory grows to 80 MiB and no further", () => {
  const { memory } = instance();
  assert(memory instanceof WebAssembly.Memory);
  const pages = () => memory.buffer.byteLength / 65536;
  memory.grow(1280 - pages());
  let refusal: unknown;
  try {
    memory.grow(1);
  } catch (error) {
    refusal = error;
  }
  assert(refusal instanceof RangeError);
  assertEquals(pages(), 1280);
});

// From here on all is read by another reader than the meter's.
const before = list(source);
const after = list(engine);
const imported = after.imports.length;
const helper = imported + before.functions.length;
const grow = helper + 1;
const fuel = before.rest.filter((line) => line.startsWith("(global ")).length;

/** The functions that what is exported, or the table, can come to call. */
const reached = new Set<number>();
const pending = [
  ...after.inTable,
  ...after.rest.flatMap((line) => {
    const isFunction = /^\(export "\w+" \(func \d+\)\)/.test(line);
    return isFunction ? [numberAfter("(func ", line)] : [];
  }),
];
for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
  if (reached.has(next)) continue;
  reached.add(next);
  for (const line of before.functions[next - imported]?.code ?? []) {
    if (line.startsWith("call ")) pending.push(numberAfter("call ", line));
  }
}

Deno.test("engine: is the package's, with payments, without what nothing can call", () => {
  assert(before.rest.every((line) => !line.startsWith("(start")));
  assert(
    !before.functions.some(({ code }) =>
      code.some((line) => line.startsWith("ref.func"))
    ),
  );
  assert(reached.size > 1000 && reached.size < before.functions.length);
  assertEquals(after.types, before.types);
  assertEquals(
    after.imports,
    before.imports.map((line) =>
      line.replace(/"(env|wasi_snapshot_preview1)"/, `"${importModule}"`)
    ),
  );
  assertEquals(after.inTable, before.inTable);
  const added = after.rest.filter((line) => !before.rest.includes(line));
  const gone = before.rest.filter((line) =>
    !after.rest.includes(line) && !isUnusedExport(line)
  );
  assertEquals(gone, ["(memory (;0;) 18)"]);
  assertEquals(added, [
    "(memory (;0;) 18 1280)",
    `(global (;${fuel};) (mut i32) (i32.const 0))`,
    `(global (;${fuel + 1};) (mut i32) (i32.const 18))`,
    `(global (;${fuel + 2};) (mut i32) (i32.const 1280))`,
    `(export "fuel" (global ${fuel}))`,
    `(export "pages" (global ${fuel + 1}))`,
    `(export "page_limit" (global ${fuel + 2}))`,
  ]);
  for (const [index, original] of before.functions.entries()) {
    const paid = after.functions[index];
    assert(paid !== undefined);
    const { code } = withoutPayments(paid, fuel, helper);
    assertEquals(paid.type, original.type);
    if (!reached.has(imported + index)) {
      assertEquals(paid.code, ["unreachable"]);
      continue;
    }
    assert(
      code.length === original.code.length &&
        code.every((line, at) => unpaged(line) === original.code[at]),
      `Function ${imported + index} is another`,
    );
  }
});

function isUnusedExport(line: string): boolean {
  const [, name] = /^\(export "(\w+)"/.exec(line) ?? [];
  return name !== undefined && !exportNames.includes(name);
}

/** What an instruction about the memory's size was before. */
function unpaged(line: string): string {
  if (line === `global.get ${fuel + 1}`) return "memory.size";
  return line === `call ${grow}` ? "memory.grow" : line;
}

Deno.test("engine: only what was added asks for the memory's real size", () => {
  const asking = after.functions.flatMap(({ code }, index) =>
    code.some((line) => /^memory\.(size|grow)/.test(line))
      ? [imported + index]
      : []
  );
  assertEquals(asking, [grow]);
});

Deno.test("engine: every loop is paid for, and every size by its bytes", () => {
  for (const paid of after.functions) withoutPayments(paid, fuel, helper);
  const all = after.functions.flatMap(({ code }) => code);
  const count = (pattern: RegExp) =>
    all.filter((one) => pattern.test(one)).length;
  // Were they not found, nothing above would be proved.
  assert(count(/^loop/) > 1000);
  assert(count(/^memory\.(copy|fill)/) > 100);
  assertEquals(after.functions.length, before.functions.length + 2);
  const last = after.functions.at(-2);
  assertEquals(last?.code, sizePayment(fuel, tariff.sizeShift));
  assertEquals(after.types[last?.type ?? 0], "(func (param i32) (result i32))");
});

/** Whom a function calls outside of its loops, by the functions' numbers. */
function calleesIn(
  { types, functions, inTable }: Listing,
  calls: readonly string[],
): number[] {
  return calls.flatMap((call) => {
    if (!call.startsWith("call_indirect")) return [numberAfter("call ", call)];
    const type = types[numberAfter("(type ", call)];
    return inTable.filter((index) =>
      types[functions[index - imported]?.type ?? -1] === type
    );
  });
}

Deno.test("engine: no chain of calls comes back without a payment", () => {
  const free = new Map<number, number[]>();
  let paying = 0;
  for (const [index, paid] of after.functions.entries()) {
    const { isEntryPaid, calls } = withoutPayments(paid, fuel, helper);
    if (isEntryPaid) paying++;
    else free.set(imported + index, calleesIn(after, calls));
  }
  assert(paying > 0 && free.size > 0);
  // Whoever calls none that is left takes no part in a cycle.
  for (let size = -1; size !== free.size;) {
    size = free.size;
    for (const [index, callees] of free) {
      if (!callees.some((callee) => free.has(callee))) free.delete(index);
    }
  }
  assertEquals([...free.keys()], []);
});
