// What an agent does, the same on every backend and surface. The model is a
// script behind a real HTTP server that speaks both providers' wires.

import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  type Agent,
  type AgentConfiguration,
  type BackendName,
  HostFailure,
  type HostTools,
  open,
  type Surface,
  type TurnEvent,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { type Model, modelName, scriptedModel } from "./support/model.ts";
import { test } from "./support/permissions.ts";
import {
  hostReceipts,
  stepOfCalls,
  type WantedCall,
} from "./support/surface.ts";
import type { ScriptedStep } from "./support/wire.ts";
import "./support/engine.ts";

const backends: readonly BackendName[] = ["openai", "anthropic"];
const surfaces: readonly Surface[] = ["direct", "code"];

type Opened = AsyncDisposable & {
  readonly agent: Agent;
  readonly model: Model;
  readonly clock: ReturnType<typeof manualAmbient>["clock"];
};

type Setting = {
  readonly backend: BackendName;
  readonly surface: Surface;
  /** Opens an agent whose model makes `calls` in its first step. */
  opened(
    calls: readonly WantedCall[] | readonly ScriptedStep[],
    call: HostTools["call"] | undefined,
    config?: Partial<AgentConfiguration>,
  ): Promise<Opened>;
};

const tools: AgentConfiguration["tools"] = ["lookup", "save"].map((name) => ({
  name,
  description: `The tool ${name}.`,
  parameters: {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
    additionalProperties: false,
  },
}));

function isStep(item: WantedCall | ScriptedStep): item is ScriptedStep {
  return !("input" in item);
}

function behaviour(
  name: string,
  run: (setting: Setting) => Promise<void>,
): void {
  for (const backend of backends) {
    for (const surface of surfaces) {
      test(`${backend}, ${surface}: ${name}`, () =>
        run({ backend, surface, opened: open_(backend, surface) }));
    }
  }
}

function open_(backend: BackendName, surface: Surface): Setting["opened"] {
  return async (calls, call, config = {}) => {
    const steps: ScriptedStep[] = [];
    const wanted: WantedCall[] = [];
    for (const item of calls) {
      if (isStep(item)) steps.push(item);
      else wanted.push(item);
    }
    if (wanted.length > 0) steps.push(stepOfCalls(surface, wanted));
    const model = await scriptedModel(steps);
    const ambient = manualAmbient();
    const agent = await open({
      backend,
      model: modelName(backend),
      surfaces: [surface],
      tools,
      ...config,
    }, {
      ...ambient,
      apiKey: "test-key",
      baseUrl: model.baseUrl,
      ...(call === undefined ? {} : { tools: { call } }),
    });
    return {
      agent,
      model,
      clock: ambient.clock,
      async [Symbol.asyncDispose]() {
        await agent.close();
        await model[Symbol.asyncDispose]();
      },
    };
  };
}

const upper: HostTools["call"] = (_name, input) =>
  Promise.resolve(
    typeof input === "object" && input !== null && "key" in input
      ? String(input.key).toUpperCase()
      : null,
  );

/** Lets everything run that waits for nothing from outside. */
async function settled(): Promise<void> {
  for (let tick = 0; tick < 100; tick++) await Promise.resolve();
}

const twoLookups: readonly WantedCall[] = [
  { name: "lookup", input: { key: "alpha" } },
  { name: "lookup", input: { key: "beta" } },
];

behaviour(
  "two calls run, and the model reads what they gave",
  async ({ opened }) => {
    await using run = await opened(twoLookups, upper);
    const result = await run.agent.prompt("Look up").result();
    assertEquals(result.text, "done");
    assertEquals(result.stopReason, "completed");
    assertEquals(result.steps, 2);
    assertEquals(hostReceipts(result.receipts), [
      {
        tool: "lookup",
        input: { key: "alpha" },
        outcome: "succeeded",
        executed: true,
        output: "ALPHA",
      },
      {
        tool: "lookup",
        input: { key: "beta" },
        outcome: "succeeded",
        executed: true,
        output: "BETA",
      },
    ]);
    const told = JSON.stringify(run.model.messages().at(-1));
    assertStringIncludes(told, "ALPHA");
    assertStringIncludes(told, "BETA");
  },
);

