/**
 * A turn that is about to ask its model, on the OpenAI wire, without an agent
 * around it.
 *
 * @module
 */

import { openai } from "../../src/backends/openai.ts";
import { Conversation } from "../../src/conversation.ts";
import { ModelRequest } from "../../src/model_request.ts";
import type { TurnScope } from "../../src/step.ts";
import { type Bench, callBench } from "./call_bench.ts";
import {
  type Reply,
  scriptedFetch,
  type SentRequest,
} from "./scripted_fetch.ts";

/** A place to take steps. */
export type StepBench = {
  readonly scope: TurnScope;
  readonly bench: Bench;
  readonly sent: readonly SentRequest[];
  /** How many calls the host's handler ran. */
  ran(): number;
};

/** A bench whose provider gives `replies`, one a request. */
export function stepBench(replies: readonly Reply[]): StepBench {
  let ran = 0;
  const bench = callBench({
    call: () => Promise.resolve(++ran),
    budget: { retries: 1 },
  });
  const { fetch, sent } = scriptedFetch(replies);
  const { ambient, redaction } = bench.scope;
  const scope: TurnScope = {
    ...bench.scope,
    backend: openai,
    transport: {
      backend: openai,
      baseUrl: "https://model.test/v1",
      apiKey: () => "test-key",
      headers: {},
      fetch,
      ambient,
      redaction,
    },
    request: new ModelRequest(openai, {
      model: "m",
      instructions: undefined,
      settings: {},
      tools: [],
    }),
    conversation: new Conversation([{ type: "user", text: "Look up" }]),
    stop: bench.stop,
    earlierItems: 0,
    earlierSteps: 0,
    earlierReceipts: [],
    release: () => {},
  };
  return { scope, bench, sent, ran: () => ran };
}
