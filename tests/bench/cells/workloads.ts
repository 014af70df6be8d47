/**
 * The programs that every sandbox runs, and the tools that they call.
 *
 * @module
 */

/** A program, and the value it must return. */
export type Workload = {
  readonly name: string;
  /** The body of an async function in which `tools` holds {@link tools}. */
  readonly source: string;
  readonly expected: unknown;
};

// Ten thousand rows are about a megabyte of JSON.
const rows = Array.from({ length: 10_000 }, (_, index) => ({
  id: index,
  name: `The item with the number ${index}`,
  tags: ["one", "two"],
  price: index / 8,
  sold: index % 2 === 0,
}));

/** What the programs may call, by name. */
export const tools: Readonly<
  Record<string, (input: unknown) => Promise<unknown>>
> = {
  /** Gives its input back. */
  echo: (input) => Promise.resolve(input),
  /** Gives a megabyte of data. */
  rows: () => Promise.resolve(rows),
  /** Takes whatever it is given. */
  keep: () => Promise.resolve(true),
};

/** The programs, the trivial one first. */
export const workloads: readonly Workload[] = [
  { name: "trivial cell", source: "return 1 + 1", expected: 2 },
  {
    name: "10 parallel calls",
    source: `
const calls = [];
for (let i = 0; i < 10; i++) calls.push(tools.echo({ i }));
return (await Promise.all(calls)).reduce((sum, { i }) => sum + i, 0);`,
    expected: 45,
  },
  {
    name: "100 sequential calls",
    source: `
let sum = 0;
for (let i = 0; i < 100; i++) sum += (await tools.echo({ i })).i;
return sum;`,
    expected: 4950,
  },
  {
    name: "1e6 loop turns",
    source: `
let sum = 0;
for (let i = 0; i < 1e6; i++) sum += i;
return sum;`,
    expected: 499_999_500_000,
  },
  {
    name: "JSON of 1 MB in and out",
    source: `
const rows = await tools.rows({});
await tools.keep({ rows });
return rows.length;`,
    expected: rows.length,
  },
];
