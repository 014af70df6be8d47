/**
 * Programs that try to hang, flood, break or fool the sandbox, as data: any
 * runtime can run them.
 *
 * @module
 */

import type { CellErrorKind } from "../../src/code_mode/cell.ts";
import type { CellLimits } from "../../src/code_mode/limits.ts";
import { defaultCellLimits } from "../support/cell_limits.ts";

/** A hostile program, and how its cell must end. */
export type HostileGuest = {
  readonly name: string;
  readonly code: string;
  /** The kind of its error, or the JSON text it returns. */
  readonly expect: { readonly error: CellErrorKind } | {
    readonly value: string;
  };
  /** The fuel it needs to get as far as that; {@link hostileLimits} without it. */
  readonly fuel?: number;
};

/** What each of them may use: little, so that all of them end soon. */
export const hostileLimits: CellLimits = {
  ...defaultCellLimits,
  fuel: 12_000_000,
  memoryBytes: 8 * 1024 * 1024,
  calls: 20,
};

/** Enough to fill the memory. */
const much = 400_000_000;

const fuel = { error: "fuel" } as const;
const memory = { error: "memory" } as const;
const stack = { error: "stack" } as const;
const thrown = { error: "thrown" } as const;
const encoding = { error: "encoding" } as const;
const deadlock = { error: "deadlock" } as const;
const value = (json: string) => ({ value: json });

/** Loops that never end, in every place where code can run. R32. */
const loops: readonly HostileGuest[] = [
  { name: "endless while", code: "while (true) {}", expect: fuel },
  {
    name: "endless for with work",
    code: "let n = 0; for (;;) n += Math.sqrt(n + 1);",
    expect: fuel,
  },
  {
    name: "endless loop in an async function nobody awaits",
    code: "(async () => { while (1) {} })(); return 1",
    expect: fuel,
  },
  {
    name: "endless loop in a promise executor",
    code: "new Promise(() => { (async () => { while (1) {} })() }); return 1",
    expect: fuel,
  },
  {
    name: "endless loop in a then job",
    code: "await Promise.resolve().then(() => { while (1) {} })",
    expect: fuel,
  },
  {
    name: "endless loop that catches everything",
    code: "for (;;) { try { for (;;) {} } catch {} finally { continue } }",
    expect: fuel,
  },
  {
    name: "endless loop in a getter of the result",
    code: "return { get a() { for (;;) {} } }",
    expect: fuel,
  },
  {
    name: "endless loop in a toJSON of the result",
    code: "return { toJSON() { for (;;) {} } }",
    expect: fuel,
  },
  {
    name: "endless loop in a getter of a thrown error",
    code: "throw { get message() { for (;;) {} } }",
    expect: fuel,
  },
  {
    name: "endless loop in a timer",
    code: "setTimeout(() => { for (;;) {} }, 5); await new Promise(() => {})",
    expect: fuel,
  },
  {
    name: "endless interval",
    code: "setInterval(() => {}, 1); await new Promise(() => {})",
    expect: fuel,
  },
  {
    name: "endless chain of jobs",
    code:
      "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
    expect: fuel,
  },
  {
    name: "endless chain of microtasks",
    code: "const f = () => queueMicrotask(f); f(); await new Promise(() => {})",
    expect: fuel,
  },
  {
    name: "endless native thenable",
    code:
      "const p = { then: null }; p.then = Promise.prototype.then.bind(Promise.resolve(), () => p); await p",
    expect: fuel,
  },
  {
    name: "endless generator",
    code: "function* g() { for (;;) yield 1 } for (const x of g()) ;",
    expect: fuel,
  },
  {
    name: "endless async generator",
    code:
      "async function* g() { for (;;) yield 1 } for await (const x of g()) ;",
    expect: fuel,
  },
  {
    name: "endless iterator helper",
    code:
      "function* g() { for (;;) yield 1 } return g().filter(() => false).toArray()",
    expect: fuel,
  },
  {
    name: "endless spread of a hostile iterator",
    code:
      "return [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }].length",
    expect: memory,
    fuel: much,
  },
  {
    name: "endless label jumps",
    code: "a: for (;;) { b: for (;;) continue a }",
    expect: fuel,
  },
];

