// Which backend the example talks to.

import { assertEquals } from "@std/assert";
import {
  type AgentEnvironment,
  configFor,
  options,
} from "../../../edge/examples/agent.ts";

for (
  const [name, env, expected] of [
    ["no key", {}, ["anthropic", undefined]],
    ["Anthropic's key", { ANTHROPIC_API_KEY: "a" }, ["anthropic", "a"]],
    ["OpenAI's key", { OPENAI_API_KEY: "o" }, ["openai", "o"]],
    [
      "both keys",
      { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" },
      ["anthropic", "a"],
    ],
    [
      "an empty key",
      { ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "o" },
      ["openai", "o"],
    ],
  ] satisfies [string, AgentEnvironment, [string, string | undefined]][]
) {
  Deno.test(`configFor() and options() fit together, with ${name}`, () => {
    assertEquals([configFor(env).backend, options(env).apiKey], expected);
  });
}

Deno.test("configFor() takes the model that is named, and else one of the backend", () => {
  assertEquals(configFor({ NANOCODE_MODEL: "other" }).model, "other");
  assertEquals(configFor({ OPENAI_API_KEY: "o" }).model, "gpt-5-mini");
  assertEquals(configFor({}).model, "claude-sonnet-4-5");
});
