/**
 * Who may reach an MCP endpoint from a web page. A page sends its `Origin`; and
 * a page may have its own host name resolve to this machine (DNS rebinding),
 * which matters where no token is demanded.
 *
 * @module
 */

import {
  localhostAllowedHostnames,
  validateHostHeader,
  validateOriginHeader,
} from "@modelcontextprotocol/server";

/** What is allowed. */
export type Allowed = {
  /** The host names under which the endpoint is reached. */
  readonly hosts?: readonly string[];
  /** Host names of web pages that may use it, beside its own. */
  readonly origins?: readonly string[];
  /** Whether no token is demanded. */
  readonly open: boolean;
};

/** The answer to a request that comes from where it must not; else nothing. */
export function foreignResponse(
  request: Request,
  { hosts, origins = [], open }: Allowed,
): Response | undefined {
  const { host, hostname } = new URL(request.url);
  const loopback = localhostAllowedHostnames();
  const reached = hosts ?? (open ? loopback : [hostname]);
  const onHost = validateHostHeader(host, [...reached]);
  if (!onHost.ok) return forbidden(onHost.message);
  const pages = [hostname, ...origins, ...(open ? loopback : [])];
  const from = validateOriginHeader(request.headers.get("origin"), pages);
  return from.ok ? undefined : forbidden(from.message);
}

function forbidden(message: string): Response {
  const error = { code: -32000, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 403 });
}
