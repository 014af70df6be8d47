/**
 * The example agent on Cloudflare Workers.
 *
 * @module
 */

import engine from "../engine.js";
import { cloudflare } from "../cloudflare.ts";
import type { ObjectNamespace } from "../cloudflare_types.ts";
import { type AgentEnvironment, auth, config, options } from "./agent.ts";

type Env = AgentEnvironment & { readonly SESSIONS: ObjectNamespace };

const { app, Session } = cloudflare<Env>({
  config,
  options: (env) => options(env, engine),
  auth,
  namespace: (env) => env.SESSIONS,
});

export { Session };
export default app;
