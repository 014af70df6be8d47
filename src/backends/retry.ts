/**
 * Which failures of a request are worth another try, and how long to wait.
 *
 * @module
 */

/** The longest single wait before another try, in milliseconds. */
export const maxWaitMs = 60_000;

const firstWaitMs = 500;

/**
 * Whether an HTTP status tells of a passing trouble: time-outs, conflicts of
 * locks, rate limits, server errors, and 529, by which Anthropic says that it is
 * overloaded (https://platform.claude.com/docs/en/api/errors).
 */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

const lastingCodes: ReadonlySet<string> = new Set([
  "insufficient_quota",
  "billing_error",
  "invalid_api_key",
  "authentication_error",
  "permission_error",
  "invalid_request_error",
  "invalid_prompt",
  "not_found_error",
  "request_too_large",
  "context_length_exceeded",
]);

/** Whether an error's code tells of a trouble that stays, whatever its status. */
export function isLastingCode(code: string | undefined): boolean {
  return code !== undefined && lastingCodes.has(code);
}

/**
 * How long the provider advises to wait, in milliseconds: `retry-after-ms`,
 * else `retry-after` in seconds or as a date.
 */
export function advisedWait(headers: Headers, now: number): number | undefined {
  const exact = milliseconds(headers.get("retry-after-ms"), 1);
  if (exact !== undefined) return exact;
  const given = headers.get("retry-after");
  const seconds = milliseconds(given, 1000);
  if (seconds !== undefined || given === null) return seconds;
  // An HTTP date names its day; engines read much else as a date too.
  const date = /[A-Za-z]{3}/.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function milliseconds(text: string | null, unit: number): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Math.ceil(Number(text) * unit);
}

/**
 * The wait before try number `attempt` (from 1): what was advised, else a
 * doubling one with jitter (half of it fixed, half by chance). Never longer than
 * {@link maxWaitMs}.
 */
export function waitBefore(
  attempt: number,
  advised: number | undefined,
  random: () => number,
): number {
  if (advised !== undefined) return Math.min(advised, maxWaitMs);
  const full = Math.min(firstWaitMs * 2 ** (attempt - 1), maxWaitMs);
  return Math.round(full / 2 + random() * full / 2);
}
