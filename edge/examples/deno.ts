/**
 * The example agent for `deno serve`.
 *
 * @module
 */

import { denoServer } from "../deno.ts";
import {
  type AgentEnvironment,
  auth,
  configFor,
  options,
  suggestions,
} from "./agent.ts";

const env: AgentEnvironment = Deno.env.toObject();

export default denoServer({
  config: configFor(env),
  options: () => options(env),
  suggestions,
  auth: () => auth(env),
  kvPath: Deno.env.get("NANOCODE_KV_PATH"),
});
