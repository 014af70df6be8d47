/**
 * The tools that the MCP test servers offer.
 *
 * @module
 */

import type { AgentConfiguration } from "../../../src/configuration.ts";
import type { HostTools } from "../../../src/tools/host_tool.ts";

/** The tools, on both surfaces, with a budget that can be used up. */
export const config: Partial<AgentConfiguration> = {
  budget: { calls: 3, outputBytes: 2048 },
  tools: [
    tool("lookup", "Look up the value stored under a key.", {
      key: { type: "string" },
    }),
    tool("greet", "Greet somebody.", { name: { type: "string" } }),
    tool("fail", "Always fails."),
    tool("list", "Gives much.", { count: { type: "integer", minimum: 0 } }),
    tool("wait", "Waits until it is cancelled."),
    tool("state", "Tells how many waits were begun, and how many cancelled."),
  ],
};

function tool(
  name: string,
  description: string,
  properties: Record<string, unknown> = {},
) {
  const required = Object.keys(properties);
  return {
    name,
    description,
    parameters: { type: "object", properties, required },
  };
}

/** What became of the waits. */
export type Waits = {
  begun: number;
  cancelled: number;
  /** Waits that nobody cancelled in time. */
  expired: number;
};

const waits: Waits = { begun: 0, cancelled: 0, expired: 0 };

/** Runs their calls. */
export const tools: HostTools = {
  call: async (name, input, signal) => {
    const { key, name: who, count } = input as Record<string, unknown>;
    switch (name) {
      case "lookup":
        return { key, value: String(key).toUpperCase() };
      case "greet":
        return `Hello, ${who}!`;
      case "list":
        return { items: Array.from({ length: Number(count) }, () => "item") };
      case "wait":
        return await waitFor(signal);
      case "state":
        return { ...waits };
      default:
        throw new RangeError(`${name} is out of stock`);
    }
  },
};

function waitFor(signal: AbortSignal): Promise<void> {
  waits.begun++;
  // Something must be pending that the platform knows of.
  const { promise, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    waits.expired++;
    reject(new Error("Nobody cancelled"));
  }, 10_000);
  signal.addEventListener("abort", () => {
    waits.cancelled++;
    clearTimeout(timer);
    reject(signal.reason);
  });
  return promise;
}
