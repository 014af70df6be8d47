/**
 * The model of the development servers where no key is given. It plays a model
 * that knows the shop's tools: it calls them in parallel, and writes programs.
 *
 * @module
 */

import type { ChatCompletionRequest, ChatMessage } from "@copilotkit/aimock";
import { type EmbeddedModel, startEmbeddedModel } from "./embedded_model.ts";
import { nextStep, type PastCall } from "./shop_plan.ts";

/** What it needs. */
const needed = ["stock", "demand", "suppliers", "order", "exec"];

/** What it says where the tools are others. */
const otherTools =
  "I am the model that is embedded in the example, and only know its tools. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, and a real model answers.";

/**
 * Starts the model.
 *
 * @param chunkMs How long each piece of an answer takes, in milliseconds.
 */
export function startShopModel(chunkMs = 0): Promise<EmbeddedModel> {
  return startEmbeddedModel([{
    match: { predicate: () => true },
    response: (request) => {
      if (!needed.every((name) => offers(request, name))) {
        return { content: otherTools };
      }
      const { messages } = request;
      const said = messages.findLastIndex(({ role }) => role === "user");
      const { text, calls } = nextStep(
        textOf(messages[said]?.content),
        pastCalls(messages.slice(said + 1)),
      );
      if (calls.length === 0) return { content: text };
      const toolCalls = calls.map(({ name, input }, index) => ({
        // Never the same twice in a conversation: it grows.
        id: `call_${messages.length}_${index + 1}`,
        name,
        arguments: JSON.stringify(input),
      }));
      return { content: text, toolCalls };
    },
  }], chunkMs);
}

function offers({ tools = [] }: ChatCompletionRequest, name: string): boolean {
  return tools.some((tool) => tool.function.name === name);
}

/** The calls that have an output. */
function pastCalls(messages: readonly ChatMessage[]): PastCall[] {
  const outputs = new Map(
    messages.filter(({ role }) => role === "tool")
      .map(({ tool_call_id, content }) => [tool_call_id, textOf(content)]),
  );
  return messages.flatMap(({ tool_calls = [] }) => tool_calls)
    .flatMap(({ id, function: { name } }) => {
      const text = outputs.get(id);
      return text === undefined ? [] : [{ name, output: readJson(text) }];
    });
}

function textOf(content: ChatMessage["content"] | undefined): string {
  return typeof content === "string"
    ? content
    : (content ?? []).map(({ text = "" }) => text).join("");
}

/** A tool's output; `undefined` where it was cut. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
