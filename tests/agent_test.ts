// An agent across processes: snapshots, interruption, resumption.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type AgentConfiguration,
  type AgentSnapshot,
  type BackendName,
  type HostTools,
  open,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { modelName, scriptedModel } from "./support/model.ts";
import { test } from "./support/permissions.ts";

const backends: readonly BackendName[] = ["openai", "anthropic"];

function configuration(backend: BackendName): AgentConfiguration {
  return {
    backend,
    model: modelName(backend),
    surfaces: ["direct"],
    tools: [{
      name: "pay",
      description: "Pays an invoice.",
      parameters: {
        type: "object",
        properties: { invoice: { type: "string" } },
      },
    }],
  };
}

const twoPayments = {
  calls: ["a", "b"].map((invoice, index) => ({
    id: `call_${index + 1}`,
    name: "pay",
    arguments: JSON.stringify({ invoice }),
  })),
};

/** A process that ends while the second of two calls runs. */
async function interruptedTurn(
  backend: BackendName,
  keys: string[],
): Promise<AgentSnapshot> {
  await using model = await scriptedModel([twoPayments]);
  const running = Promise.withResolvers<void>();
  const agent = await open(configuration(backend), {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: model.baseUrl,
    tools: {
      call: (_name, input, _signal, { idempotencyKey }) => {
        keys.push(idempotencyKey);
        if (Object(input).invoice === "a") return Promise.resolve("paid a");
        running.resolve();
        return new Promise(() => {});
      },
    },
  });
  const turn = agent.prompt("Pay both");
  await running.promise;
  for (let tick = 0; tick < 50; tick++) await Promise.resolve();
  const snapshot: AgentSnapshot = JSON.parse(JSON.stringify(agent.snapshot()));
  turn.cancel("the process ends");
  await turn.result();
  return snapshot;
}

for (const backend of backends) {
  // R24 b, c
  test(`${backend}: a turn that a process left half done is reported as interrupted`, async () => {
    const snapshot = await interruptedTurn(backend, []);
    await using model = await scriptedModel([{ text: "I see" }]);
    let ran = 0;
    await using agent = await open(configuration(backend), {
      ...manualAmbient(),
      apiKey: "test-key",
      baseUrl: model.baseUrl,
      snapshot,
      tools: { call: () => Promise.resolve(++ran) },
    });
    assertEquals(
      agent.receipts.map(({ outcome, error }) => [outcome, error?.code]),
      [
        ["succeeded", undefined],
        ["interrupted", "interrupted"],
      ],
    );
    assertEquals(
      (await agent.prompt("What happened?").result()).stopReason,
      "completed",
    );
    assertEquals(ran, 0);
    const told = JSON.stringify(model.messages()[0]);
    assertStringIncludes(told, "paid a");
    assertStringIncludes(told, "Whether the tool had its effect is not known");
  });

  test(`${backend}: resume runs only what has no output, under the keys that it had`, async () => {
    const before: string[] = [];
    const snapshot = await interruptedTurn(backend, before);
    await using model = await scriptedModel([{ text: "both paid" }]);
    const after: string[] = [];
    await using agent = await open(configuration(backend), {
      ...manualAmbient(),
      apiKey: "test-key",
      baseUrl: model.baseUrl,
      snapshot,
      tools: {
        call: (_name, input, _signal, { idempotencyKey }) => {
          after.push(idempotencyKey);
          return Promise.resolve(`paid ${Object(input).invoice}`);
        },
      },
    });
    const turn = agent.resume();
    const result = await turn?.result();
    assertEquals([result?.text, result?.steps, turn?.id], [
      "both paid",
      2,
      snapshot.receipts[0]?.turnId,
    ]);
    assertEquals(after, before.slice(1));
    assertEquals(
      model.messages()[0]?.filter(({ role }) => role === "tool").map((
        { answers },
      ) => answers),
      ["call_1", "call_2"],
    );
    assertEquals(agent.resume(), undefined);
  });
}

