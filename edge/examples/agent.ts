/**
 * The agent that the example deployments serve: it knows a shop's stock, demand
 * and suppliers, and orders. Change it to yours: the tools that the model may use
 * are in `shop_tools.ts`.
 *
 * @module
 */

import type { AgentConfiguration, RuntimeOptions } from "../../mod.ts";
import type { Auth } from "../auth.ts";
import { shop } from "./shop_tools.ts";

/** What a deployment sets: secrets, and a few switches. */
export type AgentEnvironment = {
  /** Who may use the API: the text that clients send as bearer token. */
  readonly NANOCODE_TOKEN?: string | undefined;
  /** `off` lets everybody in. For development only. */
  readonly NANOCODE_AUTH?: string | undefined;
  /** The key of the provider Anthropic; it goes before OpenAI's. */
  readonly ANTHROPIC_API_KEY?: string | undefined;
  /** The key of the provider OpenAI. */
  readonly OPENAI_API_KEY?: string | undefined;
  /** Another model than the usual one, by the provider's name for it. */
  readonly NANOCODE_MODEL?: string | undefined;
  /** Another server that speaks the provider's wire. */
  readonly NANOCODE_PROVIDER_URL?: string | undefined;
};

/** What the agent is. */
export const config: AgentConfiguration = {
  backend: "anthropic",
  model: "claude-sonnet-4-5",
  instructions:
    "You help a bicycle shop. Use the tools; where a tool gives many rows, or is called for several products, write a program that returns only what matters. Order only what you are asked to. Answer in a few short lines.",
  tools: shop.tools,
  budget: { steps: 12, calls: 60, callMs: 20_000, turnMs: 120_000 },
};

/** Prompts that the page suggests. */
export const suggestions: readonly string[] = [
  "Which products run short within two weeks?",
  "Order 20 helmets, and the lamps that are missing",
  "How many tyres are there?",
  "Who delivers lamps?",
];

/** The same, on the backend whose key there is. */
export function configFor(env: AgentEnvironment): AgentConfiguration {
  const chosen: AgentConfiguration =
    env.OPENAI_API_KEY && !env.ANTHROPIC_API_KEY
      ? { ...config, backend: "openai", model: "gpt-5-mini" }
      : config;
  return { ...chosen, model: env.NANOCODE_MODEL || chosen.model };
}

/** What the agent lives on. */
export function options(
  env: AgentEnvironment,
  wasm?: WebAssembly.Module,
): RuntimeOptions {
  return {
    wasm,
    apiKey: env.ANTHROPIC_API_KEY || env.OPENAI_API_KEY || undefined,
    baseUrl: env.NANOCODE_PROVIDER_URL,
    tools: { call: shop.call },
  };
}

/** Who may use the API. */
export function auth(env: AgentEnvironment): Auth {
  return env.NANOCODE_AUTH === "off"
    ? { off: "everybody may use this" }
    : { tokens: [env.NANOCODE_TOKEN] };
}