/** Builtins that loop inside the engine, over lengths that no memory holds. R33. */
const builtins: readonly HostileGuest[] = [
  {
    name: "copyWithin on a huge array-like",
    code: "Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)",
    expect: fuel,
  },
  {
    name: "reverse of a huge sparse array",
    code: "new Array(4294967294).reverse()",
    expect: fuel,
  },
  {
    name: "indexOf on a huge array-like",
    code: "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    expect: fuel,
  },
  {
    name: "includes on a huge array-like",
    code: "Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
    expect: fuel,
  },
  {
    name: "fill on a huge array-like",
    code: "Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)",
    expect: memory,
    fuel: much,
  },
  {
    name: "splice on a huge array-like",
    code: "Array.prototype.splice.call({ length: 2 ** 53 - 1 }, 0, 1)",
    expect: fuel,
  },
  {
    name: "unshift on a huge array-like",
    code: "Array.prototype.unshift.call({ length: 2 ** 53 - 10 }, 1)",
    expect: fuel,
  },
  {
    name: "sort of a huge array-like",
    code: "Array.prototype.sort.call({ length: 2 ** 53 - 1 })",
    expect: fuel,
  },
  {
    name: "join of a huge sparse array",
    code: "return new Array(4294967294).join('x').length",
    expect: fuel,
  },
  {
    name: "a huge sparse array as text",
    code: "return (new Array(1e9) + '').length",
    expect: fuel,
  },
  {
    name: "forEach on a huge sparse array",
    code: "new Array(4294967294).forEach(() => {})",
    expect: fuel,
  },
  {
    name: "lastIndexOf on a huge array-like",
    code: "Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)",
    expect: fuel,
  },
  {
    name: "flat of a huge sparse array",
    code: "new Array(4294967294).flat()",
    expect: fuel,
  },
  {
    name: "Array.from a huge length",
    code: "Array.from({ length: 1e8 })",
    expect: fuel,
  },
  {
    name: "string search that backs up",
    code: "return 'a'.repeat(2e6).indexOf('a'.repeat(1e6) + 'b')",
    expect: fuel,
  },
  {
    name: "lastIndexOf that backs up",
    code: "return 'a'.repeat(2e6).lastIndexOf('b' + 'a'.repeat(1e6))",
    expect: fuel,
  },
  {
    name: "replaceAll into a flood",
    code: "return 'a'.repeat(1e6).replaceAll('a', 'b'.repeat(1e4)).length",
    expect: fuel,
  },
  {
    name: "split into a flood",
    code: "return 'x'.repeat(2 ** 26).split('').length",
    expect: memory,
  },
  {
    name: "normalize a flood",
    code: "return '\\u1e9b\\u0323'.repeat(3e5).normalize('NFKD').length",
    expect: fuel,
  },
  {
    name: "localeCompare of long texts",
    code: "const a = '\\u00e9'.repeat(5e5); for (;;) a.localeCompare(a + 'b')",
    expect: fuel,
  },
  {
    name: "sort of a typed array with a comparator",
    code: "new Float64Array(2e5).map((_, i) => -i).sort((a, b) => a - b)",
    expect: fuel,
  },
  {
    name: "fill of a typed array for ever",
    code: "const u = new Uint8Array(4e6); for (;;) u.fill(1)",
    expect: fuel,
  },
  {
    name: "set of a typed array for ever",
    code:
      "const u = new Uint8Array(2e6), v = new Uint8Array(2e6); for (;;) u.set(v)",
    expect: fuel,
  },
  {
    name: "JSON text of a deep array",
    code:
      "let d = []; for (let i = 0; i < 5e3; i++) d = [d]; return JSON.stringify(d).length",
    expect: fuel,
  },
  {
    name: "JSON parse of a deep text",
    code: "return JSON.parse('['.repeat(1e6))",
    expect: stack,
  },
  {
    name: "a wide JSON text",
    code: "return JSON.parse('[' + '0,'.repeat(2e6) + '0]').length",
    expect: memory,
    fuel: much,
  },
  {
    name: "BigInt that grows",
    code: "let n = 3n; for (;;) n = n * n",
    expect: fuel,
  },
  {
    name: "BigInt as text",
    code: "return String(7n ** 400000n).length",
    expect: fuel,
  },
  {
    name: "BigInt power beyond the engine",
    code: "return 2n ** 10000000000n",
    expect: thrown,
  },
  {
    name: "numbers in every base",
    code: "for (;;) (Math.PI * 1e300).toString(3)",
    expect: fuel,
  },
];

