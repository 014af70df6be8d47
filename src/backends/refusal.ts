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
import { unlessAborted } from "../stop.ts";
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
    redaction.cleanAnswer(`The provider reported an error: ${message}`),
    {
      retryable: !isLastingCode(code),
      ...coded(redaction, code),
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
  readonly signal: AbortSignal;
};

/** Reads a response that is no success, to its end or lets go of it. */
export async function refusal(
  { backend, redaction, clock, signal }: RefusalContext,
  response: Response,
  requestId: string | undefined,
): Promise<Refused> {
  const { status, headers } = response;
  const parsed = parseJson(await readStart(response, maxErrorBytes, signal));
  const wire = parsed.tag === "parsed" && isJsonObject(parsed.value)
    ? backend.error(parsed.value)
    : undefined;
  const wait = advisedWait(headers, clock.now());
  const told = wire === undefined ? "" : `: ${wire.message}`;
  const failure = new HostFailure(
    "backend",
    redaction.cleanAnswer(
      `The provider answered with status ${status}${told}${hint(status)}`,
    ),
    {
      status,
      retryable: isRetryable(status, headers, wire),
      ...coded(redaction, wire?.code),
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
async function readStart(
  response: Response,
  limit: number,
  signal: AbortSignal,
): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (let bytes = 0; bytes < limit;) {
      const { done, value } = await unlessAborted(reader.read(), signal);
      if (done) break;
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // What came before the connection broke is all there is to tell.
  } finally {
    // It may never settle, and nothing waits for it.
    reader.cancel().catch(() => {});
  }
  return text;
}

/** What to do about a status that the provider says nothing of. */
function hint(status: number): string {
  return status >= 300 && status < 400
    ? ". Redirects are not followed, as they would carry the key elsewhere; correct baseUrl"
    : "";
}

/** The error's code as a failure's detail. */
function coded(
  redaction: Redaction,
  code: string | undefined,
): { code?: string } {
  return code === undefined
    ? {}
    : { code: shorten(redaction.cleanAnswer(code), 100) };
}

/** The request's id as a failure's detail. */
export function named(requestId: string | undefined): { requestId?: string } {
  return requestId === undefined ? {} : { requestId: shorten(requestId, 200) };
}
