/**
 * A model whose provider misbehaves on purpose: aimock with its chaos. What it
 * does is found by what the user said last, and by how often it was asked.
 *
 * @module
 */

import { createServer, type Fixture } from "@copilotkit/aimock";
import { closeServer } from "../support/close_server.ts";
import type { ScriptedStep } from "../support/wire.ts";

/** What the provider does when it is asked. */
export type ChaosStep =
  | ScriptedStep
  /** It refuses with a status. */
  | { readonly status: number; readonly retryAfter?: number }
  /** It sends no JSON, hangs up, or ends a stream in its middle; every time. */
  | { readonly chaos: "malformed" | "disconnect" | "cut" };

/** A running model. */
export type ChaosModel = AsyncDisposable & {
  /** What an agent takes as `baseUrl`. */
  readonly baseUrl: string;
};

type Request = {
  readonly messages: readonly { role: string; content: unknown }[];
};

/**
 * Starts the model.
 *
 * @param scripts What it does about each text of a user's, step by step.
 */
export async function chaosModel(
  scripts: ReadonlyMap<string, readonly ChaosStep[]>,
): Promise<ChaosModel> {
  const asked = new Map<string, number>();
  const next = (request: Request) => {
    const text = userText(request);
    return scripts.get(text)?.[asked.get(text) ?? 0] ?? { text: "done" };
  };
  const does = (chaos: string) => (request: Request) => {
    const step = next(request);
    return "chaos" in step && step.chaos === chaos;
  };
  const long = { content: "word ".repeat(400) };
  const fixtures: Fixture[] = [
    {
      match: { predicate: does("malformed") },
      response: long,
      chaos: { malformedRate: 1 },
    },
    {
      match: { predicate: does("disconnect") },
      response: long,
      chaos: { disconnectRate: 1 },
    },
    {
      match: { predicate: does("cut") },
      response: long,
      truncateAfterChunks: 5,
    },
    {
      match: { predicate: () => true },
      response: (request) => {
        const step = next(request);
        const text = userText(request);
        asked.set(text, (asked.get(text) ?? 0) + 1);
        return answer(step);
      },
    },
  ];
  const { server, url } = await createServer(fixtures, {
    port: 0,
    host: "127.0.0.1",
  });
  return {
    baseUrl: `${url}/v1`,
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function answer(step: ChaosStep) {
  if ("chaos" in step) throw new Error("Another fixture answers this");
  if ("status" in step) {
    const { status, retryAfter } = step;
    const type = status === 429 ? "rate_limit_error" : "server_error";
    return {
      error: { message: "Not now", type, code: type },
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  }
  const { text, calls = [] } = step;
  const toolCalls = calls.map((call) => ({ ...call }));
  return toolCalls.length === 0 ? { content: text ?? "" } : { toolCalls };
}

function userText({ messages }: Request): string {
  const content = messages.findLast(({ role }) => role === "user")?.content;
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => String(Object(part).text ?? "")).join("");
}
