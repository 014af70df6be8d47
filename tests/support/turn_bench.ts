/**
 * A turn on either backend, over a scripted `fetch`: what is sent can be looked
 * into.
 *
 * @module
 */

import {
  type Agent,
  type AgentConfiguration,
  type BackendName,
  type HostTools,
  open,
} from "nanocode-wasm";
import { manualAmbient } from "./ambient.ts";
import { engineModule } from "./engine.ts";
import {
  type Reply,
  scriptedFetch,
  type SentRequest,
  streamed,
} from "./scripted_fetch.ts";
import { type ScriptedCall, type ScriptedStep, wireEvents } from "./wire.ts";

/** `ping` takes anything; `lookup` a `key`, a `limit`, and a `note` or `null`. */
export const tools: AgentConfiguration["tools"] = [
  { name: "ping", description: "", parameters: { type: "object" } },
  {
    name: "lookup",
    description: "",
    parameters: {
      type: "object",
      properties: {
        key: { type: "string" },
        limit: { type: "integer" },
        note: { type: ["string", "null"] },
      },
      required: ["key"],
    },
  },
];

/** An open agent, and what it sent. */
export type Opened = {
  readonly agent: Agent;
  readonly sent: readonly SentRequest[];
};

/** One backend, and how an agent is opened on it. */
export type On = {
  readonly backend: BackendName;
  reply(step: ScriptedStep): Reply;
  opened(
    replies: readonly (Reply | ScriptedStep)[],
    call: HostTools["call"],
    config?: Partial<AgentConfiguration>,
  ): Promise<Opened>;
};

/** Runs a test on each backend. */
export function onBoth(name: string, test: (on: On) => Promise<void>): void {
  for (const backend of ["openai", "anthropic"] as const) {
    const reply = (step: ScriptedStep) => streamed(wireEvents(backend, step));
    const opened: On["opened"] = async (replies, call, config = {}) => {
      const { fetch, sent } = scriptedFetch(
        replies.map((one) => typeof one === "function" ? one : reply(one)),
      );
      const agent = await open(
        { backend, model: "m", surfaces: ["direct"], tools, ...config },
        {
          ...manualAmbient(),
          apiKey: "test-key",
          fetch,
          wasm: engineModule,
          tools: { call },
        },
      );
      return { agent, sent };
    };
    Deno.test(`${backend}: ${name}`, () => test({ backend, reply, opened }));
  }
}

/** What the model is told of a call. */
export type Told = {
  readonly text: string;
  readonly isError: boolean | undefined;
};

/** What a request tells of each call, in its order. */
export function told(request: SentRequest | undefined): Told[] {
  const { input = [], messages = [] } = Object(request?.body);
  const blocks = messages.flatMap(({ content }: { content: unknown }) =>
    content
  );
  return [...input, ...blocks].flatMap((item): Told[] => {
    if (item.type === "function_call_output") {
      return [{ text: item.output, isError: undefined }];
    }
    return item.type === "tool_result"
      ? [{ text: item.content, isError: item.is_error ?? false }]
      : [];
  });
}

/** The outputs, each error by its code. */
export function codes(outputs: readonly Told[]): string[] {
  return outputs.map(({ text }) => JSON.parse(text).error?.code ?? text);
}

/** A call of the model's. */
export function call(
  name: string,
  text: string,
  id = `c_${name}`,
): ScriptedCall {
  return { id, name, arguments: text };
}
