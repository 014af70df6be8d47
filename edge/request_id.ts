/**
 * The id by which client and operator speak of the same request.
 *
 * @module
 */

import { createMiddleware } from "hono/factory";
import { requestId } from "hono/request-id";

const identify = requestId();

/**
 * Names the request, by the client's own `X-Request-Id` where it sends one, and
 * its answer: also a problem's, which is a response of its own.
 */
export const requestIds = createMiddleware(async (c, next) => {
  await identify(c, next);
  c.res.headers.set("x-request-id", c.get("requestId"));
});