behaviour("the calls of a step start together", async ({ opened }) => {
  let started = 0;
  const both = Promise.withResolvers<void>();
  await using run = await opened(twoLookups, async () => {
    if (++started === 2) both.resolve();
    await both.promise;
  });
  const { receipts } = await run.agent.prompt("Look up").result();
  assertEquals(hostReceipts(receipts).length, 2);
});

behaviour(
  "at most budget.concurrentCalls run at the same time",
  async ({ opened }) => {
    let running = 0;
    let most = 0;
    const calls = Array.from({ length: 8 }, (_, index) => ({
      name: "lookup",
      input: { key: String(index) },
    }));
    await using run = await opened(calls, async () => {
      most = Math.max(most, ++running);
      for (let tick = 0; tick < 20; tick++) await Promise.resolve();
      running--;
    }, { budget: { concurrentCalls: 3 } });
    await run.agent.prompt("Look up").result();
    assertEquals([most, running], [3, 0]);
  },
);

// R05
behaviour(
  "receipts stand in the order of the calls, not of their ends",
  async ({ opened }) => {
    const second = Promise.withResolvers<void>();
    await using run = await opened(twoLookups, async (_name, input) => {
      const { key } = Object(input);
      if (key === "beta") second.resolve();
      else await second.promise;
      return key;
    });
    const { receipts } = await run.agent.prompt("Look up").result();
    assertEquals(
      receipts.filter(({ tool }) => tool === "lookup").map(({ output }) =>
        output
      ),
      ["alpha", "beta"],
    );
  },
);

// R16
behaviour(
  "an input that does not fit the schema never reaches the tool",
  async ({ opened }) => {
    let reached = 0;
    await using run = await opened(
      [{ name: "lookup", input: { key: 7, extra: true } }],
      () => Promise.resolve(++reached),
    );
    const { receipts } = await run.agent.prompt("Look up").result();
    assertEquals(reached, 0);
    const [receipt] = receipts.filter(({ tool }) => tool === "lookup");
    assertEquals(receipt?.outcome, "rejected");
    assertEquals(receipt?.error?.code, "invalid_input");
    assertStringIncludes(receipt?.error?.message ?? "", "input.key: expected");
    assertStringIncludes(
      JSON.stringify(run.model.messages().at(-1)),
      "invalid_input",
    );
  },
);

// R07, R39
for (const name of ["lookpu", "constructor", "__proto__", "toString", "then"]) {
  behaviour(
    `a call of ${name} is answered with the tools that there are`,
    async ({ opened }) => {
      await using run = await opened([{ name, input: {} }], upper);
      const { receipts, stopReason } = await run.agent.prompt("Look up")
        .result();
      const [receipt] = receipts.filter(({ tool }) => tool !== "exec");
      assertEquals(stopReason, "completed");
      assertEquals([receipt?.tool, receipt?.outcome, receipt?.executed], [
        name,
        "rejected",
        false,
      ]);
      assertEquals(receipt?.error?.code, "unknown_tool");
      assertStringIncludes(receipt?.error?.message ?? "", "lookup, save");
    },
  );
}

behaviour(
  "without options.tools each call fails with the specified message",
  async ({ opened }) => {
    await using run = await opened(twoLookups, undefined);
    const { receipts } = await run.agent.prompt("Look up").result();
    const error = {
      name: "ToolError",
      code: "not_configured",
      message: "host tools are not configured",
      retryable: false,
    };
    assertEquals(hostReceipts(receipts), [
      {
        tool: "lookup",
        input: { key: "alpha" },
        outcome: "failed",
        executed: false,
        error,
      },
      {
        tool: "lookup",
        input: { key: "beta" },
        outcome: "failed",
        executed: false,
        error,
      },
    ]);
    assertStringIncludes(
      JSON.stringify(run.model.messages().at(-1)),
      "host tools are not configured",
    );
  },
);

