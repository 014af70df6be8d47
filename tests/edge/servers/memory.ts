/**
 * The test server in memory.
 *
 * @module
 */

import { Hono } from "hono";
import { createApp } from "../../../edge/app.ts";
import { memoryStore } from "../../../edge/stores/memory_store.ts";
import {
  agents,
  auth,
  onError,
  options,
  type ServerEnvironment,
} from "./agent.ts";

/** Makes the server; its `request` answers. */
export function memoryServer(env: ServerEnvironment): Hono {
  const app = new Hono();
  for (const agent of agents) {
    app.route(
      `/${agent.name}`,
      createApp<Record<never, never>>({
        config: agent.config,
        options: () => options(agent, env),
        auth: () => auth(env),
        onError,
        sessions: { store: memoryStore() },
        keepAliveMs: 1000,
      }),
    );
  }
  return app;
}
