/**
 * HEAD, which Hono answers as GET and then drops the body.
 *
 * @module
 */

import { createMiddleware } from "hono/factory";

/**
 * Says how long the body of GET would be, which is known no more once the body
 * is dropped: some servers would say that it is empty.
 */
export const headAnswers = createMiddleware(async (c, next) => {
  await next();
  if (c.req.method !== "HEAD" || c.res.body === null) return;
  const { byteLength } = await c.res.arrayBuffer();
  c.res = new Response(null, c.res);
  c.res.headers.set("content-length", String(byteLength));
});
