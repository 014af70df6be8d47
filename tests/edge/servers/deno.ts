/**
 * A test server for `deno serve`.
 *
 * @module
 */

import { Hono } from "hono";
import { denoServer } from "../../../edge/deno.ts";
import { agents, auth, onError, options } from "./agent.ts";

const env = {
  NANOCODE_TOKEN: Deno.env.get("NANOCODE_TOKEN"),
  NANOCODE_PROVIDER_URL: Deno.env.get("NANOCODE_PROVIDER_URL"),
};
const kvPath = Deno.env.get("NANOCODE_KV_PATH");

const app = new Hono();
// For comparison: a route that does nothing.
app.get("/nothing", (c) => c.text("ok"));
// For the load report.
app.get("/memory", (c) => c.json(Deno.memoryUsage()));
for (const agent of agents) {
  const server = denoServer({
    config: agent.config,
    options: () => options(agent, env),
    auth: () => auth(env),
    onError,
    kvPath: kvPath === undefined ? undefined : `${kvPath}-${agent.name}`,
    leaseMs: 3000,
    keepAliveMs: 1000,
  });
  app.mount(`/${agent.name}`, (request) => server.fetch(request));
}

export default app satisfies Deno.ServeDefaultExport;