// R42
for (
  const [what, thrown, error] of [
    ["an error", new TypeError("lookup is not available"), {
      name: "TypeError",
      message: "lookup is not available",
    }],
    ["a string", "plain words", { name: "Error", message: "plain words" }],
    ["an empty message", new Error(""), {
      name: "Error",
      message: "the tool failed without a message",
    }],
    ["null", null, {
      name: "Error",
      message: "the tool failed with null instead of an error",
    }],
  ] as const
) {
  behaviour(
    `a tool that throws ${what} gives the model a tool error`,
    async ({ opened }) => {
      await using run = await opened(twoLookups.slice(0, 1), () => {
        throw thrown;
      });
      const { receipts, stopReason } = await run.agent.prompt("Look up")
        .result();
      assertEquals(stopReason, "completed");
      assertEquals(hostReceipts(receipts), [{
        tool: "lookup",
        input: { key: "alpha" },
        outcome: "failed",
        executed: true,
        error: { ...error, code: "tool_failed", retryable: false },
      }]);
      assertStringIncludes(
        JSON.stringify(run.model.messages().at(-1)),
        error.message,
      );
    },
  );
}

behaviour("undefined becomes null", async ({ opened }) => {
  await using run = await opened(
    twoLookups.slice(0, 1),
    () => Promise.resolve(undefined),
  );
  const { receipts } = await run.agent.prompt("Look up").result();
  const [receipt] = receipts.filter(({ tool }) => tool === "lookup");
  assertEquals([receipt?.outcome, receipt?.output], ["succeeded", null]);
});

// R27
behaviour(
  "a result that JSON cannot carry says that the tool ran",
  async ({ opened }) => {
    await using run = await opened(
      twoLookups.slice(0, 1),
      () => Promise.resolve({ at: 10n }),
    );
    const { receipts } = await run.agent.prompt("Look up").result();
    const [receipt] = receipts.filter(({ tool }) => tool === "lookup");
    assertEquals([receipt?.outcome, receipt?.executed, receipt?.error?.code], [
      "failed",
      true,
      "invalid_output",
    ]);
    assertStringIncludes(receipt?.error?.message ?? "", "the tool ran");
    assertStringIncludes(
      receipt?.error?.message ?? "",
      "result.at is a bigint",
    );
  },
);

// R26
behaviour(
  "a tool that never settles is stopped, and the others go on",
  async ({ opened }) => {
    const waiting = Promise.withResolvers<void>();
    await using run = await opened(twoLookups, (_name, input) => {
      if (Object(input).key === "beta") return Promise.resolve("B");
      waiting.resolve();
      return new Promise(() => {});
    }, { budget: { callMs: 50 } });
    const turn = run.agent.prompt("Look up");
    await waiting.promise;
    await settled();
    run.clock.advance(50);
    const { receipts, stopReason } = await turn.result();
    assertEquals(stopReason, "completed");
    assertEquals(hostReceipts(receipts), [
      {
        tool: "lookup",
        input: { key: "alpha" },
        outcome: "timed_out",
        executed: true,
        error: {
          name: "ToolError",
          code: "timed_out",
          message: "the call took longer than 50 ms and was stopped",
          retryable: true,
        },
        abandoned: true,
      },
      {
        tool: "lookup",
        input: { key: "beta" },
        outcome: "succeeded",
        executed: true,
        output: "B",
      },
    ]);
  },
);

behaviour(
  "a call over the budget is refused, and says what was used",
  async ({ opened }) => {
    await using run = await opened(twoLookups, upper, { budget: { calls: 1 } });
    const { receipts, stopReason } = await run.agent.prompt("Look up").result();
    assertEquals(stopReason, "completed");
    const [first, second] = receipts.filter(({ tool }) => tool === "lookup");
    assertEquals([first?.outcome, second?.outcome], ["succeeded", "rejected"]);
    assertEquals(second?.error?.code, "budget_spent");
    assertStringIncludes(second?.error?.message ?? "", "1 of 1 used");
  },
);

