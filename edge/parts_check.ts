/**
 * The check of what an app is made of, once, where it is made: so that what is
 * wrong stops a deployment, and is not found by its first client.
 *
 * @module
 */

import { configurationProblems } from "../src/configuration.ts";
import type { Problem } from "../src/failure.ts";
import { unknownFields, unless } from "../src/field_check.ts";
import { isRecord } from "../src/json.ts";
import { checkTools, openFailure, readable } from "../src/open_checks.ts";

/** What is wrong with the field at `path`. */
export type FieldCheck = (value: unknown, path: string) => Problem[];

/** The fields that there are, each with its check. */
export type FieldChecks = Readonly<Record<string, FieldCheck>>;

/** A function that must be there. */
export function aFunction(example: string): FieldCheck {
  return (value, path) =>
    unless(
      typeof value === "function",
      path,
      `expected a function, such as ${example}`,
    );
}

/** The check of a field that may be left out. */
export function optional(check: FieldCheck): FieldCheck {
  return (value, path) => value === undefined ? [] : check(value, path);
}

/** A function, where there is one. */
export const aCallback = optional((value, path) =>
  unless(typeof value === "function", path, "expected a function")
);

/** A text, where there is one. */
export const aText = optional((value, path) =>
  unless(typeof value === "string", path, "expected a string")
);

/** A list of texts, where there is one. */
export const texts = optional((value, path) =>
  unless(
    Array.isArray(value) && value.every((name) => typeof name === "string"),
    path,
    "expected an array of strings",
  )
);

/** A number above 0, where there is one. */
export const aCount = optional((value, path) =>
  unless(
    typeof value === "number" && value > 0 && Number.isFinite(value),
    path,
    "expected a number above 0",
  )
);

function hasFunctions(value: unknown, ...names: string[]): boolean {
  return isRecord(value) &&
    names.every((name) => typeof value[name] === "function");
}

const aClock = optional((value, path) =>
  unless(
    hasFunctions(value, "now", "timer"),
    path,
    "expected an object with the functions now and timer",
  )
);

/** Where the sessions are. */
export function sessionProblems(value: unknown, path: string): Problem[] {
  const sessions = isRecord(value) ? value : {};
  if ("forward" in sessions) {
    return [
      ...unknownFields(sessions, new Set(["forward"]), `${path}.`),
      ...aFunction("(request, session, env) => …")(
        sessions.forward,
        `${path}.forward`,
      ),
    ];
  }
  if (!("store" in sessions)) {
    const reason = "expected { store }, such as { store: memoryStore() }";
    return [{ path, reason }];
  }
  return [
    ...unknownFields(sessions, new Set(["store", "keepRunning"]), `${path}.`),
    ...unless(
      hasFunctions(sessions.store, "head", "read", "commit", "watch", "remove"),
      `${path}.store`,
      "expected a SessionStore, such as memoryStore()",
    ),
    ...aCallback(sessions.keepRunning, `${path}.keepRunning`),
  ];
}

/** What the API and the MCP endpoint have in common. */
export const commonChecks = {
  options: aFunction("(env) => ({ apiKey: env.KEY })"),
  auth: aFunction("(env) => ({ tokens: [env.TOKEN] })"),
  howToSetToken: aText,
  bodyBytes: aCount,
  keepAliveMs: aCount,
  onError: aCallback,
};

/** What the API is made of wherever its sessions are. */
export const apiChecks = {
  ...commonChecks,
  config: configurationCheck(configurationProblems),
  suggestions: texts,
  sessionTurns: aCount,
  sessionBytes: aCount,
  leaseMs: aCount,
  textMs: aCount,
  clock: aClock,
};

/** All of a configuration that can be told without the options. */
export function configurationCheck(
  problemsOf: (config: unknown) => Problem[],
): FieldCheck {
  return (config, path) => {
    const tools = isRecord(config) ? checkTools(config, {}) : undefined;
    const found = [
      ...problemsOf(config),
      ...(tools?.tag === "refused" ? tools.problems : []),
    ];
    return found.map((problem) => ({
      ...problem,
      path: problem.path === path ? path : `${path}.${problem.path}`,
    }));
  };
}

/**
 * Checks what an app is made of.
 *
 * @param parts What was given.
 * @param checks The fields that there are.
 * @throws {HostFailure} Of kind `configuration`, with every problem and its path.
 */
export function checkParts(parts: unknown, checks: FieldChecks): void {
  const problems = readable("parts", () => {
    if (!isRecord(parts)) {
      const fields = Object.keys(checks).join(", ");
      return [{ path: "parts", reason: `expected an object with ${fields}` }];
    }
    return [
      ...unknownFields(parts, new Set(Object.keys(checks)), ""),
      ...Object.entries(checks).flatMap(([name, check]) =>
        check(parts[name], name)
      ),
    ];
  });
  if (problems.length > 0) throw openFailure(problems);
}
