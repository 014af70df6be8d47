// The tour: the path of a turn once, from the configuration to the receipts.

import { assertEquals } from "@std/assert";
import {
  type AgentConfiguration,
  open,
  type RuntimeOptions,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { scriptedModel } from "./support/model.ts";
import { test } from "./support/permissions.ts";

test("a turn runs what the model asks for, within its budget, with a receipt a call", async () => {
  // 1. What the model will say: three calls in one step, then its answer.
  await using model = await scriptedModel([
    {
      calls: [
        { id: "c1", name: "lookup", arguments: '{"key":"alpha"}' },
        { id: "c2", name: "add", arguments: '{"a":2,"b":"3"}' },
        { id: "c3", name: "lookup", arguments: '{"key":"beta"}' },
      ],
    },
    { text: "ALPHA, and no more calls." },
  ]);

  // 2. What the agent is: plain JSON.
  const config: AgentConfiguration = {
    backend: "anthropic",
    model: "claude-sonnet-4-5",
    surfaces: ["direct"],
    budget: { calls: 1 },
    tools: [
      {
        name: "lookup",
        description: "Look up a key.",
        parameters: schema({ key: "string" }),
      },
      {
        name: "add",
        description: "Add two numbers.",
        parameters: schema({ a: "number", b: "number" }),
      },
    ],
  };

  // 3. What runs its tools.
  const options: RuntimeOptions = {
    ...manualAmbient(),
    apiKey: "key",
    baseUrl: model.baseUrl,
    tools: {
      call: (_name, input) =>
        Promise.resolve(Object.values(Object(input)).join().toUpperCase()),
    },
  };

  // 4. A turn.
  await using agent = await open(config, options);
  const result = await agent.prompt("Look up alpha and beta").result();
  assertEquals(result.text, "ALPHA, and no more calls.");
  assertEquals(result.stopReason, "completed");

  // 5. What became of each call.
  assertEquals(
    result.receipts.map((
      { callId, outcome, output, error },
    ) => [callId, outcome, output ?? error?.code]),
    [
      ["c1", "succeeded", "ALPHA"],
      ["c2", "rejected", "invalid_input"],
      ["c3", "rejected", "budget_spent"],
    ],
  );
});

function schema(properties: Record<string, string>): Record<string, unknown> {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, type]) => [name, { type }]),
    ),
    required: Object.keys(properties),
  };
}
