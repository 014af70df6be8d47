/**
 * The example agent for `deno serve`.
 *
 * @module
 */

import { denoServer } from "../deno.ts";
import { type AgentEnvironment, auth, config, options } from "./agent.ts";

const env: AgentEnvironment = {
  NANOCODE_TOKEN: Deno.env.get("NANOCODE_TOKEN"),
  NANOCODE_AUTH: Deno.env.get("NANOCODE_AUTH"),
  ANTHROPIC_API_KEY: Deno.env.get("ANTHROPIC_API_KEY"),
  NANOCODE_PROVIDER_URL: Deno.env.get("NANOCODE_PROVIDER_URL"),
};

export default denoServer({
  config,
  options: () => options(env),
  auth: () => auth(env),
  kvPath: Deno.env.get("NANOCODE_KV_PATH"),
});
