import { assert, assertEquals, assertRejects } from "@std/assert";
import type { TurnEvent } from "../src/events.ts";
import { HostFailure } from "../src/failure.ts";
import { askModel } from "../src/step.ts";
import {
  refused,
  streamed,
  streamedText,
  waiting,
} from "./support/scripted_fetch.ts";
import { stepBench } from "./support/step_bench.ts";
import { sse } from "./support/stream_server.ts";
import { wireEvents } from "./support/wire.ts";

const call = { id: "c1", name: "lookup", arguments: '{"key":"a"}' };
const answer = wireEvents("openai", { text: "I look.", calls: [call] });

/** The events of the answer without its last, which tells that it is whole. */
const broken = answer.slice(0, -1);

function types(events: readonly TurnEvent[]): string[] {
  return events.map(({ type }) => type);
}

Deno.test("askModel() sends the conversation, tells each part of the answer, and runs nothing", async () => {
  const { scope, bench, sent, ran } = stepBench([streamed(answer)]);
  const output = await askModel(scope, 2);
  assertEquals(sent.map(({ body }) => body.input), [
    [{ role: "user", content: "Look up" }],
  ]);
  assertEquals(output?.stop, "tool_calls");
  assertEquals(output?.calls, [{
    callId: "c1",
    answers: "c1",
    tool: "lookup",
    arguments: '{"key":"a"}',
  }]);
  const at = 1_000_000;
  const known = { turnId: "turn_1", step: 2 };
  assertEquals(bench.events, [
    { type: "step_started", ...known, at },
    { type: "text", ...known, delta: "I l" },
    { type: "text", ...known, delta: "ook." },
    {
      type: "step_finished",
      ...known,
      at,
      stopReason: "completed",
      usage: {
        inputTokens: 10,
        cachedInputTokens: 4,
        outputTokens: 5,
        reasoningTokens: 2,
      },
      calls: 1,
    },
  ]);
  assertEquals([ran(), bench.scope.receipts.list().length], [0, 0]);
});

Deno.test("askModel() tells of each wait for another try", async () => {
  const { scope, bench, sent } = stepBench([
    refused(529, { message: "overloaded" }),
    streamed(answer),
  ]);
  const output = await askModel({
    ...scope,
    emit: (event) => {
      scope.emit(event);
      // The wait begins as soon as it was told.
      if (event.type === "retry") {
        queueMicrotask(() => bench.clock.advance(60_000));
      }
    },
  }, 1);
  assertEquals(output?.text, "I look.");
  assertEquals(sent.length, 2);
  const retry = bench.events.find(({ type }) => type === "retry");
  assert(retry?.type === "retry");
  assertEquals(
    [retry.attempt, retry.step, retry.message],
    [1, 1, "The provider answered with status 529: overloaded"],
  );
});

for (
  const [what, reply, message, code] of [
    [
      "ends before its last event",
      streamed(broken),
      "ended before its last event; the answer is incomplete",
      undefined,
    ],
    [
      "carries an error",
      streamed([
        ...broken,
        Object.assign({ type: "error" }, {
          code: "server_error",
          message: "bad day",
        }),
      ]),
      "The provider reported an error: bad day",
      "server_error",
    ],
    [
      "holds an event that cannot be read",
      streamedText(`${sse(broken)}event: response.new\ndata: {"a":\n\n`),
      "the data of response.new is not a JSON object",
      undefined,
    ],
  ] as const
) {
  Deno.test(`askModel() fails where the stream ${what}; finished calls are interrupted, and do not run`, async () => {
    const { scope, bench, ran } = stepBench([reply]);
    const failure = await assertRejects(
      () => askModel(scope, 1),
      HostFailure,
      message,
    );
    assertEquals([failure.kind, failure.code, failure.retryable], [
      "backend",
      code,
      true,
    ]);
    assertEquals(types(bench.events).includes("step_finished"), false);
    assertEquals(ran(), 0);
    assertEquals(
      bench.scope.receipts.list().map(({ callId, outcome, error }) => [
        callId,
        outcome,
        error?.message,
      ]),
      [[
        "c1",
        "interrupted",
        "the provider's stream broke off before the call could run",
      ]],
    );
    assertEquals(scope.conversation.items.length, 1);
  });
}

Deno.test("askModel() keeps the request's id in its failures", async () => {
  const { scope } = stepBench([streamed(broken)]);
  const failure = await assertRejects(() => askModel(scope, 1), HostFailure);
  assertEquals(failure.requestId, "req_1");
});

for (
  const [cause, outcome] of [
    [{ tag: "cancelled", reason: "enough" }, "cancelled"],
    [{ tag: "turn_time", limitMs: 5 }, "timed_out"],
  ] as const
) {
  Deno.test(`askModel() gives nothing where the turn stopped for ${cause.tag}; finished calls are ${outcome}`, async () => {
    const { scope, bench, ran } = stepBench([
      waiting(broken, () => bench.stop.stop(cause)),
    ]);
    assertEquals(await askModel(scope, 1), undefined);
    assertEquals(ran(), 0);
    assertEquals(
      bench.scope.receipts.list().map(({ outcome, executed }) => [
        outcome,
        executed,
      ]),
      [[outcome, false]],
    );
  });
}

Deno.test("askModel() does not wait for a stream that stays open after its last event", async () => {
  const waits = Promise.withResolvers<void>();
  const { scope, bench } = stepBench([waiting(answer, waits.resolve)]);
  const asked = askModel(scope, 1);
  await waits.promise;
  bench.clock.advance(1000);
  assertEquals((await asked)?.stop, "tool_calls");
  assertEquals(scope.stop.cause, undefined);
});

Deno.test("askModel() takes a whole answer whatever comes after it", async () => {
  const broken = (text: string) => () => {
    const bytes = new TextEncoder().encode(`${sse(answer)}${text}`);
    const left = [bytes];
    return new Response(
      new ReadableStream({
        pull(controller) {
          const next = left.pop();
          if (next === undefined) controller.error(new TypeError("reset"));
          else controller.enqueue(next);
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  };
  for (const text of ["", "event: x\ndata: no JSON\n\n", "data: [DONE]\n\n"]) {
    const { scope } = stepBench([broken(text)]);
    assertEquals((await askModel(scope, 1))?.calls.length, 1, text);
  }
});
