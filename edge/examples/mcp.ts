/**
 * The example agent's tools for other models, over MCP, on Deno Deploy or locally
 * with `deno serve`. On Workers it is the same with the engine handed in; see
 * `worker.ts`.
 *
 * @module
 */

import { Hono } from "hono";
import { mcpRoutes } from "../mcp.ts";
import { type AgentEnvironment, auth, config, options } from "./agent.ts";

const env: AgentEnvironment = Deno.env.toObject();

const app = new Hono().route(
  "/mcp",
  mcpRoutes({ config, options: () => options(env), auth: () => auth(env) }),
);

export default { fetch: (request: Request) => app.fetch(request) };
