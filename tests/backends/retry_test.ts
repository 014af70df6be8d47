import { assertEquals } from "@std/assert";
import {
  advisedWait,
  isLastingCode,
  isRetryableStatus,
  maxWaitMs,
  waitBefore,
} from "../../src/backends/retry.ts";

const now = Date.parse("2026-01-01T00:00:00Z");

// R22
for (
  const [headers, expected] of [
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "600" }, 600_000],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:07 GMT" }, 7000],
    [{ "retry-after": "Thu, 01 Jan 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{}, undefined],
  ] as const
) {
  Deno.test(`advisedWait() reads ${JSON.stringify(headers)}`, () => {
    assertEquals(advisedWait(new Headers(headers), now), expected);
  });
}

Deno.test("waitBefore() doubles with jitter, obeys advice, and is capped", () => {
  assertEquals(
    [1, 2, 3].map((attempt) => waitBefore(attempt, undefined, () => 0)),
    [250, 500, 1000],
  );
  assertEquals(waitBefore(1, undefined, () => 0.999), 500);
  assertEquals(waitBefore(30, undefined, () => 0.5), maxWaitMs * 0.75);
  assertEquals(waitBefore(1, 3000, () => 0), 3000);
  assertEquals(waitBefore(1, 600_000, () => 0), maxWaitMs);
});

Deno.test("isRetryableStatus() and isLastingCode() tell passing troubles from lasting ones", () => {
  const passing = [408, 409, 429, 500, 502, 503, 529];
  assertEquals(
    [200, 302, 400, 401, 403, 404, 413, ...passing].filter(isRetryableStatus),
    passing,
  );
  assertEquals(isLastingCode("insufficient_quota"), true);
  assertEquals(isLastingCode("overloaded_error"), false);
  assertEquals(isLastingCode(undefined), false);
});
