/**
 * What is told to the operator: every problem that is the server's. A client is
 * told its code, and of its cause nothing.
 *
 * @module
 */

import type { Context } from "hono";
import {
  ProblemError,
  problemResponse,
  problems,
  toProblem,
} from "./problem.ts";

/** The request that failed. */
export type FailedRequest = {
  /** Its id, which its answer carries as `X-Request-Id`. */
  readonly requestId?: string | undefined;
};

/** Told what failed, where a client is only told that it did. */
export type OnError = (error: unknown, request: FailedRequest) => void;

/** Tells the operator where an app names nobody to tell. */
export function logError(error: unknown, { requestId }: FailedRequest): void {
  const what = error instanceof ProblemError
    // Made here: where it was thrown says nothing.
    ? `${error.code}: ${error.details.detail ?? error.message}`
    : error;
  console.error(`The request ${requestId ?? ""} failed:`, what);
}

/** Whatever a route threw, as a problem; the operator is told where it is one. */
export type Tell = (error: unknown, c: Context) => ProblemError;

/** Tells the operator by `onError`. */
export function tellBy(onError: OnError = logError): Tell {
  return (error, c) => {
    const problem = toProblem(error);
    if (problems[problem.code].status >= 500) {
      onError(error, { requestId: c.get("requestId") });
    }
    return problem;
  };
}

/** Answers whatever a route threw. */
export function problemAnswers(
  tell: Tell,
): (error: unknown, c: Context) => Response {
  return (error, c) => {
    const { code, details, headers } = tell(error, c);
    return problemResponse(code, details, headers);
  };
}