test("a tool may keep to the three parameters that it needs", async () => {
  await using model = await scriptedModel([twoPayments, { text: "done" }]);
  const call: HostTools["call"] = (name, input, signal) =>
    Promise.resolve({ name, input, aborted: signal.aborted });
  await using agent = await open(configuration("openai"), {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: model.baseUrl,
    tools: { call },
  });
  const { receipts } = await agent.prompt("Pay").result();
  assertEquals(receipts.map(({ output }) => output), [
    { name: "pay", input: { invoice: "a" }, aborted: false },
    { name: "pay", input: { invoice: "b" }, aborted: false },
  ]);
});

test("a snapshot is a copy: what happens later does not change it", async () => {
  await using model = await scriptedModel([{ text: "one" }, { text: "two" }]);
  await using agent = await open(configuration("anthropic"), {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: model.baseUrl,
  });
  await agent.prompt("First").result();
  const snapshot = agent.snapshot();
  const text = JSON.stringify(snapshot);
  await agent.prompt("Second").result();
  assertEquals(JSON.stringify(snapshot), text);
  assertEquals(agent.snapshot().history.length, 4);
});

for (const backend of backends) {
  test(`${backend}: a resumed turn goes on with its budget, and tells all its receipts`, async () => {
    const snapshot = await interruptedTurn(backend, []);
    const more = {
      calls: [{ id: "call_3", name: "pay", arguments: '{"invoice":"c"}' }],
    };
    await using model = await scriptedModel([more, { text: "Paid" }]);
    await using agent = await open({
      ...configuration(backend),
      budget: { steps: 2, calls: 2 },
    }, {
      ...manualAmbient(),
      apiKey: "test-key",
      baseUrl: model.baseUrl,
      snapshot,
      tools: { call: () => Promise.resolve("paid") },
    });
    const result = await agent.resume()?.result();
    assertEquals([result?.stopReason, result?.steps, result?.exhausted], [
      "budget",
      2,
      { budget: "steps", used: 2, limit: 2 },
    ]);
    assertEquals(
      result?.receipts.map((
        { callId, outcome, error },
      ) => [callId, outcome, error?.code]),
      [
        ["call_1", "succeeded", undefined],
        ["call_2", "interrupted", "interrupted"],
        ["call_2", "succeeded", undefined],
        ["call_3", "rejected", "budget_spent"],
      ],
    );
  });
}

test("Agent.contents: is what a snapshot copies, and unchanged parts stay the same objects", async () => {
  await using model = await scriptedModel([twoPayments, { text: "two" }]);
  await using agent = await open(configuration("anthropic"), {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: model.baseUrl,
  });
  await agent.prompt("First").result();
  const before = agent.contents;
  assertEquals(before, agent.snapshot());
  const text = JSON.stringify(before);
  await agent.prompt("Second").result();
  assertEquals(JSON.stringify(before), text);
  const after = agent.contents;
  before.history.forEach((item, index) =>
    assert(item === after.history[index])
  );
  before.receipts.forEach((receipt, index) =>
    assert(receipt === after.receipts[index])
  );
  assert(before.receipts.length > 0 && after.history.length > 3);
});

test("await using closes the agent", async () => {
  await using model = await scriptedModel([twoPayments]);
  const started = Promise.withResolvers<void>();
  let signal: AbortSignal | undefined;
  {
    await using agent = await open(configuration("openai"), {
      ...manualAmbient(),
      apiKey: "test-key",
      baseUrl: model.baseUrl,
      tools: {
        call: (_name, _input, given) => {
          signal = given;
          started.resolve();
          return new Promise(() => {});
        },
      },
    });
    agent.prompt("Pay");
    await started.promise;
  }
  assertEquals(signal?.aborted, true);
});

test("whoever reads the end of a turn can prompt again at once", async () => {
  await using model = await scriptedModel([{ text: "one" }, { text: "two" }]);
  await using agent = await open(configuration("openai"), {
    ...manualAmbient(),
    apiKey: "test-key",
    baseUrl: model.baseUrl,
  });
  for await (const event of agent.prompt("First")) {
    if (event.type === "end") break;
  }
  assertEquals((await agent.prompt("Second").result()).text, "two");
});
