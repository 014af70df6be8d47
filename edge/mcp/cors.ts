/**
 * Lets the pages that may use the endpoint do so from a browser, which asks
 * before it sends a token, and shows a page only what the answer allows.
 *
 * @module
 */

import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { foreignReason, loopback } from "../origin.ts";

const answers = cors({
  // Asked only of pages that are allowed.
  origin: (origin) => origin,
  allowMethods: ["GET", "POST", "DELETE"],
  exposeHeaders: ["mcp-session-id", "x-request-id", "www-authenticate"],
  // The longest that browsers keep it.
  maxAge: 7200,
});

const denials = cors({ origin: () => null });

/**
 * Stands before authentication, since a browser's question carries no token. It
 * lets nobody in: whoever is let in is decided after it.
 *
 * @param origins Host names of the pages.
 */
export function corsOf(origins: readonly string[] = []): MiddlewareHandler {
  return (c, next) => {
    if (isAllowed(c.req.raw, origins)) return answers(c, next);
    // Answers differ by origin: a cache must know it.
    return c.req.method === "OPTIONS" ? next() : denials(c, next);
  };
}

/** A page on this machine may use a server on it, where that one lets it in. */
function isAllowed(request: Request, origins: readonly string[]): boolean {
  if (!request.headers.has("origin")) return false;
  const isLocal = loopback.includes(new URL(request.url).hostname);
  const allowed = isLocal ? [...loopback, ...origins] : origins;
  return foreignReason(request, { origins: allowed }) === undefined;
}
