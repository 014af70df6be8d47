import { assertEquals } from "@std/assert";
import type { CellCall } from "../../../src/code_mode/cell.ts";
import { answer, run, tool, valueOf } from "../cells.ts";

Deno.test("tools: are called by identifier and by wire name", async () => {
  const body =
    "return [await tools.find_items('a'), await tools['find-items']('b')]";
  assertEquals(await valueOf(body), ["a", "b"]);
});

Deno.test("tools: hold the identifiers and nothing inherited", async () => {
  const body =
    "return [Object.keys(tools), 'toString' in tools, Object.isFrozen(tools)]";
  assertEquals(await valueOf(body), [
    ["echo", "fail", "hang", "find_items"],
    false,
    true,
  ]);
});

Deno.test("tools: cannot be changed", async () => {
  const body = `
    tools.echo = () => 1;
    tools.other = () => 1;
    delete tools.fail;
    try { Object.defineProperty(tools, 'x', { value: 1 }) } catch {}
    try { Object.setPrototypeOf(tools, {}) } catch {}
    return [await tools.echo(2), Object.keys(tools).length]`;
  assertEquals(await valueOf(body), [2, 4]);
});

/** R07, R39: names that no tool has. */
const unknown = [
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "ecko",
  "",
];

for (const name of unknown) {
  Deno.test(`tools: a call of ${JSON.stringify(name)} rejects, and reaches the host as it is`, async () => {
    const made: CellCall[] = [];
    const call = (each: CellCall) => {
      made.push(each);
      return answer(each);
    };
    const body = `const p = tools[${
      JSON.stringify(name)
    }]({ a: 1 }); return await p.catch((e) => e.code)`;
    assertEquals(await valueOf(body, { call }), "unknown_tool");
    assertEquals(made, [{ id: 1, name, input: { a: 1 } }]);
  });
}

Deno.test("tools: a name of any length reaches the host shortened", async () => {
  const names: string[] = [];
  const call = (each: CellCall) => {
    names.push(each.name);
    return answer(each);
  };
  await run("await tools['x'.repeat(1e5)]().catch(() => {})", { call });
  assertEquals(names.map(({ length }) => length), [128]);
});

Deno.test("tools: awaiting or returning them is no call", async () => {
  const body = `
    const f = async () => tools;
    const same = await f() === tools && await tools === tools;
    return [same, await Promise.resolve(tools) === tools, typeof \`\${typeof tools}\`]`;
  assertEquals(await valueOf(body), [true, true, "string"]);
});

for (const code of ["`${tools}`", "tools + ''", "String(tools)", "tools > 1"]) {
  Deno.test(`tools: are no text, and to ask for one is no call: ${code}`, async () => {
    const { error, unstartedCalls } = await run(`return ${code}`);
    assertEquals(
      error?.message,
      "tools is no text: call tools.name(input)",
    );
    assertEquals(unstartedCalls, []);
  });
}

Deno.test("tools: one that is named then can be called, and awaiting still works", async () => {
  const names: string[] = [];
  const call = (each: CellCall) => {
    names.push(each.name);
    return Promise.resolve({ ok: true as const, json: "5" });
  };
  const body = "return [await tools === tools, await tools.then({ a: 1 })]";
  const changes = { call, tools: [tool("then", "then", "")] };
  assertEquals(await valueOf(body, changes), [true, 5]);
  assertEquals(names, ["then"]);
});

Deno.test("tools: a failed call rejects with name, code, message and retryable", async () => {
  // R42
  const body =
    "try { return await tools.fail() } catch (e) { return [e instanceof Error, e.name, e.code, e.message, e.retryable] }";
  assertEquals(await valueOf(body), [
    true,
    "ToolError",
    "broken",
    "It broke",
    true,
  ]);
});

Deno.test("ALL_TOOLS: names and describes every tool", async () => {
  const body =
    "return [ALL_TOOLS[3], ALL_TOOLS.length, Object.isFrozen(ALL_TOOLS)]";
  assertEquals(await valueOf(body), [
    { name: "find-items", description: "Finds items in the shop" },
    4,
    true,
  ]);
});

Deno.test("describe: gives a declaration by either name", async () => {
  const body =
    "return describe('find-items') === describe('find_items') && describe('echo')";
  assertEquals(
    await valueOf(body),
    "echo(input: unknown): Promise<unknown>;",
  );
});

Deno.test("describe: names the nearest tool for one there is not", async () => {
  const { error } = await run("describe('find-itmes')");
  assertEquals(
    error?.message,
    'There is no tool named "find-itmes"; did you mean "find-items"?',
  );
});

Deno.test("search: gives the best fitting tools first", async () => {
  const body =
    "return [search('ITEMS, please: shop').map((t) => t.name), search('gives').map((t) => t.name), search('zzz'), search()]";
  assertEquals(await valueOf(body), [["find-items"], ["echo"], [], []]);
});

Deno.test("tools: a set of 128 works", async () => {
  const many = Array.from(
    { length: 128 },
    (_, i) => tool(`tool-${i}`, `tool_${i}`, "x".repeat(200)),
  );
  const call = (each: CellCall) =>
    Promise.resolve({ ok: true as const, json: JSON.stringify(each.name) });
  const body = "return [await tools.tool_127(), search('127')[0].name]";
  assertEquals(await valueOf(body, { tools: many, call }), [
    "tool-127",
    "tool-127",
  ]);
});