behaviour(
  "a turn ends when its steps are used up",
  async ({ opened, surface }) => {
    const step = stepOfCalls(surface, twoLookups.slice(0, 1));
    await using run = await opened([step, step, step], upper, {
      budget: { steps: 2 },
    });
    const result = await run.agent.prompt("Look up").result();
    assertEquals(result.stopReason, "budget");
    assertEquals(result.exhausted, { budget: "steps", used: 2, limit: 2 });
    assertEquals(run.model.requests(), 2);
    assertEquals(
      (await run.agent.prompt("And now?").result()).stopReason,
      "completed",
    );
  },
);

behaviour(
  "a turn ends when its time is over, and its calls with it",
  async ({ opened }) => {
    const waiting = Promise.withResolvers<AbortSignal>();
    await using run = await opened(
      twoLookups.slice(0, 1),
      (_name, _input, signal) => {
        waiting.resolve(signal);
        return new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason))
        );
      },
      { budget: { turnMs: 1000 } },
    );
    const turn = run.agent.prompt("Look up");
    const signal = await waiting.promise;
    run.clock.advance(1000);
    const result = await turn.result();
    assertEquals(signal.aborted, true);
    assertEquals(result.stopReason, "budget");
    assertEquals(result.exhausted, {
      budget: "turnMs",
      used: 1000,
      limit: 1000,
    });
    const [receipt] = result.receipts.filter(({ tool }) => tool === "lookup");
    assertEquals([receipt?.outcome, receipt?.error?.code], [
      "timed_out",
      "timed_out",
    ]);
    assertEquals(receipt?.abandoned, undefined);
  },
);

// R24, R25
behaviour(
  "a cancelled turn aborts its calls, keeps what ended, and leaves a usable conversation",
  async ({ opened }) => {
    const waiting = Promise.withResolvers<AbortSignal>();
    await using run = await opened(twoLookups, (_name, input, signal) => {
      if (Object(input).key === "alpha") return Promise.resolve("A");
      waiting.resolve(signal);
      return new Promise(() => {});
    });
    const turn = run.agent.prompt("Look up");
    const signal = await waiting.promise;
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
    turn.cancel("enough");
    turn.cancel("again");
    const result = await turn.result();
    assertEquals([result.stopReason, result.cancelReason, signal.aborted], [
      "cancelled",
      "enough",
      true,
    ]);
    const outcomes = result.receipts.filter(({ tool }) => tool === "lookup")
      .map(({ outcome }) => outcome);
    assertEquals(outcomes, ["succeeded", "cancelled"]);
    assertEquals(
      (await run.agent.prompt("Go on").result()).stopReason,
      "completed",
    );
  },
);

behaviour(
  "a signal that was aborted before cancels the turn before any request",
  async ({ opened }) => {
    await using run = await opened(twoLookups, upper);
    const result = await run.agent.prompt("Look up", {
      signal: AbortSignal.abort("left"),
    }).result();
    assertEquals([result.stopReason, result.cancelReason], [
      "cancelled",
      "left",
    ]);
    assertEquals([run.model.requests(), run.agent.receipts.length], [0, 0]);
    assertEquals((await run.agent.prompt("Again").result()).steps, 2);
  },
);

behaviour(
  "a second turn at the same time is a conflict",
  async ({ opened }) => {
    await using run = await opened(twoLookups, upper);
    const turn = run.agent.prompt("Look up");
    const failure = assertThrows(() => run.agent.prompt("Me too"), HostFailure);
    assertEquals(failure.kind, "conflict");
    assertEquals((await turn.result()).stopReason, "completed");
  },
);

behaviour(
  "close cancels the running turn and refuses others",
  async ({ opened }) => {
    await using run = await opened(twoLookups, () => new Promise(() => {}));
    const turn = run.agent.prompt("Look up");
    await run.agent.close();
    assertEquals((await turn.result()).cancelReason, "the agent was closed");
    assertEquals(
      assertThrows(() => run.agent.prompt("More"), HostFailure).kind,
      "closed",
    );
  },
);

