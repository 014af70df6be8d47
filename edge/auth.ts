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

/**
 * Says who may use the API; called for each request. One that asks elsewhere,
 * such as in a session of the host's own, may take its time.
 *
 * @example Whoever is signed in at the host; everybody else needs the token
 * ```ts
 * import type { AuthOf } from "@nanocode/wasm/edge";
 * import { assertEquals } from "@std/assert";
 *
 * const isSignedIn = (request: Request) =>
 *   Promise.resolve(request.headers.get("cookie") === "session=7");
 *
 * const auth: AuthOf<{ TOKEN: string }> = async (env, request) =>
 *   await isSignedIn(request)
 *     ? { off: "what stands in front asks" }
 *     : { tokens: [env.TOKEN] };
 *
 * const stranger = new Request("https://shop.example/tools");
 * assertEquals(await auth({ TOKEN: "a" }, stranger), { tokens: ["a"] });
 * ```
 */
export type AuthOf<Env> = (
  env: Env,
  request: Request,
) => Auth | Promise<Auth>;

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
 * @param allowed Where requests may come from. Without it, those with a token may
 * come from anywhere; where everybody is let in, hosts are the machine's own
 * unless they are named.
 */
export function authentication<Env extends object>(
  auth: AuthOf<Env>,
  howToSet: string = howToSetToken,
  allowed?: Allowed,
) {
  const { hosts = loopback, origins = [] } = allowed ?? {};
  const local = { hosts, origins: [...loopback, ...origins] };
  return createMiddleware<{ Bindings: Env }>(async (c, next) => {
    const who = await auth(c.env, c.req.raw);
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
    return await bearerAuth<{ Bindings: Env }>({ token: tokens })(c, () => {
      const reason = allowed && foreignReason(c.req.raw, allowed);
      if (reason === undefined) return next();
      throw new ProblemError("foreign_request", { detail: reason });
    });
  });
}

/** The tokens that could match; from anything but a list of them, none. */
function tokensOf(who: unknown): string[] {
  const tokens: unknown = isRecord(who) ? who.tokens : undefined;
  return (Array.isArray(tokens) ? tokens : []).filter((token: unknown) =>
    typeof token === "string" && tokenForm.test(token)
  );
}
