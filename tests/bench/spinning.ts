/**
 * Programs that never end, each busy with something else.
 *
 * @module
 */

/** A program, and what it is busy with. */
export type Spinning = {
  readonly name: string;
  readonly source: string;
  /** How much memory it works on, where that is much. */
  readonly bytes?: number;
};

/** Programs whose every round is short. */
const rounds: Record<string, string> = {
  "an empty loop": "for (;;) {}",
  "integers": "let i = 0; for (;;) i = (i * 3 + 7) & 0xffff",
  "floats": "let x = 1.1; for (;;) x = x * 1.0001 + 0.1 / x",
  "calls": "function f(a) { return a + 1 } for (let i = 0;;) i = f(i) % 1000",
  "closures": "for (;;) [1, 2, 3].map((x) => x * 2)",
  "recursion": "function f(n) { return n < 2 ? n : f(n - 1) + f(n - 2) } f(90)",
  "exceptions": "for (;;) { try { throw new Error('x') } catch {} }",
  "generators":
    "function* g() { for (;;) yield 1 } for (const x of g()) if (x > 1) break",
  "property access":
    "const o = { a: 1, b: { c: 2 } }; for (;;) o.a = o.b.c + o.a % 7",
  "property names": "const o = {}; for (let i = 0;; i++) o['k' + i % 1000] = i",
  "objects": "for (;;) ({ a: 1, b: [1, 2], c: { d: 3 } })",
  "object keys":
    "const o = Object.fromEntries(Array.from({ length: 200 }, (_, i) => ['k' + i, i])); for (;;) Object.keys(o)",
  "maps": "const m = new Map(); for (let i = 0;; i++) m.set(i % 5000, i)",
  "destructuring": "let a = 1, b = 2; for (;;) [a, b] = [b, a]",
  "spread": "const a = Array(500).fill(1); for (;;) Math.max(...a)",
  "array push and pop":
    "const a = []; for (let i = 0;; i++) i % 2000 < 1000 ? a.push(i) : a.pop()",
  "array slices": "const a = Array(1000).fill(1); for (;;) a.slice(1)",
  "array shifts":
    "const a = Array(2000).fill(1); for (;;) { a.shift(); a.push(1) }",
  "array search": "const a = Array(2000).fill(1); for (;;) a.indexOf(2)",
  "array joins": "const a = Array(500).fill('ab'); for (;;) a.join(',')",
  "string slices":
    "const s = 'x'.repeat(5000); for (let i = 0;; i++) s.slice(i % 100, 3000)",
  "string building":
    "for (;;) { let s = ''; for (let i = 0; i < 1000; i++) s += i }",
  "string splits": "const s = 'a,b,'.repeat(300); for (;;) s.split(',')",
  "string case": "const s = 'aBc'.repeat(500); for (;;) s.toUpperCase()",
  "string comparisons":
    "const a = 'x'.repeat(1e5) + 'a', b = 'x'.repeat(1e5) + 'b'; for (;;) a < b",
  "string normalization":
    "const s = '\\u00e9\\u1e69'.repeat(200); for (;;) s.normalize('NFD')",
  "code points": "const s = '\\u{1f600}'.repeat(200); for (;;) [...s]",
  "URI encoding":
    "const s = '\\u00e9 &'.repeat(200); for (;;) decodeURIComponent(encodeURIComponent(s))",
  "numbers as text": "for (let i = 0.1;; i += 1.7) String(i)",
  "text as numbers": "for (;;) parseFloat('3.14159265358979e-7')",
  "big integers": "let b = 3n; for (;;) b = (b * b + 1n) % (1n << 256n)",
  "huge integers": "const b = (1n << 20000n) - 1n; for (;;) b * b",
  "huge integers as text": "const b = (1n << 20000n) - 1n; for (;;) String(b)",
  "dates": "for (let i = 0;; i++) new Date(2020, i % 12, 3).toISOString()",
  "date parsing": "for (;;) Date.parse('Tue, 05 Mar 2024 10:20:30 GMT')",
  "mathematics":
    "let x = 0.5; for (;;) x = Math.abs(Math.sin(x) + Math.pow(x, 1.5) + Math.log(x + 2)) % 1",
  "square roots": "let x = 0.5; for (;;) x = Math.sqrt(x + 1)",
  "regex matches":
    "const s = 'foo=1; bar=22; '.repeat(50); for (;;) s.replace(/(\\w+)=(\\d+)/g, '$2')",
  "regex compilation": "for (;;) new RegExp('^(a|b)*[x-z]{2,5}?$', 'u')",
  "sort":
    "const a = Array.from({ length: 1000 }, (_, i) => i * 7919 % 1000); for (;;) a.slice().sort()",
  "sort with a function":
    "const a = Array.from({ length: 1000 }, (_, i) => i * 7919 % 1000); for (;;) a.slice().sort((x, y) => x - y)",
  "JSON":
    "const o = { a: [1, 2.5, 'text'], b: { c: null, d: true } }; for (;;) JSON.parse(JSON.stringify(o))",
  "JSON of long texts":
    "const s = JSON.stringify('x'.repeat(20000)); for (;;) JSON.parse(s)",
  "typed fills of 16 MB":
    "const u = new Uint8Array(16 << 20); for (;;) u.fill(1)",
  "typed fills of 100 bytes":
    "const u = new Uint8Array(100); for (;;) u.fill(1)",
  "float fills of 8 MB":
    "const u = new Float64Array(1 << 20); for (;;) u.fill(1.5)",
  "typed copies of 8 MB":
    "const u = new Uint8Array(8 << 20); for (;;) u.copyWithin(0, 1)",
  "typed slices of 4 MB":
    "const u = new Uint8Array(4 << 20); for (;;) u.slice()",
  "typed sorts":
    "const u = Float64Array.from({ length: 2000 }, (_, i) => i * 7919 % 2000); for (;;) u.slice().sort()",
  "typed searches of 4 MB":
    "const u = new Uint8Array(4 << 20); for (;;) u.indexOf(1)",
  "proxies": "const p = new Proxy({}, { get: () => 1 }); for (;;) p.x",
  "garbage collection":
    "const a = Array.from({ length: 5000 }, () => ({})); for (;;) { const o = {}; o.o = o }",
  "promise jobs": "(async () => { for (;;) await 0 })()",
  "weak maps": "const w = new WeakMap(); for (;;) w.set({}, 1)",
  "template literals": "for (let i = 0;; i++) `${i % 9}-${i % 7}`",
  "labels and switches":
    "for (let i = 0;; i++) { switch (i % 5) { case 0: continue; case 3: break; default: i ^= 0 } }",
  "eval": "for (;;) (0, eval)('1 + 2 * 3')",
};

/** Programs of which a single step never ends, or not for very long. */
const steps: Record<string, string> = {
  "string search": "'a'.repeat(2e6).indexOf('a'.repeat(1e6) + 'b')",
  "reversing a huge array": "new Array(4294967294).reverse()",
  "copying within a huge array-like":
    "Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 0, 1)",
  "filling a huge array-like":
    "Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)",
  "joining a huge array": "new Array(1e9) + ''",
  "regex backtracking": "/(a+)+$/.test('a'.repeat(40) + '!')",
  "regex backreferences": "/^(a*)*\\1$/.test('a'.repeat(60) + 'b')",
  "a huge power": "3n ** 4000000n",
};

const bytes: Readonly<Record<string, number>> = {
  "typed fills of 16 MB": 16 << 20,
  "float fills of 8 MB": 8 << 20,
  "typed copies of 8 MB": 8 << 20,
  "typed slices of 4 MB": 8 << 20,
  "typed searches of 4 MB": 4 << 20,
  "string search": 4 << 20,
};

/** All of them. */
export const spinning: readonly Spinning[] = Object
  .entries({ ...rounds, ...steps })
  .map(([name, source]) => {
    const much = bytes[name];
    return much === undefined
      ? { name, source }
      : { name, source, bytes: much };
  });
