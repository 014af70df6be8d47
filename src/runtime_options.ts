/**
 * What an agent lives on, and the one check of it.
 *
 * @module
 */

import type { Clock } from "./ambient.ts";
import { isEngine } from "./code_mode/exports.ts";
import type { Problem } from "./failure.ts";
import { unknownFields, unless } from "./field_check.ts";
import { isRecord } from "./json.ts";
import type { AgentSnapshot } from "./snapshot.ts";
import { shorten } from "./text.ts";
import type { HostTools } from "./tools/host_tool.ts";

/** What only a live host can give. */
export type RuntimeOptions = {
  /** Runs the calls of the host's tools. */
  readonly tools?: HostTools | undefined;
  /**
   * The provider's credential, or what gives it, called for each request. Needed
   * unless `baseUrl` names a server that wants none, or `headers` carry one.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /**
   * Where the provider is, version included: `https://api.openai.com/v1` (the
   * default of `openai`), `https://api.anthropic.com/v1` (of `anthropic`; there
   * the bare host does too), or a server that speaks the same wire.
   */
  readonly baseUrl?: string | undefined;
  /** Headers for each request to the provider. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * What sends requests; the platform's `fetch` without one. It is called
   * without a receiver: wrap a method, as in `(...a) => env.SERVICE.fetch(...a)`.
   */
  readonly fetch?: typeof fetch | undefined;
  /**
   * The engine that runs model-written code: the compiled
   * `src/code_mode/engine.wasm` of this package. Workers must give it, as they
   * cannot compile (`@nanocode/wasm/engine`), and Node, which cannot fetch files
   * (`@nanocode/wasm/engine-node`); elsewhere `open` loads it by itself.
   */
  readonly wasm?: WebAssembly.Module | undefined;
  /** Continues the conversation of `agent.snapshot()`, in any process. */
  readonly snapshot?: AgentSnapshot | undefined;
  /** Time; the platform's without one. */
  readonly clock?: Clock | undefined;
  /** Makes unique ids that start with `prefix`; random UUIDs without one. */
  readonly newId?: ((prefix: string) => string) | undefined;
  /** Chance, from 0 up to, not including, 1; the platform's without one. */
  readonly random?: (() => number) | undefined;
};

const optionFields: ReadonlySet<string> = new Set([
  "tools",
  "apiKey",
  "baseUrl",
  "headers",
  "fetch",
  "wasm",
  "snapshot",
  "clock",
  "newId",
  "random",
]);

/** What is wrong with the options, but for the snapshot's content. */
export function optionProblems(options: unknown): Problem[] {
  return [
    ...givenOptionProblems(options),
    ...(isRecord(options) ? missingKeyProblems(options) : []),
  ];
}

/** As {@link optionProblems}, where no model is asked and no key is needed. */
export function givenOptionProblems(options: unknown): Problem[] {
  if (!isRecord(options)) {
    return [{ path: "options", reason: "expected an object" }];
  }
  const { tools, fetch, clock, newId, random } = options;
  return [
    ...unknownFields(options, optionFields, "options."),
    ...unless(
      tools === undefined || hasMethods(tools, ["call"]),
      "options.tools",
      "expected an object with a function call",
    ),
    ...apiKeyProblems(options.apiKey),
    ...baseUrlProblems(options.baseUrl),
    ...headerProblems(options.headers),
    ...functionProblems({ fetch, newId, random }),
    ...wasmProblems(options.wasm),
    ...unless(
      clock === undefined || hasMethods(clock, ["now", "timer"]),
      "options.clock",
      "expected an object with the functions now and timer",
    ),
  ];
}

function functionProblems(values: Record<string, unknown>): Problem[] {
  return Object.entries(values).flatMap(([name, value]) =>
    unless(
      value === undefined || typeof value === "function",
      `options.${name}`,
      "expected a function",
    )
  );
}

function wasmProblems(wasm: unknown): Problem[] {
  const path = "options.wasm";
  if (wasm === undefined) return [];
  return wasm instanceof WebAssembly.Module
    ? unless(
      isEngine(wasm),
      path,
      "expected this package's src/code_mode/engine.wasm, which counts fuel; this is another module",
    )
    : [{ path, reason: "expected a compiled WebAssembly.Module" }];
}

function hasMethods(value: unknown, names: readonly string[]): boolean {
  return typeof value === "object" && value !== null &&
    names.every((name) => typeof Reflect.get(value, name) === "function");
}

function missingKeyProblems(
  { apiKey, baseUrl, headers }: Record<string, unknown>,
): Problem[] {
  const carried = isRecord(headers) &&
    Object.keys(headers).some((name) =>
      /^(authorization|x-api-key)$/i.test(name)
    );
  return unless(
    apiKey !== undefined || baseUrl !== undefined || carried,
    "options.apiKey",
    "expected the provider's key, or a function that gives it",
  );
}

function apiKeyProblems(apiKey: unknown): Problem[] {
  if (apiKey === "") {
    const reason =
      "expected the provider's key, got an empty text; is its secret set?";
    return [{ path: "options.apiKey", reason }];
  }
  return unless(
    apiKey === undefined || typeof apiKey === "function" ||
      typeof apiKey === "string" && /^[\x21-\x7e]+$/.test(apiKey),
    "options.apiKey",
    "expected a string of visible ASCII characters without spaces, or a function; check for a line break at its end",
  );
}

function baseUrlProblems(value: unknown): Problem[] {
  if (value === undefined) return [];
  const url = typeof value === "string" && URL.canParse(value)
    ? new URL(value)
    : undefined;
  const fine = url !== undefined && /^https?:$/.test(url.protocol) &&
    url.search === "" && url.hash === "" && url.username === "" &&
    url.password === "";
  return unless(
    fine,
    "options.baseUrl",
    "expected an http or https address without query, fragment or credentials",
  );
}

function headerProblems(value: unknown): Problem[] {
  if (value === undefined) return [];
  if (!isRecord(value)) {
    return [{ path: "options.headers", reason: "expected an object" }];
  }
  return Object.entries(value).flatMap(([name, text]) =>
    unless(
      isHeader(name, text),
      `options.headers.${shorten(name, 64)}`,
      "expected a header's name and a string that a header can carry",
    )
  );
}

function isHeader(name: string, value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}
