// What an opened agent asks of its model: whom, with which tools.

import { assert, assertEquals } from "@std/assert";
import { type AgentConfiguration, open } from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { engineModule } from "./support/engine.ts";
import {
  scriptedFetch,
  type SentRequest,
  streamed,
} from "./support/scripted_fetch.ts";
import { wireEvents } from "./support/wire.ts";

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

/** Opens, prompts once, and gives the request that was sent. */
async function sentBy(
  given: AgentConfiguration,
  change: () => void = () => {},
): Promise<SentRequest> {
  const { fetch, sent } = scriptedFetch([
    streamed(wireEvents(given.backend, { text: "done" })),
  ]);
  await using agent = await open(given, {
    ...manualAmbient(),
    apiKey: "test-key",
    fetch,
    wasm: engineModule,
  });
  assertEquals(sent.length, 0, "open itself asks nobody");
  change();
  await agent.prompt("Hello").result();
  const [request] = sent;
  assert(request !== undefined);
  return request;
}

for (
  const [backend, url] of [
    ["openai", "https://api.openai.com/v1/responses"],
    ["anthropic", "https://api.anthropic.com/v1/messages"],
  ] as const
) {
  Deno.test(`open() asks ${url} on ${backend}, where no other address is given`, async () => {
    assertEquals((await sentBy({ ...config, backend })).url, url);
  });
}

for (
  const [surfaces, names] of [
    [undefined, ["lookup", "exec"]],
    [["direct"], ["lookup"]],
    [["code"], ["exec"]],
  ] as const
) {
  Deno.test(`open() offers ${names.join(" and ")} for the surfaces ${surfaces ?? "of the default"}`, async () => {
    const { body } = await sentBy({ ...config, tools: [lookup], surfaces });
    assertEquals(body.tools.map(({ name }: { name: string }) => name), names);
  });
}

Deno.test("open() offers no tools where there are none", async () => {
  const { body } = await sentBy({ backend: "openai", model: "m" });
  assertEquals([body.tools, body.model, body.instructions], [
    undefined,
    "m",
    undefined,
  ]);
});

Deno.test("open() takes a frozen configuration, and what is changed later changes nothing", async () => {
  const given = {
    ...config,
    instructions: "Be short.",
    tools: [{ ...lookup }],
  };
  const { body } = await sentBy(Object.freeze(given), () => {
    given.tools.length = 0;
  });
  assertEquals([body.instructions, body.tools.length], ["Be short.", 1]);
});

Deno.test("open() passes the model's settings on, and nothing that was not said", async () => {
  const { body } = await sentBy({
    ...config,
    maxOutputTokens: 500,
    reasoningEffort: "low",
  });
  assertEquals([body.max_output_tokens, body.reasoning], [500, {
    effort: "low",
  }]);
  const plain = await sentBy({
    ...config,
    maxOutputTokens: undefined,
    reasoningEffort: undefined,
  });
  assertEquals(
    ["max_output_tokens", "reasoning"].filter((name) => name in plain.body),
    [],
  );
});
