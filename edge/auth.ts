/**
 * Bearer authentication, on unless it is switched off by name.
 *
 * @module
 */

import { bearerAuth } from "hono/bearer-auth";
import { createMiddleware } from "hono/factory";
import { isRecord } from "../src/json.ts";
import { type Allowed, foreignReason, loopback } from "./origin.ts";
import { ProblemError } from "./problem.ts";

/** Who may use the API. */
export type Auth =
  /** Whoever sends one of these tokens. Without any, nobody. */
  | {
    readonly tokens: readonly (string | undefined)[];
    readonly off?: undefined;
  }
  /**
   * Everybody on this machine: for development. A request under another name
   * than the loopback's is refused, since a web page could have its own name
   * resolve to this machine.
   */
  | { readonly off: "everybody may use this"; readonly tokens?: undefined }
  /** Whoever gets here: what stands in front of the app has asked already. */
  | { readonly off: "what stands in front asks"; readonly tokens?: undefined };

/** Whether a token is demanded: wherever it is not switched off by name. */
export function demandsToken({ off }: Auth): boolean {
  return off !== "everybody may use this" &&
    off !== "what stands in front asks";
}

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
 * @param allowed Where requests may come from where everybody is let in: the
 * machine itself, without hosts.
 */
export function authentication<Env extends object>(
  auth: (env: Env) => Auth,
  howToSet: string = howToSetToken,
  { hosts = loopback, origins = [] }: Allowed = {},
) {
  const local = { hosts, origins: [...loopback, ...origins] };
  return createMiddleware<{ Bindings: Env }>(async (c, next) => {
    const who = auth(c.env);
    if (who.off === "what stands in front asks") return await next();
    if (who.off === "everybody may use this") {
      const reason = foreignReason(c.req.raw, local);
      if (reason === undefined) return await next();
      const detail = `${reason}. For others than this machine: ${howToSet}`;
      throw new ProblemError("foreign_request", { detail });
    }
    const tokens = tokensOf(who);
    if (tokens.length === 0) {
      throw new ProblemError("auth_not_configured", { detail: howToSet });
    }
    return await bearerAuth<{ Bindings: Env }>({ token: tokens })(c, next);
  });
}

/** The tokens that could match; from anything but a list of them, none. */
function tokensOf(who: unknown): string[] {
  const tokens: unknown = isRecord(who) ? who.tokens : undefined;
  return (Array.isArray(tokens) ? tokens : []).filter((token: unknown) =>
    typeof token === "string" && tokenForm.test(token)
  );
}
