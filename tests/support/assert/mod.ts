/**
 * The assertions that this project's tests use, with the signatures of
 * `jsr:@std/assert@1`, for machines that do not reach that registry.
 *
 * @module
 */

import { equal } from "./equal.ts";

/** Thrown by every failed assertion. */
export class AssertionError extends Error {
  override name = "AssertionError";
}

// deno-lint-ignore no-explicit-any -- the registry package's own signature
type Constructor<T> = new (...args: any[]) => T;

function show(value: unknown): string {
  return Deno.inspect(value, {
    depth: 12,
    sorted: true,
    trailingComma: true,
    compact: false,
    iterableLimit: 200,
    strAbbreviateSize: 2000,
  });
}

function suffix(message: string | undefined): string {
  return message === undefined ? "." : `: ${message}`;
}

/** Fails always. */
export function fail(message?: string): never {
  throw new AssertionError(`Failed assertion${suffix(message)}`);
}

/** Fails where `expr` is falsy. */
export function assert(expr: unknown, message = ""): asserts expr {
  if (!expr) throw new AssertionError(message);
}

/** Fails where `expr` is truthy. */
export function assertFalse(expr: unknown, message = ""): void {
  if (expr) throw new AssertionError(message);
}

/** Fails where the two differ in structure. */
export function assertEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (equal(actual, expected)) return;
  throw new AssertionError(
    `Values are not equal${suffix(message)}\n\nactual: ${
      show(actual)
    }\n\nexpected: ${show(expected)}`,
  );
}

/** Fails where the two are alike in structure. */
export function assertNotEquals<T>(
  actual: T,
  expected: T,
  message?: string,
): void {
  if (!equal(actual, expected)) return;
  throw new AssertionError(
    `Expected values to differ${suffix(message)}\n\nboth: ${show(actual)}`,
  );
}

/** Fails unless `Object.is(actual, expected)`. */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  throw new AssertionError(
    `Values are not strictly equal${suffix(message)}\n\nactual: ${
      show(actual)
    }\n\nexpected: ${show(expected)}`,
  );
}

/** Fails where `actual` is `null` or `undefined`. */
export function assertExists<T>(
  actual: T,
  message?: string,
): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  throw new AssertionError(
    `Expected a value, got ${actual}${suffix(message)}`,
  );
}

/** Fails unless `actual` is an instance of `expectedType`. */
export function assertInstanceOf<T>(
  actual: unknown,
  expectedType: Constructor<T>,
  message = "",
): asserts actual is T {
  if (actual instanceof expectedType) return;
  throw new AssertionError(
    `Expected an instance of ${expectedType.name}, got ${show(actual)}${
      suffix(message)
    }`,
  );
}

/** Fails unless `actual` holds `expected`. */
export function assertStringIncludes(
  actual: string,
  expected: string,
  message?: string,
): void {
  if (actual.includes(expected)) return;
  throw new AssertionError(
    `Expected a string that includes ${show(expected)}, got ${show(actual)}${
      suffix(message)
    }`,
  );
}

/** Fails unless `expected` matches `actual`. */
export function assertMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void {
  if (expected.test(actual)) return;
  throw new AssertionError(
    `Expected a string that matches ${expected}, got ${show(actual)}${
      suffix(message)
    }`,
  );
}

/** Fails where `expected` matches `actual`. */
export function assertNotMatch(
  actual: string,
  expected: RegExp,
  message?: string,
): void {
  if (!expected.test(actual)) return;
  throw new AssertionError(
    `Expected a string that does not match ${expected}, got ${show(actual)}${
      suffix(message)
    }`,
  );
}

/** Fails unless every key of `expected` stands alike in `actual`. */
export function assertObjectMatch(
  actual: Record<PropertyKey, unknown>,
  expected: Record<PropertyKey, unknown>,
  message?: string,
): void {
  assertEquals(pick(actual, expected), expected, message);
}

function pick(actual: unknown, expected: unknown): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(Object(expected))) {
    const value = Object(actual)[key];
    picked[key] = wanted !== null && typeof wanted === "object" &&
        !Array.isArray(wanted) && value !== null && typeof value === "object"
      ? pick(value, wanted)
      : value;
  }
  return picked;
}

function checkError<E extends Error>(
  error: unknown,
  ErrorClass: Constructor<E> | undefined,
  msgIncludes: string | undefined,
  message: string | undefined,
): void {
  if (ErrorClass !== undefined && !(error instanceof ErrorClass)) {
    throw new AssertionError(
      `Expected an error of class ${ErrorClass.name}, got ${show(error)}${
        suffix(message)
      }`,
    );
  }
  if (msgIncludes === undefined) return;
  const text = error instanceof Error ? error.message : String(error);
  if (!text.includes(msgIncludes)) {
    throw new AssertionError(
      `Expected an error message that includes ${show(msgIncludes)}, got ${
        show(text)
      }${suffix(message)}`,
    );
  }
}

/** Fails unless `fn` throws; gives what it threw. */
export function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  // deno-lint-ignore no-explicit-any -- the registry package's own signature
  ErrorClass?: new (...args: any[]) => E,
  msgIncludes?: string,
  message?: string,
): E {
  try {
    fn();
  } catch (error) {
    checkError(error, ErrorClass, msgIncludes, message);
    return error as E;
  }
  throw new AssertionError(`Expected function to throw${suffix(message)}`);
}

/** Fails unless `fn` rejects; gives what it rejected with. */
export async function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  // deno-lint-ignore no-explicit-any -- the registry package's own signature
  ErrorClass?: new (...args: any[]) => E,
  msgIncludes?: string,
  message?: string,
): Promise<E> {
  try {
    await fn();
  } catch (error) {
    checkError(error, ErrorClass, msgIncludes, message);
    return error as E;
  }
  throw new AssertionError(`Expected function to reject${suffix(message)}`);
}
