/**
 * An MCP endpoint for Workers.
 *
 * @module
 */

import { Hono } from "hono";
import engine from "../../../edge/engine.js";
import { mcpRoutes } from "../../../edge/mcp.ts";
import { config, tools } from "./agent.ts";

type Env = { readonly NANOCODE_TOKEN: string };

const app = new Hono<{ Bindings: Env }>();
app.route(
  "/mcp",
  mcpRoutes<Env>({
    config,
    options: () => ({ wasm: engine, tools }),
    auth: (env) => ({ tokens: [env.NANOCODE_TOKEN] }),
    keepAliveMs: 1000,
  }),
);

export default app;