/** Regular expressions that never end or do not compile. */
const patterns: readonly HostileGuest[] = [
  {
    name: "backtracking by nested plus",
    code: "return /(a+)+$/.test('a'.repeat(40) + '!')",
    expect: fuel,
  },
  {
    name: "backtracking by alternatives",
    code: "return /^(a|a)*$/.test('a'.repeat(40) + '!')",
    expect: fuel,
  },
  {
    name: "backtracking by back reference",
    code: "return /(.*)*\\1x/.test('a'.repeat(40))",
    expect: fuel,
  },
  {
    name: "a pattern with huge repeats",
    code:
      "return new RegExp('((a{1,1000}){1,1000}){1,1000}b').test('a'.repeat(1e4))",
    expect: fuel,
  },
  {
    name: "a pattern that nests too deep",
    code: "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))",
    expect: thrown,
  },
  {
    name: "a pattern that does not end",
    code: "new RegExp('[')",
    expect: thrown,
  },
  {
    name: "replace with a pattern over a long text",
    code: "for (;;) 'ab'.repeat(1e4).replace(/(a)(b)/g, '$2$1$2$1')",
    expect: fuel,
  },
];

/** Recursion through everything that can recurse. R37. */
const recursion: readonly HostileGuest[] = [
  {
    name: "recursion",
    code: "function f() { return f() + 1 } return f()",
    expect: stack,
  },
  {
    name: "recursion that is caught",
    code: "function f() { return f() } try { f() } catch (e) { return e.name }",
    expect: value('"RangeError"'),
  },
  {
    name: "recursion in a then job",
    code: "function f() { return f() + 1 } await Promise.resolve().then(f)",
    expect: stack,
  },
  {
    name: "recursion through proxies",
    code:
      "let p = {}; for (let i = 0; i < 2e4; i++) p = new Proxy(p, {}); return p.x",
    expect: stack,
  },
  {
    name: "recursion through a proxy of itself",
    code:
      "const p = new Proxy({}, { get: (t, k, r) => r[k + 'x'] }); return p.a",
    expect: stack,
  },
  {
    name: "recursion through a prototype of proxies",
    code:
      "let p = {}; for (let i = 0; i < 2e4; i++) p = Object.create(new Proxy(p, {})); return 'x' in p",
    expect: stack,
  },
  {
    name: "recursion through getters",
    code: "const o = { get a() { return this.a } }; return o.a",
    expect: stack,
  },
  {
    name: "recursion through toString",
    code: "const o = { toString() { return '' + this } }; return '' + o",
    expect: stack,
  },
  {
    name: "recursion through valueOf",
    code: "const o = { valueOf() { return +this } }; return +o",
    expect: stack,
  },
  {
    name: "recursion through toJSON",
    code:
      "const o = { toJSON() { return JSON.stringify(o) } }; return JSON.stringify(o)",
    expect: stack,
  },
  {
    name: "recursion through a comparator",
    code: "const f = () => [2, 1].sort(f)[0]; return f()",
    expect: stack,
  },
  {
    name: "recursion through a replacer",
    code: "const f = () => 'a'.replace(/a/, f); return f()",
    expect: stack,
  },
  {
    name: "recursion through bound functions",
    code:
      "let f = () => 1; for (let i = 0; i < 5e3; i++) f = Object.defineProperty(f, 'name', { value: '' }).bind(null); return f()",
    expect: stack,
  },
  {
    name: "recursion through Reflect.construct",
    code: "class A { constructor() { Reflect.construct(A, []) } } new A()",
    expect: stack,
  },
  {
    name: "recursion through array join",
    code: "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return String(a)",
    expect: stack,
  },
  {
    name: "recursion through flat",
    code:
      "let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a.flat(Infinity)",
    expect: stack,
  },
  {
    name: "recursion through eval",
    code: "const s = 'eval(s)'; globalThis.s = s; return (0, eval)(s)",
    expect: stack,
  },
  {
    name: "a deep expression",
    code: "return eval('('.repeat(1e5) + '1' + ')'.repeat(1e5))",
    expect: stack,
  },
  {
    name: "a deep array literal",
    code: "return eval('['.repeat(1e5))",
    expect: stack,
  },
  {
    name: "a deep chain of functions",
    code: "return eval('x=>'.repeat(1e5) + '1')",
    expect: stack,
  },
  {
    name: "a deep template",
    code: "return eval('`${'.repeat(1e5))",
    expect: stack,
  },
];

