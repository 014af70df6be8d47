/**
 * A test server for Workers.
 *
 * @module
 */

import { Hono } from "hono";
import { cloudflare } from "../../../edge/cloudflare.ts";
import type { ObjectNamespace } from "../../../edge/cloudflare_types.ts";
import engine from "../../../edge/engine.js";
import {
  agents,
  auth,
  onError,
  options,
  type ServerEnvironment,
} from "./agent.ts";

type Env = ServerEnvironment & {
  readonly [binding: `AGENT_${number}`]: ObjectNamespace;
};

const app = new Hono<{ Bindings: Env }>();
app.get("/nothing", (c) => c.text("ok"));

const classes = agents.map((agent, index) => {
  const deployment = cloudflare<Env>({
    config: agent.config,
    options: (env) => options(agent, env, engine),
    auth,
    onError,
    keepAliveMs: 1000,
    ...(agent.keepMs === undefined ? {} : { keepMs: agent.keepMs }),
    namespace: (env) => {
      const namespace = env[`AGENT_${index}`];
      if (namespace === undefined) throw new Error(`No binding AGENT_${index}`);
      return namespace;
    },
  });
  app.route(`/${agent.name}`, deployment.app);
  return deployment.Session;
});

export const [
  Agent0,
  Agent1,
  Agent2,
  Agent3,
  Agent4,
  Agent5,
  Agent6,
  Agent7,
  Agent8,
  Agent9,
  Agent10,
  Agent11,
  Agent12,
] = classes;
export default app;
