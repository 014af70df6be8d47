/**
 * The gate before tests that need permissions. Plain `deno test` has none: it
 * runs the other tests, asks for nothing, and ignores these; `deno task test`
 * has all and runs every test.
 *
 * What a test file does as it loads must hold without permissions too. Packages
 * that ask for some as they load are therefore imported in the tests that use
 * them.
 *
 * @module
 */

const kinds = ["read", "write", "net", "env", "run", "sys", "ffi"] as const;

/** Whether every permission is given whole. To look is not to ask for one. */
export const permitted: boolean = kinds.every((name) => {
  const { state, partial } = Deno.permissions.querySync({ name });
  return state === "granted" && !partial;
});

type Run = (test: Deno.TestContext) => void | Promise<void>;

/** The ways in which tests are registered here. */
export type Register = {
  (name: string, run: Run): void;
  (options: Omit<Deno.TestDefinition, "fn">, run: Run): void;
  (definition: Deno.TestDefinition): void;
};

/** `Deno.test` for tests that need permissions: ignored where one lacks. */
export const test: Register = permitted ? Deno.test : Deno.test.ignore;
