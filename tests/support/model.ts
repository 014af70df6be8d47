/**
 * A scripted model behind a real HTTP server that speaks both providers' wires
 * (aimock): request number n of the server is answered with step number n.
 *
 * @module
 */

import { createServer } from "@copilotkit/aimock";
import { closeServer } from "./close_server.ts";
import type { BackendName } from "../../src/backends/backend.ts";
import type { ScriptedStep } from "./wire.ts";

/** A running scripted model. */
export type Model = AsyncDisposable & {
  /** What the agent takes as `baseUrl`. */
  readonly baseUrl: string;
  /** How many requests came. */
  readonly requests: () => number;
  /** The bodies of the requests, neutral: as aimock understood them. */
  readonly messages: () => readonly ModelMessage[][];
};

/** A message as aimock reads it from either wire. */
export type ModelMessage = {
  readonly role: string;
  readonly content: string;
  readonly callIds: readonly string[];
  readonly answers?: string;
};

/** Starts a model that says `steps`, one a request; after them it says "done". */
export async function scriptedModel(
  steps: readonly ScriptedStep[],
): Promise<Model> {
  const seen: ModelMessage[][] = [];
  const { server, url } = await createServer([{
    match: { predicate: () => true },
    response: (request) => {
      const step = steps[seen.length] ?? { text: "done" };
      seen.push(request.messages.map((message) => ({
        role: message.role,
        content: typeof message.content === "string"
          ? message.content
          : JSON.stringify(message.content),
        callIds: (message.tool_calls ?? []).map((call) => call.id ?? ""),
        ...(message.tool_call_id === undefined
          ? {}
          : { answers: message.tool_call_id }),
      })));
      const toolCalls = (step.calls ?? []).map((
        { id, name, arguments: text },
      ) => ({
        id,
        name,
        arguments: text,
      }));
      const content = step.text ?? "";
      if (toolCalls.length === 0) return { content };
      return content === "" ? { toolCalls } : { content, toolCalls };
    },
  }], { port: 0, host: "127.0.0.1" });
  return {
    baseUrl: `${url}/v1`,
    requests: () => seen.length,
    messages: () => seen,
    async [Symbol.asyncDispose]() {
      await closeServer(server);
    },
  };
}

/** A model's name that suits the backend. */
export function modelName(backend: BackendName): string {
  return backend === "openai" ? "gpt-5" : "claude-sonnet-4-5";
}
