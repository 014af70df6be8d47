/**
 * A request's body, read within a limit. One that breaks off is the client's
 * fault, not the server's.
 *
 * @module
 */

import type { Env, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { ProblemError, problemResponse } from "./problem.ts";

/** The largest body where an app names none, in bytes. */
const defaultBytes = 1024 * 1024;

/** Refuses bodies that are larger than so many bytes. */
export function bodyWithin<E extends Env>(
  bytes: number = defaultBytes,
): MiddlewareHandler<E> {
  const limit = bodyLimit({
    maxSize: bytes,
    onError: () => problemResponse("body_too_large"),
  });
  return async (c, next) => {
    let passed = false;
    try {
      return await limit(c, () => {
        passed = true;
        return next();
      });
    } catch (error) {
      throw passed ? error : brokenOff();
    }
  };
}

/**
 * Reads a body as text.
 *
 * @throws {ProblemError} `body_encoded`, if it is compressed: its size would say
 * nothing of what it becomes. `body_invalid`, if it breaks off.
 */
export async function readBody(request: Request): Promise<string> {
  const encoding = request.headers.get("content-encoding") ?? "identity";
  if (encoding.trim().toLowerCase() !== "identity") {
    throw new ProblemError("body_encoded", {
      detail: "Send the body as it is, without Content-Encoding",
    }, { "accept-encoding": "identity" });
  }
  try {
    return await request.text();
  } catch {
    throw brokenOff();
  }
}

function brokenOff(): ProblemError {
  return new ProblemError("body_invalid", {
    detail: "The body broke off before its end; send it whole",
  });
}
