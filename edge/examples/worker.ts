/**
 * The example agent on Cloudflare Workers.
 *
 * @module
 */

import engine from "../engine.js";
import { cloudflare } from "../cloudflare.ts";
import type { ObjectNamespace, ObjectState } from "../cloudflare_types.ts";
import {
  type AgentEnvironment,
  auth,
  configFor,
  options,
  suggestions,
} from "./agent.ts";

type Env = AgentEnvironment & { readonly SESSIONS: ObjectNamespace };

type Deployment = ReturnType<typeof cloudflare<Env>>;

let deployment: Deployment | undefined;

// Which backend it is, the keys say, and they come with the first request. Where
// your configuration is fixed: `const { app, Session } = cloudflare({ … })`.
function deployed(env: Env): Deployment {
  return deployment ??= cloudflare<Env>({
    config: configFor(env),
    options: (env) => options(env, engine),
    auth,
    suggestions,
    namespace: (env) => env.SESSIONS,
  });
}

/** The Durable Object class of the sessions. */
export class Session {
  constructor(state: ObjectState, env: Env) {
    return new (deployed(env).Session)(state, env);
  }
}

export default {
  fetch: (request: Request, env: Env) => deployed(env).app.fetch(request, env),
};
