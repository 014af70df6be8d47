import { assertEquals } from "@std/assert";
import { run, valueOf } from "../cells.ts";

/** What a tool gets for an input written in code. R15, R27 */
const carried: Readonly<Record<string, unknown>> = {
  "": {},
  "undefined": {},
  "null": null,
  "{ q: 'x', limit: undefined }": { q: "x" },
  "[undefined, , 1]": [null, null, 1],
  "[NaN, Infinity, -0]": [null, null, 0],
  "new Date(0)": "1970-01-01T00:00:00.000Z",
  "new Date(NaN)": null,
  "new Set([1, new Set(['x'])])": [1, ["x"]],
  "new Map([['a', 1], [2, new Map()]])": { a: 1, 2: {} },
  "new Error('x')": { name: "Error", message: "x" },
  "Object.assign(new TypeError('x'), { code: 7 })": {
    name: "TypeError",
    message: "x",
    code: 7,
  },
  "new Uint8Array([1, 2])": [1, 2],
  "{ toJSON: () => ({ a: new Set([1]) }) }": { a: [1] },
  "new (class { a = 1; #b = 2; c() {} })()": { a: 1 },
  "Object.create(null, { a: { value: 1, enumerable: true } })": { a: 1 },
  "[new Number(1), new String('x'), new Boolean(false)]": [1, "x", false],
  "'\\ud83d' + '!'": "\ufffd!",
  'JSON.parse(\'{"__proto__":{"a":1}}\').__proto__': { a: 1 },
};

for (const [code, expected] of Object.entries(carried)) {
  Deno.test(`codec: carries ${code || "no input"}`, async () => {
    assertEquals(await valueOf(`return await tools.echo(${code})`), expected);
  });
}

Deno.test("codec: a result is carried as an input is", async () => {
  for (const [code, expected] of Object.entries(carried)) {
    if (code === "" || code === "undefined") continue;
    assertEquals(
      await valueOf(`return [${code}]`),
      [expected].map((value) => value === undefined ? null : value),
    );
  }
});

/** What cannot be carried, and what is said. */
const refused: Readonly<Record<string, string>> = {
  "{ id: 10n }":
    "input.id is a BigInt, which JSON cannot carry: use Number(value) or String(value)",
  "{ a: [1, () => 1] }": "input.a[1] is a function, which JSON cannot carry",
  "{ 'a-b': Symbol('x') }": 'input["a-b"] is a symbol, which JSON cannot carry',
  "() => 1": "input is a function, which JSON cannot carry",
  "(() => { const a = { b: [] }; a.b.push(a); return a })()":
    "input.b[0] refers back to an object that contains it (a cycle)",
  "{ get a() { throw new Error('no') } }":
    "input.a could not be read: Error: no",
  "{ a: { toJSON() { throw 'no' } } }": "input.a could not be read: no",
  "{ a: tools.echo(1) }": "input.a is a promise: await it first",
  "[new Map([[{}, 1]])]":
    "input[0] is a Map whose keys are no texts: use Array.from(map)",
  "{ a: new ArrayBuffer(1) }":
    "input.a is raw bytes, which JSON cannot carry: use Array.from(new Uint8Array(buffer))",
  "{ tools }":
    "input.tools is the tools object, which is no data: call tools.name(input)",
  "new Map([['a', new Set([1n])]])":
    "input.a[0] is a BigInt, which JSON cannot carry: use Number(value) or String(value)",
};

for (const [code, message] of Object.entries(refused)) {
  Deno.test(`codec: refuses ${code}`, async () => {
    const body =
      `return await tools.echo(${code}).catch((e) => [e.name, e.code, e.message])`;
    const { value, refusedCalls } = await run(body);
    const expected = ["EncodingError", "encoding", message];
    assertEquals(JSON.parse(value ?? "null"), expected);
    assertEquals(refusedCalls.map((call) => call.message), [message]);
  });
}

Deno.test("codec: refuses more levels than the border takes", async () => {
  const body = (depth: number) =>
    `let a = 1; for (let i = 0; i < ${depth}; i++) a = [a]; return a`;
  assertEquals((await run(body(198))).outcome, "returned");
  const { error } = await run(body(199));
  assertEquals(error?.kind, "encoding");
});

Deno.test("codec: a result that cannot be carried is no failure of the program", async () => {
  // R27
  const { outcome, error } = await run("return { f() {} }");
  assertEquals([outcome, error?.kind], ["threw", "encoding"]);
  assertEquals(
    error?.message,
    "result.f is a function, which JSON cannot carry",
  );
});

Deno.test("codec: promises in a result are awaited", async () => {
  // R41
  const body =
    "return { a: tools.echo(1), b: [tools.echo({ c: Promise.resolve(2) }).catch((e) => e.message), { d: tools.echo(3) }] }";
  assertEquals(await valueOf(body), {
    a: 1,
    b: ["input.c is a promise: await it first", { d: 3 }],
  });
});

Deno.test("codec: promises that give promises are awaited too", async () => {
  const body =
    "return [(async () => ({ x: [tools.echo(1), (async () => [tools.echo(2)])()] }))()]";
  assertEquals(await valueOf(body), [{ x: [1, [2]] }]);
});

Deno.test("codec: a rejected promise in a result is the program's error", async () => {
  const { error } = await run("return { a: tools.fail() }");
  assertEquals([error?.kind, error?.message], ["thrown", "It broke"]);
});

Deno.test("codec: a promise in a result that nothing settles is a deadlock", async () => {
  const { error } = await run("return [new Promise(() => {})]");
  assertEquals(error?.kind, "deadlock");
});

Deno.test("codec: settled results can be returned", async () => {
  const body = "return await Promise.allSettled([tools.echo(1), tools.fail()])";
  assertEquals(await valueOf(body), [
    { status: "fulfilled", value: 1 },
    {
      status: "rejected",
      reason: {
        name: "ToolError",
        message: "It broke",
        code: "broken",
        retryable: true,
      },
    },
  ]);
});

Deno.test("codec: the program's own data is not changed", async () => {
  const body =
    "const s = new Set([1]); const o = { s, n: 1 }; await tools.echo(o); return o.s === s";
  assertEquals(await valueOf(body), true);
});
