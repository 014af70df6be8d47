/**
 * The Hono apps of the API. They have few routes, so they go without the router
 * that is compiled for many, which would be a part of every Worker's upload.
 *
 * @module
 */

import type { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { Hono as SmallHono } from "hono/tiny";

/** A new app; it can be mounted in any other. */
export function newApp<Env extends object>(): Hono<{ Bindings: Env }> {
  return new SmallHono<{ Bindings: Env }>({ router: new TrieRouter() });
}