/** Floods of memory, of every kind. R34. */
const floods: readonly HostileGuest[] = [
  {
    name: "a flood of texts",
    code: "const a = []; for (let i = 0;; i++) a.push('x'.repeat(1e5) + i)",
    expect: memory,
    fuel: much,
  },
  {
    name: "a text that doubles",
    code: "let s = 'xy'; for (;;) s += s",
    expect: thrown,
  },
  {
    name: "an array that doubles",
    code: "let a = [1]; for (;;) a = a.concat(a)",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of objects",
    code: "let o = null; for (;;) o = { o }",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of buffers",
    code: "const a = []; for (;;) a.push(new ArrayBuffer(1e6))",
    expect: memory,
    fuel: much,
  },
  {
    name: "a buffer too large",
    code: "new ArrayBuffer(2 ** 31)",
    expect: thrown,
  },
  {
    name: "a flood of promises",
    code: "const a = []; for (;;) a.push(new Promise(() => {}))",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of pending jobs",
    code: "for (;;) Promise.resolve().then(() => {})",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of map entries",
    code: "const m = new Map(); for (let i = 0;; i++) m.set(i, i)",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of properties",
    code: "const o = {}; for (let i = 0;; i++) o['k' + i] = i",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of symbols",
    code: "const a = []; for (;;) a.push(Symbol('s'))",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of closures",
    code: "const a = []; for (let i = 0;; i++) a.push(() => i)",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of generators",
    code:
      "const a = []; function* g() { yield 1 } for (;;) { const i = g(); i.next(); a.push(i) }",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood of timers",
    code: "for (;;) setTimeout(() => {}, 1e6)",
    expect: memory,
    fuel: much,
  },
  {
    name: "a flood that would be caught",
    code:
      "const a = []; try { for (;;) a.push(new Uint8Array(1e6)) } catch { a.length = 0; return 'caught' }",
    expect: memory,
  },
  {
    name: "padding without end",
    code: "return 'x'.padEnd(2 ** 30).length",
    expect: thrown,
  },
  {
    name: "species that lies",
    code:
      "class A extends Array { static get [Symbol.species]() { return function (n) { return { length: n } } } } const a = new A(); a.push(1, 2); return a.map((x) => x)[0]",
    expect: value("1"),
  },
];

