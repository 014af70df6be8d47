import { assertEquals } from "@std/assert";
import type { CellCall } from "../../../src/code_mode/cell.ts";
import { answer, run, valueOf } from "../cells.ts";

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
  "new (class extends Array { toJSON() { return { n: this.length } } })(2)": {
    n: 2,
  },
  "Object.assign([1], { toJSON: () => [2] })": [2],
  "new Proxy({ a: [1] }, {})": { a: [1] },
  "/a(b)/.exec('ab')": ["ab", "b"],
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
  "[[Object(10n)]]":
    "input[0][0] is a BigInt, which JSON cannot carry: use Number(value) or String(value)",
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

/** Results whose fields make calls when they are read. */
const calling: readonly (readonly [string, unknown])[] = [
  ["{ get a() { return tools.echo(1) } }", { a: 1 }],
  ["{ async toJSON() { return tools.echo(1) } }", 1],
  ["{ a: { async toJSON() { return { b: tools.echo(1) } } } }", {
    a: { b: 1 },
  }],
  ["[Promise.resolve({ get a() { return tools.echo(1) } })]", [{ a: 1 }]],
  [
    "{ a: new Map([[1, 2]]), get b() { return tools.echo(1) } }",
    { a: { 1: 2 }, b: 1 },
  ],
  [
    "Object.defineProperty([0], 0, { get: () => tools.echo(1) })",
    [1],
  ],
];

for (const [code, expected] of calling) {
  Deno.test(`codec: a result is read once: ${code}`, async () => {
    let calls = 0;
    const call = (each: CellCall) => {
      calls++;
      return answer(each);
    };
    assertEquals(await valueOf(`return ${code}`, { call }), expected);
    assertEquals(calls, 1);
  });
}

Deno.test("codec: a promise that stands in a result twice is told twice", async () => {
  const body = "const p = tools.echo({ a: 1 }); return [p, { p }]";
  assertEquals(await valueOf(body), [{ a: 1 }, { p: { a: 1 } }]);
});

Deno.test("codec: what a promise gives names its place", async () => {
  const { error } = await run("return [{ f: Promise.resolve({ a: 1n }) }]");
  assertEquals(
    [error?.kind, error?.message.slice(0, 15)],
    ["encoding", "result[0].f.a i"],
  );
});

Deno.test("codec: promises that give each other end at the deepest level", async () => {
  const { error } = await run(
    "const o = {}; o.p = Promise.resolve([o]); return o",
  );
  assertEquals(error?.kind, "encoding");
});

const deep =
  "(() => { let a = 1; for (let i = 0; i < 400; i++) a = [a]; return a })()";

/** Values that would say something else when they are read again. */
const fickle: readonly string[] = [
  `let n = 0; return { get a() { return n++ ? ${deep} : 1 } }`,
  `let n = 0; return { a: { toJSON() { return n++ ? ${deep} : 1 } } }`,
  `let n = 0; return { a: Object.defineProperty({}, "toJSON", { get: () => n++ ? () => ${deep} : undefined, enumerable: false }) }`,
  `return new (class extends Array { toJSON() { return ${deep} } })()`,
  `Object.prototype.toJSON = () => ${deep}; return { a: 1 }`,
  `Array.prototype.toJSON = () => ${deep}; return [1]`,
  `let n = 0; return [Object.assign(new Number(1), { valueOf: () => n++ ? ${deep} : 1 })]`,
];

for (const code of fickle) {
  Deno.test(`codec: no value can break the border: ${code}`, async () => {
    const { error } = await run(code);
    assertEquals(error?.kind ?? "encoding", "encoding");
  });
}
