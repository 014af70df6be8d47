/**
 * Errors as the API tells them: problem details (RFC 9457), each with a `code`
 * that stays the same.
 *
 * @module
 */

import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { HostFailure } from "../src/failure.ts";
import type { Json } from "../src/json.ts";
import { SessionFull } from "./session/limits.ts";
import { StoredStateInvalid } from "./session/stored_state.ts";

/** Every code that a problem of this API can have, with its status and title. */
export const problems = {
  body_invalid: { status: 400, title: "The request's body is not valid" },
  parameter_invalid: { status: 400, title: "A parameter is not valid" },
  unauthorized: { status: 401, title: "The bearer token is missing or wrong" },
  foreign_request: {
    status: 403,
    title: "The request comes from where none may come from",
  },
  not_found: { status: 404, title: "There is no such resource" },
  method_not_allowed: {
    status: 405,
    title: "The resource does not take this method",
  },
  turn_running: { status: 409, title: "Another turn runs in this session" },
  key_taken: {
    status: 409,
    title: "The idempotency key was used for another request",
  },
  session_full: {
    status: 409,
    title: "The session holds as much as it may",
  },
  body_too_large: { status: 413, title: "The request's body is too large" },
  body_not_json: { status: 415, title: "The request's body is not JSON" },
  body_encoded: { status: 415, title: "The request's body is compressed" },
  internal: { status: 500, title: "The server failed" },
  configuration_refused: {
    status: 500,
    title: "The agent's configuration was refused",
  },
  stored_state_invalid: {
    status: 500,
    title: "The stored session cannot be read",
  },
  provider_failed: { status: 502, title: "The model's provider failed" },
  auth_not_configured: {
    status: 503,
    title: "The server has no bearer token configured",
  },
  turn_interrupted: { status: 503, title: "The turn was interrupted" },
} as const satisfies Readonly<
  Record<string, { status: ContentfulStatusCode; title: string }>
>;

/** A problem's stable code. */
export type ProblemCode = keyof typeof problems;

/** What a problem says beside its code. */
export type ProblemDetails = {
  /** What happened this time, and what to do. */
  readonly detail?: string;
  readonly [member: string]: Json | undefined;
};

/** A problem as JSON data. */
export function problemDocument(
  code: ProblemCode,
  details: ProblemDetails = {},
): Record<string, Json | undefined> {
  const { status, title } = problems[code];
  return {
    type: `urn:nanocode-wasm:problem:${code}`,
    title,
    status,
    code,
    ...details,
  };
}

/** A problem as a response. */
export function problemResponse(
  code: ProblemCode,
  details: ProblemDetails = {},
  headers: Record<string, string> = {},
): Response {
  return Response.json(problemDocument(code, details), {
    status: problems[code].status,
    headers: {
      "cache-control": "no-store",
      ...headers,
      "content-type": "application/problem+json",
    },
  });
}

/** Thrown by routes; the app answers with it. */
export class ProblemError extends Error {
  /** Always `ProblemError`. */
  override readonly name = "ProblemError";

  /**
   * @param code The problem's code.
   * @param details What is said beside it.
   * @param headers Headers of the response.
   */
  constructor(
    readonly code: ProblemCode,
    readonly details: ProblemDetails = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(problems[code].title);
  }
}

/**
 * Whatever a route threw, as a problem. An error that was not made for clients
 * may hold anything, so of its message nothing is told.
 */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof HostFailure && error.kind === "configuration") {
    return new ProblemError("configuration_refused", {
      detail: "The operator's log says what is wrong with it",
    });
  }
  if (error instanceof StoredStateInvalid) {
    return new ProblemError("stored_state_invalid", { detail: error.message });
  }
  if (error instanceof SessionFull) {
    return new ProblemError("session_full", { detail: error.message });
  }
  if (error instanceof HTTPException && [400, 401].includes(error.status)) {
    const challenge = error.res?.headers.get("www-authenticate") ?? "Bearer";
    return new ProblemError("unauthorized", {
      detail: "Send the header Authorization: Bearer <token>",
    }, { "www-authenticate": challenge });
  }
  return new ProblemError("internal");
}
