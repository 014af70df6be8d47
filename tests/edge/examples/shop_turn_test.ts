// The example agent against its embedded model: turns with parallel calls, some
// of them from a program, on either backend.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  defineTools,
  open,
  type Outcome,
  type Receipt,
  type TurnResult,
} from "nanocode-wasm";
import {
  type AgentEnvironment,
  configFor,
  options,
} from "../../../edge/examples/agent.ts";
import { startShopModel } from "../../../edge/examples/shop_model.ts";
import { engineModule } from "../../support/engine.ts";
import { test } from "../../support/permissions.ts";
import { overlap } from "./overlap.ts";

const keys = ["ANTHROPIC_API_KEY", "OPENAI_API_KEY"] as const;

async function ask(
  key: (typeof keys)[number],
  prompt: string,
): Promise<TurnResult> {
  await using model = await startShopModel();
  const env: AgentEnvironment = {
    [key]: "embedded",
    NANOCODE_PROVIDER_URL: model.baseUrl,
  };
  await using agent = await open(configFor(env), options(env, engineModule));
  return await agent.prompt(prompt).result();
}

function of(tool: string, { receipts }: TurnResult): Receipt[] {
  return receipts.filter((receipt) => receipt.tool === tool);
}

function outcomes(receipts: readonly Receipt[]): (Outcome | undefined)[] {
  return receipts.map(({ outcome }) => outcome);
}

for (const key of keys) {
  test(`the example counts directly, sums up in a program, and tries a busy line again (${key})`, async () => {
    const turn = await ask(key, "Which products run short?");
    assertEquals(turn.stopReason, "completed");
    assertStringIncludes(
      turn.text,
      "Short within two weeks: helmet, lamp and tyre (8 products checked).",
    );
    const counts = of("stock", turn);
    assertEquals(counts.length, 8);
    assertEquals(counts.every(({ surface }) => surface === "direct"), true);
    assert(overlap(counts));
    const [cell, ...others] = of("exec", turn);
    assertEquals([cell?.outcome, others.length], ["succeeded", 0]);
    const sums = of("demand", turn);
    assertEquals(sums.map(({ parentId }) => parentId), Array(8).fill(cell?.id));
    assert(overlap(sums));
    // What the model did not have to read.
    const read = sums.reduce((sum, { outputBytes }) => sum + outputBytes, 0);
    assert(read > 20 * (cell?.outputBytes ?? read));
    const offers = of("suppliers", turn);
    assertEquals(
      outcomes(offers),
      ["succeeded", "succeeded", "failed", "succeeded"],
    );
    assertEquals(offers[2]?.error?.retryable, true);
    assertEquals(offers[3]?.input, offers[2]?.input);
  });

  test(`the example's program fails, and the model mends it (${key})`, async () => {
    const turn = await ask(key, "Look at the tyres. Make a mistake first");
    const [first, second, ...others] = of("exec", turn);
    assertEquals(others, []);
    assertEquals(
      [first?.outcome, first?.error?.code],
      ["failed", "code_failed"],
    );
    assertStringIncludes(first?.error?.message ?? "", "at line 8");
    assertEquals(second?.outcome, "succeeded");
    assertEquals(
      of("demand", turn).map(({ parentId }) => parentId),
      [first?.id, second?.id],
    );
    assertStringIncludes(turn.text, "tyre: 101 there, 181 sold in 14 days");
  });

  test(`the example orders what it is asked to, at once (${key})`, async () => {
    const turn = await ask(key, "Order 20 helmets, and the missing lamps");
    const orders = of("order", turn);
    assertEquals(orders.map(({ input }) => input), [
      { product: "helmet", supplier: "Nordrad", pieces: 20 },
      { product: "lamp", supplier: "Brightside", pieces: 71 },
    ]);
    assertEquals(outcomes(orders), ["succeeded", "succeeded"]);
    assert(overlap(orders));
    assert(overlap(turn.receipts.filter(({ parentId }) => parentId)));
    assertStringIncludes(turn.text, "Ordered 20 × helmet from Nordrad (PO-");
    assertStringIncludes(turn.text, "Ordered 71 × lamp from Brightside (PO-");
  });
}

test("startShopModel() says what to do where the tools are others", async () => {
  await using model = await startShopModel();
  const { tools, call } = defineTools({
    lookup: {
      description: "Look up a key.",
      parameters: { type: "object" },
      run: () => "found",
    },
  });
  await using agent = await open(
    { backend: "anthropic", model: "any", tools },
    { apiKey: "any", baseUrl: model.baseUrl, tools: { call } },
  );
  const { text, receipts } = await agent.prompt("Look up alpha").result();
  assertStringIncludes(text, "Set ANTHROPIC_API_KEY or OPENAI_API_KEY");
  assertEquals(receipts, []);
});