/** Poisoned builtins. The border must hold, whatever becomes of the program. */
const poison: readonly HostileGuest[] = [
  {
    name: "poisoned Object.prototype.toJSON",
    code:
      "Object.prototype.toJSON = () => 'forged'; return await tools.echo({ a: 1 })",
    expect: value('"forged"'),
  },
  {
    name: "poisoned Object.prototype.then",
    code:
      "Object.prototype.then = function (r) { r('forged') }; return await tools.echo({ a: 1 })",
    expect: value('"forged"'),
  },
  {
    name: "poisoned Promise.prototype.then",
    code:
      "Promise.prototype.then = () => { throw 1 }; return await tools.echo(1)",
    expect: value("1"),
  },
  {
    name: "poisoned Promise constructor",
    code:
      "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw new Error('no') } }); return await tools.echo(1)",
    expect: thrown,
  },
  {
    name: "poisoned JSON",
    code:
      "JSON.stringify = JSON.parse = () => { throw 1 }; return await tools.echo([1])",
    expect: value("[1]"),
  },
  {
    name: "poisoned Array.prototype",
    code:
      "for (const k of Object.getOwnPropertyNames(Array.prototype)) if (k !== 'length') delete Array.prototype[k]; Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, get() { return 7 } }); return await tools.echo({ a: [] })",
    expect: thrown,
  },
  {
    name: "poisoned Object.prototype accessors",
    code:
      "Object.defineProperty(Object.prototype, 'tool', { set() { throw 1 } }); Object.defineProperty(Object.prototype, 'get', { get() { throw 1 } }); return await tools.echo({ a: 1 })",
    expect: value('{"a":1}'),
  },
  {
    name: "poisoned Function.prototype",
    code:
      "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 }; return await tools.echo(new Set([1]))",
    expect: value("[1]"),
  },
  {
    name: "poisoned String.prototype",
    code:
      "for (const k of Object.getOwnPropertyNames(String.prototype)) try { String.prototype[k] = () => { throw 1 } } catch {} text('a'); return await tools.echo('b')",
    expect: value('"b"'),
  },
  {
    name: "poisoned Reflect and Object",
    code:
      "const m = new Map([['a', 1]]), { ownKeys } = Reflect; for (const o of [Reflect, Object, Array, Map.prototype, Set.prototype]) for (const k of ownKeys(o)) try { delete o[k] } catch {} return await tools.echo(m)",
    expect: value('{"a":1}'),
  },
  {
    name: "poisoned Symbol.hasInstance",
    code:
      "Object.defineProperty(Map, Symbol.hasInstance, { value: () => true }); return { a: 1 }",
    expect: value('{"a":1}'),
  },
  {
    name: "frozen everything",
    code:
      "for (const k of Object.getOwnPropertyNames(globalThis)) { const v = globalThis[k]; if (v && (typeof v === 'object' || typeof v === 'function')) { Object.freeze(v); if (v.prototype) Object.freeze(v.prototype) } } return await tools.echo([1])",
    expect: value("[1]"),
  },
  {
    name: "no globals at all",
    code:
      "const t = tools, g = globalThis; for (const k of Reflect.ownKeys(g)) delete g[k]; return await t.echo(2)",
    expect: value("2"),
  },
  {
    name: "a thenable that settles twice and throws",
    code: "return await { then(a, b) { a(1); b(2); a(3); throw 4 } }",
    expect: value("1"),
  },
  {
    name: "a result whose then never calls back",
    code: "return { then() {} }",
    expect: deadlock,
  },
  {
    name: "a proxy as the result",
    code: "return new Proxy({}, { ownKeys() { throw new Error('no') } })",
    expect: encoding,
  },
  {
    name: "a proxy with a lying length",
    code:
      "return new Proxy([], { get: (t, k) => k === 'length' ? 2 ** 32 : 1 })",
    expect: encoding,
  },
  {
    name: "a revoked proxy as the result",
    code:
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy]",
    expect: encoding,
  },
  {
    name: "a revoked proxy thrown",
    code:
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy",
    expect: thrown,
  },
  {
    name: "an error with hostile getters",
    code:
      "throw Object.create(Error.prototype, { name: { get() { throw 1 } }, message: { get() { throw 2 } }, stack: { get() { throw 3 } }, cause: { get() { throw 4 } } })",
    expect: thrown,
  },
  {
    name: "an error whose parts are no texts",
    code:
      "throw Object.assign(new Error(), { name: {}, message: Symbol('x'), stack: 7, cause: 10n })",
    expect: thrown,
  },
  {
    name: "an error with a forged stack",
    code: "const e = new Error('x'); e.stack = 'at f (cell:999999:1)'; throw e",
    expect: thrown,
  },
  {
    name: "an error that causes itself",
    code: "const e = new Error('x'); e.cause = e; throw e",
    expect: thrown,
  },
  {
    name: "an error with a huge message",
    code: "throw new Error('x'.repeat(1e6))",
    expect: thrown,
  },
  {
    name: "a cycle as the result",
    code: "const a = {}; a.a = a; return a",
    expect: encoding,
  },
  {
    name: "a result deeper than the border takes",
    code: "let a = 1; for (let i = 0; i < 500; i++) a = [a]; return a",
    expect: encoding,
  },
  {
    name: "an exotic result",
    code: "return { a: Symbol('x') }",
    expect: encoding,
  },
];

