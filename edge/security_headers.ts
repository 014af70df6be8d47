/**
 * Headers that keep browsers from doing more with an answer than is meant. How
 * the domain is reached (`Strict-Transport-Security`) is the operator's to say.
 *
 * @module
 */

import type { MiddlewareHandler } from "hono";

const always: Readonly<Record<string, string>> = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
};

/** Adds the headers, and `more`, to every answer that does not set them itself. */
export function securityHeaders(
  more: Readonly<Record<string, string>> = {},
): MiddlewareHandler {
  const all = Object.entries({ ...always, ...more });
  return async (c, next) => {
    await next();
    for (const [name, value] of all) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value);
    }
  };
}
