/**
 * The model of the demo where no key is given: a real HTTP server on a local
 * port that speaks both providers' wires and plays a model's part.
 *
 * @module
 */

import { type ChatMessage, createServer } from "@copilotkit/aimock";

/** A running demo model. */
export type DemoModel = AsyncDisposable & {
  /** What the agent takes as `baseUrl`. */
  readonly baseUrl: string;
};

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
export async function startDemoModel(): Promise<DemoModel> {
  const { server, url } = await createServer([
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
  ], { port: 0, host: "127.0.0.1" });
  return {
    baseUrl: `${url}/v1`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
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