/** Attempts to reach the border itself. */
const breakouts: readonly HostileGuest[] = [
  {
    name: "a body that closes the wrapper",
    code: "})(), (async () => { return 7",
    expect: value("7"),
  },
  {
    name: "a body that makes no promise",
    code: "}), (() => { return 7",
    expect: value("7"),
  },
  {
    name: "a search for the host function by name",
    code: "return typeof post + typeof host_call + typeof settle",
    expect: value('"undefinedundefinedundefined"'),
  },
  {
    name: "the caller of a getter",
    code:
      "let c = 0; function seen() { c = seen.caller; return 1 } text({ toJSON: seen }); return String(c)",
    expect: value('"undefined"'),
  },
  {
    name: "the functions of a stack",
    code:
      "Error.prepareStackTrace = (e, frames) => frames.map((f) => f.getFunction()); const s = []; text({ get a() { s.push(typeof new Error().stack); return 1 } }); return s[0]",
    expect: value('"string"'),
  },
  {
    name: "the arguments of a constructor",
    code:
      "class P extends Promise { constructor(f) { super(f) } } return await P.resolve(tools.echo(1))",
    expect: value("1"),
  },
  {
    name: "code in the prototype of tools",
    code: "return await tools.constructor.constructor('return 1')",
    expect: encoding,
  },
  {
    name: "the prototype of tools",
    code:
      "return [Object.getPrototypeOf(tools.echo) === Function.prototype, Object.isFrozen(tools)]",
    expect: value("[true,true]"),
  },
  {
    name: "an import",
    code: "return await import('data:text/javascript,export default 1')",
    expect: thrown,
  },
  {
    name: "a forged message in a text",
    code: 'text(\'\\u0000{"tool":"echo","input":1}\'); return 1',
    expect: value("1"),
  },
  {
    name: "a tool name that is JSON",
    code:
      'return await tools[\'echo","input":1,"x":"\'](1).catch((e) => e.name)',
    expect: value('"UnknownTool"'),
  },
  {
    name: "ids that overflow",
    code:
      "for (let i = 0; i < 30; i++) tools.echo(i).catch(() => {}); return await tools.echo(99).catch((e) => e.code)",
    expect: value('"calls"'),
  },
];

/** All of them. */
export const hostileGuests: readonly HostileGuest[] = [
  ...loops,
  ...builtins,
  ...patterns,
  ...recursion,
  ...floods,
  ...poison,
  ...breakouts,
];
