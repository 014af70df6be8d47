import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import {
  type AgentConfiguration,
  type AgentSnapshot,
  HostFailure,
  open,
} from "nanocode-wasm";
import { engineModule } from "./support/engine.ts";

const config: AgentConfiguration = {
  backend: "openai",
  model: "m",
  surfaces: ["direct"],
};
const lookup = {
  name: "lookup",
  description: "Looks up.",
  parameters: { type: "object" },
};
const snapshot: AgentSnapshot = {
  version: 1,
  backend: "openai",
  history: [],
  receipts: [],
  stored: {},
};

/** Opens as a program without types may. */
function openUnchecked(...given: readonly unknown[]): Promise<unknown> {
  return Reflect.apply(open, undefined, given);
}

async function failureOf(...given: readonly unknown[]): Promise<HostFailure> {
  const failure = await assertRejects(
    () => openUnchecked(...given),
    HostFailure,
  );
  assertEquals(failure.kind, "configuration");
  return failure;
}

async function pathsOf(...given: readonly unknown[]): Promise<string[]> {
  return (await failureOf(...given)).problems.map(({ path }) => path).sort();
}

Deno.test("open() reports the problems of configuration, tools, options and snapshot in one failure", async () => {
  const failure = await failureOf({
    backend: "openai",
    model: "",
    temperature: 1,
    surfaces: ["shell"],
    budget: { steps: 0 },
    tools: [
      lookup,
      { ...lookup, name: "bad name" },
      {
        ...lookup,
        name: "find",
        parameters: { type: "object", properties: { key: { pattern: "(" } } },
      },
    ],
  }, {
    apiKey: "key\n",
    baseUrl: "host",
    extra: 1,
    clock: 1,
    snapshot: { ...snapshot, version: 2 },
  });
  assertEquals(failure.problems.map(({ path }) => path).sort(), [
    "budget.steps",
    "model",
    "options.apiKey",
    "options.baseUrl",
    "options.clock",
    "options.extra",
    "options.snapshot.version",
    "surfaces[0]",
    "temperature",
    "tools[1].name",
    "tools[2].parameters.properties.key.pattern",
  ]);
  assert(failure.problems.every(({ reason }) => reason !== ""));
  assertStringIncludes(failure.message, "The configuration has 11 problems:\n");
  for (const { path, reason } of failure.problems) {
    assertStringIncludes(failure.message, `\n- ${path}: ${reason}`);
  }
  assertEquals([failure.retryable, failure.status], [false, undefined]);
});

Deno.test("open() counts one problem as one", async () => {
  const { message } = await failureOf({ ...config, model: "" }, {
    apiKey: "k",
  });
  assertEquals(
    message,
    "The configuration has 1 problem:\n- model: expected a string that is not empty",
  );
});

for (
  const [what, given, paths] of [
    ["nothing", [], ["config", "options"]],
    ["null", [null, null], ["config", "options"]],
    ["text", ["openai", "key"], ["config", "options"]],
    ["no options", [config], ["options"]],
    ["no key", [config, {}], ["options.apiKey"]],
  ] as const
) {
  Deno.test(`open() rejects ${what}, and does not throw`, async () => {
    assertEquals(await pathsOf(...given), [...paths]);
  });
}

function throwing(): never {
  throw new Error("a secret of the host");
}

const throwingModel = {
  ...config,
  get model(): string {
    return throwing();
  },
};
const throwingTool = {
  ...lookup,
  get name(): string {
    return throwing();
  },
};
const throwingKey = {
  get apiKey(): string {
    return throwing();
  },
};
const proxy = new Proxy({}, { get: throwing, ownKeys: throwing });
const options = { apiKey: "test-key" };

for (
  const [what, given, paths] of [
    [
      "configuration with a getter that throws",
      [throwingModel, {}],
      ["config", "options.apiKey"],
    ],
    [
      "tool with a getter that throws",
      [{ ...config, tools: [throwingTool] }, options],
      ["config"],
    ],
    ["proxy that throws as configuration", [proxy, options], ["config"]],
    [
      "option with a getter that throws",
      [{ ...config, model: "" }, throwingKey],
      ["model", "options"],
    ],
  ] as const
) {
  Deno.test(`open() refuses a ${what}, without its words`, async () => {
    const failure = await failureOf(...given);
    assertEquals(failure.problems.map(({ path }) => path).sort(), [...paths]);
    assertStringIncludes(
      failure.message,
      "cannot be read: a getter or a proxy",
    );
    assertEquals(failure.message.includes("secret of the host"), false);
  });
}

for (
  const [what, stored, path] of [
    ["of another version", { ...snapshot, version: 2 }, ".version"],
    ["of no version", { history: [] }, ".version"],
    ["of another backend", { ...snapshot, backend: "anthropic" }, ".backend"],
    ["that is no object", "{}", ""],
    ["that is null", null, ""],
    ["without receipts", { ...snapshot, receipts: undefined }, ".receipts"],
    ["with a broken item", { ...snapshot, history: [{}] }, ".history[0]"],
  ] as const
) {
  Deno.test(`open() refuses a snapshot ${what}`, async () => {
    assertEquals(
      await pathsOf(config, { apiKey: "k", snapshot: stored }),
      [`options.snapshot${path}`],
    );
  });
}

Deno.test("open() leaves one of the provider's 128 places to exec where both surfaces are offered", async () => {
  const tools = Array.from({ length: 128 }, (_, index) => ({
    ...lookup,
    name: `tool_${index}`,
  }));
  const options = { apiKey: "k", wasm: engineModule };
  const failure = await failureOf(
    { backend: "openai", model: "m", tools },
    options,
  );
  assertEquals(failure.problems.map(({ path }) => path), ["tools"]);
  assertStringIncludes(failure.message, 'at most 127 tools beside "exec"');
  for (const surfaces of [["direct"], ["code"]] as const) {
    await using agent = await open({ ...config, surfaces, tools }, options);
    assertEquals(agent.receipts, []);
  }
});
