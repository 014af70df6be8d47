/**
 * The app in memory, with a scripted model.
 *
 * @module
 */

import type { AgentConfiguration } from "../../src/configuration.ts";
import type { HostTools } from "../../src/tools/host_tool.ts";
import { type AppParts, createApp } from "../../edge/app.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import type { SessionStore } from "../../edge/store.ts";
import { ManualClock } from "../support/ambient.ts";
import { type Model, scriptedModel } from "../support/model.ts";
import type { ScriptedStep } from "../support/wire.ts";
import { type Send, token } from "./client.ts";

/** The agent of most tests. */
export const config: AgentConfiguration = {
  backend: "openai",
  model: "gpt-5",
  surfaces: ["direct"],
  tools: [{
    name: "lookup",
    description: "Look up the value stored under a key.",
    parameters: {
      type: "object",
      properties: { key: { type: "string" } },
      required: ["key"],
    },
  }],
};

/** One step with a call of `lookup`. */
export const oneLookup: ScriptedStep = {
  calls: [{ id: "c1", name: "lookup", arguments: '{"key":"alpha"}' }],
};

/** An app under test. */
export type Fixture = AsyncDisposable & {
  readonly send: Send;
  readonly model: Model;
  readonly clock: ManualClock;
  readonly store: SessionStore;
  /** Errors that the app logged. */
  readonly errors: unknown[];
};

/** An app whose model says `steps`, and whose tool is `call`. */
export async function fixture(
  steps: readonly ScriptedStep[],
  call: HostTools["call"],
  parts: Partial<AppParts<object>> & { store?: SessionStore } = {},
): Promise<Fixture> {
  const model = await scriptedModel(steps);
  const clock = new ManualClock();
  const { store = memoryStore(), ...more } = parts;
  const errors: unknown[] = [];
  const app = createApp<object>({
    config,
    options: () => ({
      apiKey: "provider-key-0123456789",
      baseUrl: model.baseUrl,
      tools: { call },
    }),
    sessions: { store },
    auth: () => ({ tokens: [token] }),
    clock,
    onError: (error) => errors.push(error),
    ...more,
  });
  return {
    send: async (path, init) => await app.request(path, init),
    model,
    clock,
    store,
    errors,
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

/** The key in upper case, at once. */
export const upper: HostTools["call"] = (_name, input) =>
  Promise.resolve(String(Object(input).key).toUpperCase());

/** A tool that says when it was called, and waits until it may go on. */
export function gate(): {
  call: HostTools["call"];
  called: Promise<AbortSignal>;
  open: () => void;
} {
  const called = Promise.withResolvers<AbortSignal>();
  const opened = Promise.withResolvers<void>();
  return {
    called: called.promise,
    open: () => opened.resolve(),
    call: async (_name, input, signal) => {
      called.resolve(signal);
      const aborted = new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), {
          once: true,
        })
      );
      await Promise.race([opened.promise, aborted]);
      return String(Object(input).key).toUpperCase();
    },
  };
}
