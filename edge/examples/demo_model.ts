/**
 * The model of the demo where no key is given: it looks up two keys at once,
 * directly or from a program.
 *
 * @module
 */

import type { ChatMessage } from "@copilotkit/aimock";
import { type EmbeddedModel, startEmbeddedModel } from "./embedded_model.ts";

const program = `const found = await Promise.all(
  ["alpha", "beta"].map((key) => tools.lookup({ key })),
);
return found;`;

const writesProgram = {
  content: "I write a program that looks both up.",
  toolCalls: [{
    id: "cell_1",
    name: "exec",
    arguments: JSON.stringify({ code: program }),
  }],
};

/** Starts the demo model. */
export function startDemoModel(): Promise<EmbeddedModel> {
  return startEmbeddedModel([
    {
      // Who may do both does as the user says.
      match: {
        toolName: "exec",
        userMessage: /program/i,
        hasToolResult: false,
      },
      response: writesProgram,
    },
    {
      match: { toolName: "lookup", hasToolResult: false },
      response: {
        content: "I look both up.",
        toolCalls: ["alpha", "beta"].map((key, index) => ({
          id: `call_${index + 1}`,
          name: "lookup",
          arguments: JSON.stringify({ key }),
        })),
      },
    },
    {
      match: { toolName: "exec", hasToolResult: false },
      response: writesProgram,
    },
    {
      // The answer is made of what the tools gave, so that it is right only
      // where their results arrived.
      match: { hasToolResult: true },
      response: ({ messages }) => ({
        content: `The values are ${values(messages).join(" and ")}.`,
      }),
    },
  ]);
}

/** What the tools gave since the user spoke. */
function values(messages: readonly ChatMessage[]): string[] {
  const since = messages.findLastIndex(({ role }) => role === "user");
  return messages.slice(since).filter(({ role }) => role === "tool")
    .flatMap(({ content }) =>
      [...String(content).matchAll(/"value":"(\w+)"/g)].map((match) =>
        match[1] ?? ""
      )
    );
}
