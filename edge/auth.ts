/**
 * Bearer authentication, on unless it is switched off by name.
 *
 * @module
 */

import { bearerAuth } from "hono/bearer-auth";
import { createMiddleware } from "hono/factory";
import { ProblemError } from "./problem.ts";

/** Who may use the API. */
export type Auth =
  /** Whoever sends one of these tokens. Without any, nobody. */
  | { readonly tokens: readonly (string | undefined)[] }
  /** Everybody: for development on one's own machine. */
  | { readonly off: "everybody may use this" };

const howToSetToken =
  "Set the secret NANOCODE_TOKEN of the deployment to a long random text; clients send it as Authorization: Bearer <token>";

// What a bearer token can be made of (RFC 6750): with any other character it
// could never match.
const tokenForm = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Lets nobody through who has no token, and nobody at all where none is set.
 *
 * @param auth Reads who may use the API from a request's environment.
 * @param howToSet Tells the operator how to set a token.
 */
export function authentication<Env extends object>(
  auth: (env: Env) => Auth,
  howToSet: string = howToSetToken,
) {
  return createMiddleware<{ Bindings: Env }>(async (c, next) => {
    const who = auth(c.env);
    if ("off" in who) return await next();
    const tokens = who.tokens.filter((token) => token !== undefined)
      .filter((token) => tokenForm.test(token));
    if (tokens.length === 0) {
      throw new ProblemError("auth_not_configured", { detail: howToSet });
    }
    return await bearerAuth<{ Bindings: Env }>({ token: tokens })(c, next);
  });
}
