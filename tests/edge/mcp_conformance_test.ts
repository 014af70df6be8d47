// The protocol's own conformance suite against the endpoint. What the endpoint
// does not offer fails there for want of it; both lists are pinned.

import { assertEquals } from "@std/assert";
import { mcpRoutes } from "../../edge/mcp.ts";
import { test } from "../support/permissions.ts";

/** One check of one scenario. */
type Check = {
  readonly scenario: string;
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
};

/** Runs the suite in a process of its own, apart from this project's packages. */
async function run(version: string, args: string[]): Promise<Check[]> {
  await using server = serveFixtures();
  const folder = await Deno.makeTempDir();
  try {
    await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-config",
        "--node-modules-dir=none",
        `npm:@modelcontextprotocol/conformance@${version}`,
        "server",
        `--url=http://localhost:${server.addr.port}/`,
        "--output-dir=.",
        ...args,
      ],
      cwd: folder,
    }).output();
    return [...Deno.readDirSync(folder)].flatMap(({ name }) => {
      const file = `${folder}/${name}/checks.json`;
      const [, scenario = ""] = /^server-(.*?)-\d{4}-\d\d-\d\dT/.exec(name) ??
        [];
      const checks: Omit<Check, "scenario">[] = JSON.parse(
        Deno.readTextFileSync(file),
      );
      return checks.map((check) => ({ ...check, scenario }));
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The suite's fixtures that are tools which give text, or fail. */
function serveFixtures() {
  const app = mcpRoutes({
    config: {
      surfaces: ["direct"],
      tools: [
        fixture("test_simple_text"),
        fixture("test_error_handling"),
        fixture("json_schema_2020_12_tool", {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          $defs: {
            address: {
              type: "object",
              properties: { street: { type: "string" } },
            },
          },
          properties: { address: { $ref: "#/$defs/address" } },
          additionalProperties: false,
        }),
      ],
    },
    options: () => ({
      tools: {
        call: (name) =>
          name === "test_simple_text"
            ? Promise.resolve("This is a simple text response for testing.")
            : Promise.reject(new Error("This tool intentionally fails")),
      },
    }),
    auth: () => ({ off: "everybody may use this" }),
  });
  return Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    onListen: () => {},
  }, app.fetch);
}

function fixture(name: string, more: Record<string, unknown> = {}) {
  return {
    name,
    description: `The suite's fixture ${name}.`,
    parameters: { type: "object", properties: {}, ...more },
  };
}

// What the endpoint has none of, and says so: prompts, resources, completion,
// logging; tools that give pictures or sounds, or ask their caller back.
const absent = /Method not found|there is no tool|Not testable|-32601/;

// Extensions that it does not declare, and rounds of questions to the caller.
const undeclared = /^(?:tasks-|input-required-result-)/;

// Of the schema's fixture: keywords at the root that no model's provider takes.
const refusedSchema = /^sep-2106-/;

for (
  const [revision, version, suite, scenarios, succeeded] of [
    ["2025-11-25", "0.1.16", "--suite=all", [
      "dns-rebinding-protection",
      "json-schema-2020-12",
      "ping",
      "server-initialize",
      "server-sse-multiple-streams",
      "tools-call-error",
      "tools-call-simple-text",
      "tools-list",
    ], 13],
    ["2026-07-28", "0.2.0-alpha.12", "--requirements=2026-07-28", [
      "dns-rebinding-protection",
      "http-header-validation",
      "server-sse-multiple-streams",
      "tools-call-error",
      "tools-call-simple-text",
      "tools-list",
    ], 106],
  ] as const
) {
  test(`the protocol's conformance suite for ${revision} fails only for what is not offered`, async () => {
    const checks = await run(version, [suite]);
    const failed = checks.filter(({ status }) => status === "FAILURE");
    assertEquals(
      failed.filter(({ scenario, id, errorMessage = "" }) =>
        !absent.test(errorMessage) && !undeclared.test(scenario) &&
        !refusedSchema.test(id)
      ),
      [],
    );
    const broken = new Set(failed.map(({ scenario }) => scenario));
    assertEquals(scenarios.filter((name) => broken.has(name)), []);
    const passed = checks.filter(({ status }) => status === "SUCCESS");
    const seen = new Set(passed.map(({ scenario }) => scenario));
    assertEquals(scenarios.filter((name) => !seen.has(name)), []);
    assertEquals(passed.length, succeeded);
  });
}
