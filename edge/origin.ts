/**
 * Where a request may come from. A page sends its `Origin`; and a page may have
 * its own host name resolve to this machine (DNS rebinding), which matters where
 * no token is demanded.
 *
 * @module
 */

/** What is allowed. */
export type Allowed = {
  /** The host names under which the app is reached. */
  readonly hosts?: readonly string[] | undefined;
  /** Host names of web pages that may use it, beside its own. */
  readonly origins?: readonly string[] | undefined;
};

/** The names of the machine itself, as a URL has them. */
export const loopback: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Why a request comes from where it must not, or nothing.
 *
 * @param request The request.
 * @param allowed Where it may come from; without hosts, under any name.
 */
export function foreignReason(
  request: Request,
  { hosts, origins = [] }: Allowed,
): string | undefined {
  const { hostname } = new URL(request.url);
  if (hosts !== undefined && !hosts.includes(hostname)) {
    return `The host name ${hostname} is not among those allowed: ${
      hosts.join(", ")
    }`;
  }
  const origin = request.headers.get("origin");
  if (origin === null) return undefined;
  const page = URL.canParse(origin) ? new URL(origin).hostname : "";
  const isAllowed = page !== "" && [hostname, ...origins].includes(page);
  return isAllowed ? undefined : `Pages of ${origin} may not use this`;
}
