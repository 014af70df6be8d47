/**
 * The agent that the example deployments serve. Change it to yours: the tools
 * that the model may use, and the code that runs them.
 *
 * @module
 */

import type { AgentConfiguration, RuntimeOptions } from "../../mod.ts";
import type { Auth } from "../auth.ts";

/** What a deployment sets: secrets, and for development two switches. */
export type AgentEnvironment = {
  /** Who may use the API: the text that clients send as bearer token. */
  readonly NANOCODE_TOKEN?: string | undefined;
  /** `off` lets everybody in. For development only. */
  readonly NANOCODE_AUTH?: string | undefined;
  /** The provider's key. */
  readonly ANTHROPIC_API_KEY?: string | undefined;
  /** Another server that speaks the provider's wire. */
  readonly NANOCODE_PROVIDER_URL?: string | undefined;
};

/** What the agent is. */
export const config: AgentConfiguration = {
  backend: "anthropic",
  model: "claude-sonnet-4-5",
  instructions: "Use the tools. Answer in one short sentence.",
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

/** What the agent lives on. */
export function options(
  env: AgentEnvironment,
  wasm?: WebAssembly.Module,
): RuntimeOptions {
  return {
    wasm,
    apiKey: env.ANTHROPIC_API_KEY,
    baseUrl: env.NANOCODE_PROVIDER_URL,
    tools: {
      call: (name, input) => {
        const { key } = input as { key: string };
        return Promise.resolve({ name, value: key.toUpperCase() });
      },
    },
  };
}

/** Who may use the API. */
export function auth(env: AgentEnvironment): Auth {
  return env.NANOCODE_AUTH === "off"
    ? { off: "everybody may use this" }
    : { tokens: [env.NANOCODE_TOKEN] };
}
