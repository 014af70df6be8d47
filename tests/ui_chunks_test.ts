// A turn's events, one by one, as `useChat` reads them: every stream here is
// parsed by the AI SDK itself.

import { assertEquals } from "@std/assert";
import type { UIMessageChunk } from "ai";
import type { TurnEvent } from "nanocode-wasm";
import { uiMessageStream, type UiTurn } from "nanocode-wasm/ui";
import { chat, read, type Seen } from "./support/chat.ts";
import { test } from "./support/permissions.ts";

/** A turn that gives these events. */
function scripted(events: readonly TurnEvent[]): UiTurn {
  return {
    cancel: () => {},
    async *[Symbol.asyncIterator]() {
      yield* events;
    },
  };
}

const turnId = "turn_1";
const step = (step: number): TurnEvent => ({
  type: "step_started",
  turnId,
  step,
  at: 0,
});
const delta = (type: "text" | "reasoning", delta: string): TurnEvent => ({
  type,
  turnId,
  step: 1,
  delta,
});
const usage = {
  inputTokens: 1,
  cachedInputTokens: 0,
  outputTokens: 1,
  reasoningTokens: 0,
};
const end = (
  how: Partial<Extract<TurnEvent, { type: "end" }>> = {},
): TurnEvent => ({
  type: "end",
  turnId,
  at: 0,
  stopReason: "completed",
  text: "",
  usage,
  steps: 1,
  ...how,
});

/** The client's view of these events. */
async function seen(events: readonly TurnEvent[]): Promise<Seen> {
  return await read(
    await chat(() => Promise.resolve(uiMessageStream(scripted(events)))),
  );
}

/** The chunks of these events, as the AI SDK's transport parses them. */
async function chunks(events: readonly TurnEvent[]): Promise<UIMessageChunk[]> {
  return await Array.fromAsync(
    await chat(() => Promise.resolve(uiMessageStream(scripted(events)))),
  );
}

test("reasoning and text that take turns become parts in their order, each ended", async () => {
  const { message } = await seen([
    step(1),
    delta("reasoning", "Hm"),
    delta("reasoning", "m."),
    delta("text", "One"),
    delta("reasoning", "And?"),
    delta("text", " two"),
    delta("text", "."),
    end(),
  ]);
  assertEquals(
    message.parts.map((part) =>
      part.type === "text" || part.type === "reasoning"
        ? [part.type, part.text, part.state]
        : [part.type]
    ),
    [
      ["step-start"],
      ["reasoning", "Hmm.", "done"],
      ["text", "One", "done"],
      ["reasoning", "And?", "done"],
      ["text", " two.", "done"],
    ],
  );
});

for (
  const [stopReason, finishReason] of [
    ["completed", "stop"],
    ["truncated", "length"],
    ["refused", "content-filter"],
    ["budget", "other"],
    ["other", "other"],
  ] as const
) {
  test(`a turn that ends as ${stopReason} finishes as ${finishReason}`, async () => {
    const last = (await chunks([step(1), end({ stopReason })])).at(-1);
    assertEquals(last, { type: "finish", finishReason });
  });
}

test("a budget that ran out is told in the metadata", async () => {
  const exhausted = { budget: "steps", used: 5, limit: 5 } as const;
  const { message } = await seen([
    step(1),
    end({ stopReason: "budget", exhausted }),
  ]);
  const metadata = message.metadata as Record<string, unknown>;
  assertEquals(metadata.exhausted, exhausted);
});

test("a turn that failed is an error for the client, with the failure's message alone", async () => {
  const failure = {
    kind: "backend",
    message: "The provider is overloaded",
    requestId: "req_1",
    retryable: true,
  } as const;
  const { message, error } = await seen([
    step(1),
    delta("text", "Half"),
    end({ stopReason: "failed", failure }),
  ]);
  assertEquals(error, "Error: The provider is overloaded");
  const last = message.parts.at(-1);
  assertEquals(last?.type === "text" && [last.text, last.state], [
    "Half",
    "done",
  ]);
});

test("a turn that was cancelled is an abort, with its reason", async () => {
  const last = (await chunks([
    step(1),
    end({ stopReason: "cancelled", cancelReason: "enough" }),
  ])).at(-1);
  assertEquals(last, { type: "abort", reason: "enough" });
});

test("a request that is tried again is told in passing, and leaves no part", async () => {
  const events: TurnEvent[] = [
    step(1),
    {
      type: "retry",
      turnId,
      step: 1,
      attempt: 2,
      delayMs: 500,
      message: "sk-secret",
    },
    delta("text", "Hello."),
    end(),
  ];
  assertEquals((await chunks(events))[2], {
    type: "data-retry",
    data: { attempt: 2, delayMs: 500 },
    transient: true,
  });
  const { message } = await seen(events);
  assertEquals(message.parts.map(({ type }) => type), ["step-start", "text"]);
});
