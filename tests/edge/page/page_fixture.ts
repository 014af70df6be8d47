/**
 * The app with the page, on a port of its own, with a scripted model and tools
 * that wait until the test lets them go.
 *
 * @module
 */

import type { Budget } from "../../../src/budget.ts";
import { createApp } from "../../../edge/app.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import type { HostTool } from "../../../src/tools/host_tool.ts";
import { engineModule } from "../../support/engine.ts";
import { type ScenarioModel, scenarioModel } from "../scenario_model.ts";

/** A request as the server saw it. */
export type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly lastEventId: string | null;
};

/** A running app. */
export type PageFixture = AsyncDisposable & {
  readonly url: string;
  readonly model: ScenarioModel;
  /** Lets the calls of `lookup` with that key go, now and later. */
  release(key: string): void;
  readonly requests: SeenRequest[];
  /** Ends all event streams early, as a proxy does. */
  breakStreams(): void;
};

const tools: readonly HostTool[] = [{
  name: "lookup",
  description: "Look up the value stored under a key.",
  parameters: {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
  },
}, {
  name: "fail",
  description: "Fails with a message.",
  parameters: {
    type: "object",
    properties: { message: { type: "string" } },
    required: ["message"],
  },
}];

/** Starts the app; with a token only whoever has it may use it. */
export async function pageFixture(
  parts: {
    readonly token?: string;
    readonly budget?: Partial<Budget>;
    readonly suggestions?: readonly string[];
  } = {},
): Promise<PageFixture> {
  const { token, budget = {}, suggestions = [] } = parts;
  const model = await scenarioModel();
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gate = (key: string) => {
    const found = gates.get(key) ?? Promise.withResolvers<void>();
    gates.set(key, found);
    return found;
  };
  const app = createApp<object>({
    config: {
      backend: "anthropic",
      model: "claude-sonnet-4-5",
      tools,
      budget,
    },
    options: () => ({
      wasm: engineModule,
      apiKey: "provider-key-0123456789",
      baseUrl: model.baseUrl,
      tools: {
        call: async (name, input, signal) => {
          const { key, message } = Object(input);
          if (name === "fail") throw new Error(String(message));
          const aborted = Promise.withResolvers<never>();
          signal.addEventListener("abort", () => aborted.reject(signal.reason));
          await Promise.race([gate(String(key)).promise, aborted.promise]);
          return { key, value: String(key).toUpperCase() };
        },
      },
    }),
    sessions: { store: memoryStore() },
    suggestions,
    auth: () =>
      token === undefined
        ? { off: "everybody may use this" }
        : { tokens: [token] },
  });
  const requests: SeenRequest[] = [];
  let broken = new AbortController();
  const stop = new AbortController();
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: stop.signal,
    onListen: () => {},
  }, async (request) => {
    requests.push({
      method: request.method,
      url: request.url,
      lastEventId: request.headers.get("last-event-id"),
    });
    const response = await app.fetch(request);
    const isStream = response.headers.get("content-type")
      ?.startsWith("text/event-stream");
    return isStream ? breakable(response, broken.signal) : response;
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    model,
    release: (key) => gate(key).resolve(),
    requests,
    breakStreams() {
      broken.abort();
      broken = new AbortController();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
      await model[Symbol.asyncDispose]();
    },
  };
}

/** The same response, whose stream ends early when `signal` aborts. */
function breakable(response: Response, signal: AbortSignal): Response {
  const reader = response.body?.getReader();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener("abort", () => {
        controller.close();
        reader?.cancel().catch(() => {});
      });
    },
    async pull(controller) {
      const { done, value } = await reader?.read() ?? { done: true };
      if (signal.aborted) return;
      if (done || value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader?.cancel(reason),
  });
  return new Response(body, response);
}
