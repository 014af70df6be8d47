/**
 * Random programs that do odd things at every way out of the sandbox.
 *
 * @module
 */

const values: readonly string[] = [
  "1",
  "-0",
  "NaN",
  '"x"',
  '"\\ud83d"',
  "null",
  "undefined",
  "true",
  "10n",
  "Symbol('s')",
  "() => 1",
  "new Date(0)",
  "new Date(NaN)",
  "new Map([['a', 1], [2, new Set([3])]])",
  "new Map([[{}, 1]])",
  "new Uint8Array(3)",
  "new Error('e')",
  "Promise.resolve(1)",
  "Promise.reject(new Error('r'))",
  "tools",
  "globalThis",
  "tools.echo",
  "tools.echo(1)",
  "new Array(5)",
  "[1, [2, { a: 'b' }]]",
  "{ a: { b: [1, undefined] } }",
  'JSON.parse(\'{"__proto__":{"a":1}}\')',
  "Object.create(null)",
  "Object.create({ inherited: 1 })",
  "'x'.repeat(3_000)",
  "(() => { const a = {}; a.a = a; return a; })()",
  "(() => { let a = 1; for (let i = 0; i < 250; i++) a = [a]; return a; })()",
  "{ toJSON() { throw 1; } }",
  "{ toJSON() { return this; } }",
  "{ get a() { throw new Error('got'); } }",
  "{ then(resolve) { resolve(2); } }",
  "{ then() {} }",
  "{ toString() { return {}; } }",
  "new Proxy({}, { ownKeys() { throw 2; } })",
  "new Proxy({ a: 1 }, { get() { return 3; } })",
  "new Proxy([], { getPrototypeOf() { return null; } })",
  "new Proxy(() => {}, {})",
  "class { static a = 1 }",
  "await 1",
];

const damages: readonly string[] = [
  "Object.prototype.toJSON = () => VALUE",
  "Object.prototype.then = (resolve) => resolve(VALUE)",
  "Object.defineProperty(Object.prototype, 'tool', { set() { throw 1; } })",
  "Object.defineProperty(Object.prototype, 'json', { get() { throw 1; } })",
  "Array.prototype.push = VALUE",
  "Array.prototype[Symbol.iterator] = VALUE",
  "Promise.prototype.then = VALUE",
  "Function.prototype.call = VALUE",
  "String.prototype.toWellFormed = () => VALUE",
  "JSON.stringify = () => VALUE",
  "globalThis.tools = VALUE",
  "globalThis.Promise = VALUE",
  "delete globalThis.Object",
  "Error.prepareStackTrace = () => VALUE",
  "Object.setPrototypeOf(globalThis, null)",
  "Object.freeze(globalThis)",
];

const statements: readonly string[] = [
  "await tools.echo(VALUE)",
  "tools.echo(VALUE)",
  "await tools.echo(VALUE, VALUE)",
  "await tools.fail(VALUE).catch(() => {})",
  "await tools.fail(VALUE)",
  "tools.hang(VALUE)",
  "await tools.hang(VALUE)",
  "await tools['find-items'](VALUE)",
  "await tools[VALUE](VALUE)",
  "await tools.none(VALUE).catch(console.error)",
  "await Promise.race([tools.hang(1), tools.echo(VALUE)])",
  "await Promise.all([tools.echo(VALUE), tools.fail(VALUE)])",
  "await Promise.allSettled([1, 2, 3].map((n) => tools.echo(n)))",
  "await Reflect.apply(tools.echo, VALUE, [VALUE])",
  "store(VALUE, VALUE)",
  "store('key', VALUE)",
  "text(load('key'))",
  "load(VALUE)",
  "text(VALUE)",
  "console.log(VALUE, VALUE)",
  "console.table(VALUE)",
  "console.error('%s %d', VALUE)",
  "text(budget())",
  "describe(VALUE)",
  "setTimeout(() => { STATEMENT; }, 5)",
  "setTimeout(VALUE, VALUE)",
  "queueMicrotask(() => { STATEMENT; })",
  "(async () => { STATEMENT; })()",
  "try { STATEMENT; } catch (error) { text(error); }",
  "try { STATEMENT; } finally { STATEMENT; }",
  "for (let i = 0; i < 7; i++) { STATEMENT; }",
  "for (let i = 0; i < 1e7; i++);",
  "return VALUE",
  "throw VALUE",
  "DAMAGE",
  "DAMAGE",
];

const most = 400;

/** A random program. */
export function randomProgram(random: () => number): string {
  const lines = Array.from({ length: 1 + below(5, random) }, () => {
    let line = pick(statements, random);
    for (let count = 0; count < most; count++) {
      const filled = line.replace(
        /VALUE|STATEMENT|DAMAGE/,
        (hole) => fill(hole, random),
      );
      if (filled === line) break;
      line = filled;
    }
    return `${line};`;
  });
  return lines.join("\n");
}

function fill(hole: string, random: () => number): string {
  switch (hole) {
    case "VALUE":
      return `(${pick(values, random)})`;
    case "DAMAGE":
      return pick(damages, random);
    default:
      return pick(statements, random);
  }
}

function below(limit: number, random: () => number): number {
  return Math.floor(random() * limit);
}

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[below(list.length, random)];
  if (item === undefined) throw new Error("an empty list");
  return item;
}
