/**
 * A model for many conversations at once: what it says is found by what the user
 * said last, and by how often it was asked about that.
 *
 * @module
 */

import { createServer } from "@copilotkit/aimock";
import { closeServer } from "../support/close_server.ts";
import type { ScriptedStep } from "../support/wire.ts";

/** What a model does when it is asked. */
export type ScenarioStep =
  | ScriptedStep
  /** It thinks for ever. */
  | { readonly silent: true }
  /** It refuses the request, with this status. */
  | { readonly status: number; readonly retryAfter?: number };

/** A running model. */
export type ScenarioModel = AsyncDisposable & {
  /** What an agent takes as `baseUrl`. */
  readonly baseUrl: string;
  /** What the model does about a user's text; gives that text, unique. */
  add(steps: readonly ScenarioStep[]): string;
  /** How often the model was asked about a text. */
  asked(text: string): number;
  /** Resolves when the model was asked about a text for the `count`th time. */
  whenAsked(text: string, count: number): Promise<void>;
};

/** Starts the model. */
export async function scenarioModel(): Promise<ScenarioModel> {
  const scenarios = new Map<string, readonly ScenarioStep[]>();
  const asked = new Map<string, number>();
  let waiting: (() => void)[] = [];
  const { server, url } = await createServer([{
    match: { predicate: () => true },
    response: ({ messages }) => {
      const user = messages.findLast(({ role }) => role === "user");
      const text = textOf(user?.content);
      const index = asked.get(text) ?? 0;
      asked.set(text, index + 1);
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
      return answer(scenarios.get(text)?.[index] ?? { text: "done" });
    },
  }], { port: 0, host: "127.0.0.1" });
  return {
    baseUrl: `${url}/v1`,
    add(steps) {
      const text = `Scenario ${crypto.randomUUID()}`;
      scenarios.set(text, steps);
      return text;
    },
    asked: (text) => asked.get(text) ?? 0,
    async whenAsked(text, count) {
      while ((asked.get(text) ?? 0) < count) {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

function answer(step: ScenarioStep) {
  if ("silent" in step) return new Promise<never>(() => {});
  if ("status" in step) {
    const { status, retryAfter } = step;
    const type = status === 429 ? "rate_limit_error" : "invalid_request_error";
    return {
      error: { message: "Not now", type, code: type },
      status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  }
  const { text, calls = [] } = step;
  const toolCalls = calls.map(({ id, name, arguments: text }) => ({
    id,
    name,
    arguments: text,
  }));
  if (toolCalls.length === 0) return { content: text ?? "" };
  return text === undefined ? { toolCalls } : { content: text, toolCalls };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => String(Object(part).text ?? "")).join("");
}
