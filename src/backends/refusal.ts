/**
 * What a provider's refusal means: which failure it is, whether another try may
 * help, and when.
 *
 * @module
 */

import type { Clock } from "../ambient.ts";
import { HostFailure } from "../failure.ts";
import { isJsonObject, parseJson } from "../json.ts";
import type { Redaction } from "../redaction.ts";
import { shorten } from "../text.ts";
import type { Backend, WireError } from "./backend.ts";
import { advisedWait, isLastingCode, isRetryableStatus } from "./retry.ts";

/** A try that failed, and what the provider said of another one. */
export class Refused extends Error {
  constructor(
    readonly failure: HostFailure,
    readonly wire: WireError | undefined,
  ) {
    super(failure.message);
  }
}

/** The failure of a connection. */
export function unreachable(
  redaction: Redaction,
  baseUrl: string,
  error: unknown,
): HostFailure {
  const why = error instanceof Error ? error.message : String(error);
  const { host } = new URL(baseUrl);
  return new HostFailure(
    "backend",
    redaction.clean(
      `The provider at ${host} was not reached: ${why}`,
    ),
    { retryable: true },
  );
}

/** The failure that an error inside a stream means. */
export function streamFailure(
  redaction: Redaction,
  { message, code }: WireError,
  requestId: string | undefined,
): HostFailure {
  return new HostFailure(
    "backend",
    redaction.clean(`The provider reported an error: ${message}`),
    {
      retryable: !isLastingCode(code),
      ...(code === undefined ? {} : { code: shorten(code, 100) }),
      ...named(requestId),
    },
  );
}

const maxErrorBytes = 64 * 1024;

/** What reads a refusal. */
export type RefusalContext = {
  readonly backend: Backend;
  readonly redaction: Redaction;
  readonly clock: Clock;
};

/** Reads a response that is no success, to its end or lets go of it. */
export async function refusal(
  { backend, redaction, clock }: RefusalContext,
  response: Response,
  requestId: string | undefined,
): Promise<Refused> {
  const { status, headers } = response;
  const parsed = parseJson(await readStart(response, maxErrorBytes));
  const wire = parsed.tag === "parsed" && isJsonObject(parsed.value)
    ? backend.error(parsed.value)
    : undefined;
  const wait = advisedWait(headers, clock.now());
  const told = wire === undefined ? "" : `: ${wire.message}`;
  const failure = new HostFailure(
    "backend",
    redaction.clean(`The provider answered with status ${status}${told}`),
    {
      status,
      retryable: isRetryable(status, headers, wire),
      ...(wire?.code === undefined ? {} : { code: shorten(wire.code, 100) }),
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
      ...named(requestId),
    },
  );
  return new Refused(failure, wire);
}

function isRetryable(
  status: number,
  headers: Headers,
  wire: WireError | undefined,
): boolean {
  // Both providers may say it themselves.
  const said = headers.get("x-should-retry");
  if (said === "true" || said === "false") return said === "true";
  return isRetryableStatus(status) && !isLastingCode(wire?.code);
}

/** The body's start as text. What is left is let go, to free the connection. */
async function readStart(response: Response, limit: number): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < limit;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What came before the connection broke is all there is to tell.
  } finally {
    await reader.cancel().catch(() => {});
  }
  return text;
}

/** The request's id as a failure's detail. */
export function named(requestId: string | undefined): { requestId?: string } {
  return requestId === undefined ? {} : { requestId: shorten(requestId, 200) };
}
