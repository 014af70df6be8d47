/**
 * The routes of the page: the page itself, its files, and what it shows of the
 * agent. Page and files hold no secret and need no token; the agent's data does.
 *
 * @module
 */

import type { Context, Hono, MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { type Clock, systemAmbient } from "../../src/ambient.ts";
import { completeBudget } from "../../src/budget_check.ts";
import type { AgentConfiguration } from "../../src/configuration.ts";
import { newApp } from "../hono.ts";
import { securityHeaders } from "../security_headers.ts";
import { files } from "./files.ts";
import { shell, version } from "./texts.ts";

/** What the page shows of an app. */
export type PageParts = {
  readonly config: AgentConfiguration;
  /** Prompts that it suggests. */
  readonly suggestions?: readonly string[];
  /** Time; the platform's without one. */
  readonly clock?: Clock;
};

// Nothing from elsewhere, nothing inline, and no text becomes markup.
const policy = securityHeaders({
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
});

/** Sends nothing again that the client has: it asks whether that is current. */
const unlessKnown: MiddlewareHandler = async (c, next) => {
  const tag = `"${version}"`;
  const known = c.req.header("if-none-match") ?? "";
  if (known.includes(tag)) c.res = new Response(null, { status: 304 });
  else await next();
  if (c.res.status === 404) return;
  c.res.headers.set("etag", tag);
  c.res.headers.set("cache-control", "no-cache");
};

/**
 * The routes `/`, `/page/agent.json` and `/page/<file>`.
 *
 * @param parts What the page shows.
 * @param guard Lets through who may use the API.
 */
export function pageRoutes<Env extends object>(
  { config, suggestions = [], clock = systemAmbient.clock }: PageParts,
  guard: MiddlewareHandler<{ Bindings: Env }>,
): Hono<{ Bindings: Env }> {
  const routes = newApp<Env>();
  routes.get("/", policy, unlessKnown, (c) => {
    const folder = folderOf(new URL(c.req.url));
    return c.html(shell.replaceAll("{folder}", () => folder));
  });
  routes.use(async (c, next) => {
    if (!isFolder(c)) return await next();
    return c.redirect(`../${new URL(c.req.url).pathname.split("/").at(-2)}`);
  });
  routes.get("/page/agent.json", guard, (c) => {
    const { backend, model } = config;
    const { steps, calls, turnMs } = completeBudget(config.budget);
    const limits = { steps, calls, turnMs };
    c.header("cache-control", "no-store");
    const now = clock.now();
    return c.json({ backend, model, limits, suggestions, now });
  });
  routes.get("/page/:file", unlessKnown, (c) => {
    const file = files.get(c.req.param("file"));
    if (file === undefined) return c.notFound();
    return c.body(file.text, 200, { "content-type": file.type });
  });
  return routes;
}

/** Whether the page is asked for with a slash at its end, inside a bigger app. */
function isFolder(c: Context): boolean {
  const { method, path } = c.req;
  return (method === "GET" || method === "HEAD") && path.endsWith("/") &&
    path.split("/").length === routePath(c).split("/").length;
}

/**
 * Where the files are, relative to the page: the app may stand at any path, and
 * behind what takes the path's beginning away. It is given as the text of an
 * attribute: of what ends one, a URL's path can hold only the ampersand.
 */
function folderOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  return `./${last}/page/`.replace("//", "/").replaceAll("&", "&amp;");
}
