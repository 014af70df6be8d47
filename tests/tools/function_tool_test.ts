import { assert, assertEquals, assertRejects } from "@std/assert";
import type { JsonObject } from "../../src/json.ts";
import { Stop } from "../../src/stop.ts";
import { toolError } from "../../src/tool_error.ts";
import {
  type FunctionTool,
  notConfigured,
  toFunctionTool,
  ToolFailure,
  toolFailureOf,
  type ToolRun,
} from "../../src/tools/function_tool.ts";
import type { CallContext, HostTools } from "../../src/tools/host_tool.ts";
import { compileSchema } from "../../src/tools/schema.ts";

const parameters: JsonObject = {
  type: "object",
  properties: { key: { type: "string" } },
};

function made(tools: HostTools | undefined): FunctionTool {
  const compiled = compileSchema(parameters, "parameters");
  assert(compiled.tag === "accepted");
  const tool = { name: "lookup", description: "Looks up.", parameters };
  return toFunctionTool(tool, parameters, compiled.schema, tools);
}

const context: CallContext = {
  callId: "call_1",
  receiptId: "receipt_1",
  turnId: "turn_1",
  surface: "direct",
  idempotencyKey: "turn_1:call_1",
  deadline: 1,
  remainingMs: () => 1,
  remainingCalls: () => 1,
};

function run(stop = new Stop()): ToolRun {
  return {
    stop,
    context,
    turnStartedAt: 0,
    call: () => Promise.reject(new Error("no nested calls")),
  };
}

Deno.test("toFunctionTool() keeps what the model is told, and takes a slot and a place in the budget", () => {
  const { name, description, parameters: told, metered } = made(undefined);
  assertEquals({ name, description, told, metered }, {
    name: "lookup",
    description: "Looks up.",
    told: parameters,
    metered: true,
  });
});

Deno.test("toFunctionTool() checks inputs by the schema", () => {
  const { check } = made({ call: () => Promise.resolve() });
  assertEquals(check({ key: "a" }), []);
  assertEquals(check({ key: 1 }).map(({ path }) => path), ["input.key"]);
  assertEquals(check([]).map(({ path }) => path), ["input"]);
});

Deno.test("run() passes the call to the host's object, as its method", async () => {
  const seen: unknown[] = [];
  const tools = {
    answer: 42,
    call(...given: Parameters<HostTools["call"]>): Promise<unknown> {
      seen.push(...given);
      return Promise.resolve(this.answer);
    },
  };
  const stop = new Stop();
  assertEquals(await made(tools).run({ key: "a" }, run(stop)), 42);
  assertEquals(seen.slice(0, 2), ["lookup", { key: "a" }]);
  assert(seen[2] === stop.signal && seen[3] === context && seen.length === 4);
});

for (const how of ["throws", "rejects"] as const) {
  Deno.test(`run() rejects with what the host's call ${how}`, async () => {
    const tools: HostTools = {
      call: () => {
        if (how === "throws") throw new RangeError("too far");
        return Promise.reject(new RangeError("too far"));
      },
    };
    await assertRejects(
      () => made(tools).run({}, run()),
      RangeError,
      "too far",
    );
  });
}

Deno.test("run() fails as never executed where the host gave no call", async () => {
  const failure = await assertRejects(
    () => made(undefined).run({}, run()),
    ToolFailure,
    notConfigured,
  );
  assertEquals([failure.outcome, failure.executed, failure.error], [
    "failed",
    false,
    toolError("not_configured", "host tools are not configured"),
  ]);
});

Deno.test("ToolFailure is a failure after the tool ran, where nothing else is said", () => {
  const failure = new ToolFailure(toolError("code_failed", "line 3"));
  assertEquals([failure.outcome, failure.executed, failure.message], [
    "failed",
    true,
    "line 3",
  ]);
  assert(failure instanceof Error);
});

Deno.test("toolFailureOf() tells a ToolFailure from whatever else was thrown", () => {
  const failure = new ToolFailure(toolError("code_failed", "x"));
  assertEquals(toolFailureOf(failure), failure);
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const trap = new Proxy(failure, {
    getPrototypeOf: () => {
      throw new Error("no");
    },
  });
  for (
    const other of [new Error("x"), { ...failure }, null, "x", proxy, trap]
  ) {
    assertEquals(toolFailureOf(other), undefined);
  }
});
