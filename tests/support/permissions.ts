/**
 * The gate before tests that need permissions: plain `deno test` has none, and
 * ignores them; `deno task test` has all, and runs them.
 *
 * @module
 */

const kinds = ["read", "write", "net", "env", "run", "sys", "ffi"] as const;

/** Whether every permission is given. Looking never asks anybody for one. */
export const permitted: boolean = kinds.every((name) =>
  Deno.permissions.querySync({ name }).state === "granted"
);

/** `Deno.test`, for a test that needs any permission: ignored where one lacks. */
export const test: Deno.TestIgnore = permitted ? Deno.test : Deno.test.ignore;
