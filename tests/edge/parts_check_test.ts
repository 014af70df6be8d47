// What an app is made of, checked where it is made: on every platform all
// problems at once, each with its path.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../edge/app.ts";
import { cloudflare } from "../../edge/cloudflare.ts";
import { denoServer } from "../../edge/deno.ts";
import { mcpRoutes } from "../../edge/mcp.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { HostFailure } from "../../mod.ts";
import { config } from "./app_fixture.ts";

/** The failure that making an app of these parts ends in. */
function failureOf(make: () => unknown): HostFailure {
  try {
    make();
  } catch (error) {
    assert(error instanceof HostFailure);
    assertEquals(error.kind, "configuration");
    return error;
  }
  throw new Error("Nothing was refused");
}

function pathsOf(make: () => unknown): string[] {
  return failureOf(make).problems.map(({ path }) => path);
}

/** What code without types could give. */
// deno-lint-ignore no-explicit-any -- the types would refuse it
function untyped(value: object): any {
  return value;
}

const parts = {
  config,
  options: () => ({ apiKey: "key" }),
  auth: () => ({ tokens: ["a-long-random-text"] }),
};
const sessions = { store: memoryStore() };
const namespace = () => ({ idFromName: () => "", get: () => untyped({}) });

const refused = {
  backend: "openai",
  model: "",
  budget: { steps: 0 },
  tools: [{ name: "a b", description: "", parameters: { type: "object" } }],
} as const;

const refusedPaths = [
  "config.model",
  "config.budget.steps",
  "config.tools[0].name",
];

Deno.test("a configuration that no turn could run with is refused where the app is made", () => {
  const wrong = { ...parts, config: refused };
  assertEquals(pathsOf(() => createApp({ ...wrong, sessions })), refusedPaths);
  assertEquals(
    pathsOf(() => cloudflare({ ...wrong, namespace })),
    refusedPaths,
  );
  assertEquals(pathsOf(() => denoServer(wrong)), refusedPaths);
  // No model is asked there.
  assertEquals(pathsOf(() => mcpRoutes(wrong)), refusedPaths.slice(1));
});

Deno.test("missing parts are told all at once, each with what belongs there", () => {
  assertEquals(pathsOf(() => createApp(untyped({}))), [
    "options",
    "auth",
    "config",
    "sessions",
  ]);
  assertEquals(pathsOf(() => cloudflare(untyped({ ...parts }))), ["namespace"]);
  assertEquals(pathsOf(() => createApp(untyped([]))), ["parts"]);
  assertEquals(pathsOf(() => mcpRoutes(untyped({}))), [
    "options",
    "auth",
    "config",
  ]);
});

Deno.test("a store that is given without its field is refused with the form that is expected", () => {
  const { problems } = failureOf(() =>
    createApp(untyped({ ...parts, sessions: memoryStore() }))
  );
  assertEquals(problems.map(({ path }) => path), ["sessions"]);
  assertStringIncludes(problems[0]?.reason ?? "", "{ store: memoryStore() }");
});

Deno.test("parts of another form are refused", () => {
  const pathsWith = (more: Record<string, unknown>) =>
    pathsOf(() => createApp(untyped({ ...parts, sessions, ...more })));
  for (
    const [field, value] of [
      ["options", { apiKey: "key" }],
      ["auth", { tokens: [] }],
      ["onError", "log"],
      ["howToSetToken", 1],
      ["clock", {}],
      ["bodyBytes", 0],
      ["keepAliveMs", Infinity],
      ["leaseMs", NaN],
      ["textMs", "50"],
      ["suggestions", "Hello"],
    ] as const
  ) {
    assertEquals(pathsWith({ [field]: value }), [field]);
  }
  assertEquals(pathsWith({ sessions: { store: {} } }), ["sessions.store"]);
  assertEquals(
    pathsWith({ sessions: { ...sessions, keepRunning: true, keep: 1 } }),
    ["sessions.keep", "sessions.keepRunning"],
  );
  assertEquals(pathsWith({ sessions: { forward: {} } }), ["sessions.forward"]);
});

Deno.test("a field that nothing reads is refused with those that there are", () => {
  const { problems, message } = failureOf(() =>
    createApp(untyped({ ...parts, sessions, keepAlive: 1000 }))
  );
  assertEquals(problems.map(({ path }) => path), ["keepAlive"]);
  assertStringIncludes(message, "keepAliveMs");
  assertEquals(pathsOf(() => denoServer(untyped({ ...parts, sessions }))), [
    "sessions",
  ]);
  assertEquals(pathsOf(() => mcpRoutes(untyped({ ...parts, origin: "a" }))), [
    "origin",
  ]);
});

Deno.test("parts that are left out by name are as those that are not named", () => {
  const app = createApp(
    untyped({ ...parts, sessions, onError: undefined, bodyBytes: undefined }),
  );
  assert(app.routes.length > 0);
});

Deno.test("a part that cannot be read is refused, and does not throw its own error", () => {
  const broken = Object.defineProperty({}, "config", {
    enumerable: true,
    get: () => {
      throw new Error("secret");
    },
  });
  const failure = failureOf(() => createApp(untyped(broken)));
  assertEquals(failure.problems.map(({ path }) => path), ["parts"]);
  assert(!failure.message.includes("secret"));
});
