import {
  assert,
  assertEquals,
  assertStrictEquals,
  assertStringIncludes,
  fail,
} from "@std/assert";
import { maxDepth } from "../src/json.ts";
import { encodeJson } from "../src/json_encode.ts";

function refusalOf(value: unknown, root?: string): string {
  const encoded = encodeJson(value, root);
  if (encoded.tag === "encoded") fail(`Encoded as ${encoded.text}`);
  return encoded.reason;
}

function textOf(value: unknown): string {
  const encoded = encodeJson(value);
  if (encoded.tag === "refused") fail(encoded.reason);
  return encoded.text;
}

/** Arrays in one another, as a value. */
function nest(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

Deno.test("encodeJson: encodes data as JSON.stringify does", () => {
  const shared = { n: 1 };
  const values: unknown[] = [
    null,
    "a\ud83d",
    -0,
    [undefined, 1],
    { a: undefined, b: [shared, shared] },
    Object.assign(Object.create(null), { x: 1 }),
    new Date(0),
    new URL("https://example.com/"),
    new (class Point {
      x = 1;
      #hidden = 2;
      hidden = () => this.#hidden;
      toJSON = () => ({ x: this.x });
    })(),
    JSON.parse('{"__proto__":{"admin":true}}'),
    Object.defineProperty({ seen: 1 }, "hidden", { value: () => 1 }),
    { [Symbol("s")]: 1n, a: 1 },
    nest(maxDepth),
  ];
  for (const value of values) {
    assertStrictEquals(textOf(value), JSON.stringify(value));
  }
  assertStrictEquals(textOf(undefined), "null");
});

class Circle {
  self: Circle = this;
}

const throwing = {
  get secret(): never {
    throw new RangeError("s3cret");
  },
};

// R27
const refusals: readonly (readonly [value: unknown, reason: string])[] = [
  [10n, "result is a bigint"],
  [NaN, "result is NaN"],
  [{ a: [1, -Infinity] }, "result.a[1] is -Infinity"],
  [() => 1, "result is a function"],
  [{ f: [Symbol("s")] }, "result.f[0] is a symbol"],
  [new Circle(), "result.self is a cycle"],
  [new Map(), "result is a Map; give plain data instead"],
  [{ set: new Set() }, "result.set is a Set; give plain data instead"],
  [[Promise.resolve()], "result[0] is a Promise; give plain data instead"],
  [new Response(), "result is a Response; give plain data instead"],
  [new Uint8Array(2), "result is a Uint8Array; give plain data instead"],
  [new TypeError("x"), "result is an Error; give plain data instead"],
  [Object(1n), "result is a BigInt; give plain data instead"],
  [{ at: new Date(NaN) }, "result.at is an invalid Date"],
  [{ a: throwing }, "result.a.secret cannot be read: its getter threw"],
  [
    [{ toJSON: () => JSON.parse("{") }],
    "result[0] cannot be read: its toJSON threw",
  ],
  [{ a: { toJSON: () => ({ n: NaN }) } }, "result.a.n is NaN"],
  [{ toJSON: () => ({ n: 1n, toJSON: () => 1 }) }, "result.n is a bigint"],
  [{ toJSON: () => undefined }, "result has no JSON form"],
  [{ "a\nb\ud83d": 1n }, "result.a b\ufffd is a bigint"],
  [Proxy.revocable({}, {}), "result.revoke is a function"],
];

for (const [value, reason] of refusals) {
  Deno.test(`encodeJson: refuses what JSON would lose: ${reason}`, () => {
    assertStrictEquals(refusalOf(value), reason);
  });
}

Deno.test("encodeJson: asks toJSON once, with its key, as JSON does", () => {
  class Echo {
    readonly asked: string[] = [];
    toJSON(key: string): Echo {
      this.asked.push(key);
      return this;
    }
  }
  const echo = new Echo();
  assertStrictEquals(encodeJson({ list: [echo] }).tag, "encoded");
  assertEquals(echo.asked, ["0", "0"]);
  const keys = { a: { toJSON: (key: string) => key }, b: [new Date(0)] };
  assertStrictEquals(textOf(keys), JSON.stringify(keys));
});

Deno.test("encodeJson: bounds depth and the length of its reason", () => {
  const deep = refusalOf(nest(maxDepth + 1));
  assertStringIncludes(deep, `nests more than ${maxDepth} levels`);
  assertStringIncludes(deep, "result…");
  assert(deep.length < 500);
  assertStringIncludes(refusalOf(nest(50_000)), "nests more than");
  assert(refusalOf({ ["k".repeat(1e6)]: NaN }).length < 200);
  const endless = { toJSON: () => ({ more: endless }) };
  assertStringIncludes(refusalOf(endless), "is a cycle");
});

Deno.test("encodeJson: refuses values that change or fail while they are read", () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  assertStringIncludes(refusalOf({ a: revoked.proxy }), "cannot be read");
  const fickle = (error: Error) => {
    let reads = 0;
    return {
      get once(): number {
        if (reads++ > 0) throw error;
        return 1;
      },
    };
  };
  assertStrictEquals(
    refusalOf(fickle(new RangeError())),
    "result is too large",
  );
  assertStrictEquals(
    refusalOf(fickle(new TypeError()), "output"),
    "output cannot be read",
  );
});