behaviour(
  "every call has one start, one end and one receipt, and events end once",
  async ({ opened }) => {
    await using run = await opened([...twoLookups, {
      name: "nothing",
      input: {},
    }], upper);
    const turn = run.agent.prompt("Look up");
    const events: TurnEvent[] = [];
    for await (const event of turn) events.push(event);
    const { receipts } = await turn.result();
    const idsOf = (type: TurnEvent["type"]) =>
      events.flatMap((event) =>
        event.type === type && "receipt" in event ? event.receipt.id : []
      ).sort();
    const ids = receipts.map(({ id }) => id).sort();
    assertEquals(new Set(ids).size, ids.length);
    assertEquals([idsOf("tool_started"), idsOf("tool_finished")], [ids, ids]);
    assertEquals(events.filter(({ type }) => type === "end").length, 1);
    assertEquals(events.at(-1)?.type, "end");
    const again: TurnEvent[] = [];
    for await (const event of turn) again.push(event);
    assertEquals(again, events);
    assertEquals(run.agent.receipts, receipts);
  },
);

behaviour(
  "a conversation continues from its snapshot",
  async ({ opened, backend, surface }) => {
    await using first = await opened(twoLookups, upper);
    await first.agent.prompt("Look up").result();
    const stored = JSON.stringify(first.agent.snapshot());
    await using model = await scriptedModel([{ text: "I remember" }]);
    await using second = await open({
      backend,
      model: modelName(backend),
      surfaces: [surface],
      tools,
    }, {
      apiKey: "test-key",
      baseUrl: model.baseUrl,
      snapshot: JSON.parse(stored),
    });
    assertEquals(
      JSON.stringify(second.receipts),
      JSON.stringify(first.agent.receipts),
    );
    assertEquals(
      (await second.prompt("What did you find?").result()).text,
      "I remember",
    );
    const told = JSON.stringify(model.messages()[0]);
    for (
      const part of ["Look up", "ALPHA", "BETA", "done", "What did you find?"]
    ) {
      assertStringIncludes(told, part);
    }
  },
);

behaviour(
  "a provider that refuses leaves no trace in the conversation",
  async ({ backend }) => {
    await using agent = await open({ backend, model: "m" }, {
      apiKey: "k",
      baseUrl: "http://127.0.0.1:9",
      ...manualAmbient(),
      fetch: () =>
        Promise.resolve(
          new Response(
            '{"error":{"message":"no","type":"invalid_request_error"}}',
            { status: 400 },
          ),
        ),
    });
    const failure = await assertRejects(
      () => agent.prompt("Hello").result(),
      HostFailure,
    );
    assertEquals([failure.kind, failure.status, failure.retryable], [
      "backend",
      400,
      false,
    ]);
    assertEquals(agent.snapshot().history, []);
    const events: TurnEvent[] = [];
    const turn = agent.prompt("Hello");
    await assertRejects(async () => {
      for await (const event of turn) events.push(event);
    }, HostFailure);
    const end = events.at(-1);
    assert(end?.type === "end");
    assertEquals([end.stopReason, end.failure?.status], ["failed", 400]);
  },
);

// Secrets of the host: in no error, event or receipt, whoever repeats them.
behaviour(
  "secrets that a tool's error repeats are hidden",
  async ({ opened }) => {
    await using run = await opened(twoLookups.slice(0, 1), () => {
      throw new Error(
        "401 for Authorization: Bearer abcdef123456, key test-key, https://u:pw12345@host/",
      );
    });
    const turn = run.agent.prompt("Look up");
    let all = "";
    for await (const event of turn) all += JSON.stringify(event);
    all += JSON.stringify(await turn.result()) +
      JSON.stringify(run.agent.snapshot());
    for (const secret of ["abcdef123456", "test-key", "pw12345"]) {
      assertEquals(all.includes(secret), false, secret);
    }
  },
);
