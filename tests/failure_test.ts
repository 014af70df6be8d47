import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
} from "@std/assert";
import {
  configurationFailure,
  HostFailure,
  hostFailureKinds,
} from "../src/failure.ts";

Deno.test("hostFailureKinds: are these four", () => {
  assertEquals(hostFailureKinds, [
    "configuration",
    "backend",
    "conflict",
    "closed",
  ]);
});

for (const kind of hostFailureKinds) {
  Deno.test(`HostFailure: of kind ${kind} is an Error with a name and a message`, () => {
    const failure = new HostFailure(kind, "What happened; what to do");
    assertInstanceOf(failure, Error);
    assertStrictEquals(failure.kind, kind);
    assertStrictEquals(failure.name, "HostFailure");
    assertStrictEquals(failure.message, "What happened; what to do");
    assertStrictEquals(
      String(failure),
      "HostFailure: What happened; what to do",
    );
  });
}

Deno.test("HostFailure: knows nothing that it was not told", () => {
  const { problems, code, status, requestId, retryable, retryAfterMs, cause } =
    new HostFailure("closed", "The agent was closed");
  assertEquals(problems, []);
  assertStrictEquals(retryable, false);
  assertEquals([code, status, requestId, retryAfterMs, cause], [
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("HostFailure: carries what the provider said", () => {
  const details = {
    code: "overloaded_error",
    status: 529,
    requestId: "req_1",
    retryable: true,
    retryAfterMs: 1500,
  };
  const failure = new HostFailure("backend", "The provider is busy", details);
  const { code, status, requestId, retryable, retryAfterMs } = failure;
  assertEquals({ code, status, requestId, retryable, retryAfterMs }, details);
});

Deno.test("configurationFailure: names the one problem and its place", () => {
  const problems = [{ path: "model", reason: "expected a string" }];
  const failure = configurationFailure(problems);
  assertStrictEquals(failure.kind, "configuration");
  assertEquals(failure.problems, problems);
  assertStrictEquals(
    failure.message,
    "The configuration has 1 problem:\n- model: expected a string",
  );
});

Deno.test("configurationFailure: lists every problem, each on a line", () => {
  const failure = configurationFailure([
    { path: "backend", reason: 'expected "openai" or "anthropic"' },
    { path: "tools[2].name", reason: "stands twice" },
  ]);
  assertStrictEquals(
    failure.message,
    "The configuration has 2 problems:\n" +
      '- backend: expected "openai" or "anthropic"\n' +
      "- tools[2].name: stands twice",
  );
  assert(!failure.retryable);
});
