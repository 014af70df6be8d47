import { assert, assertEquals } from "@std/assert";
import { isEvent, isTurn } from "../../../edge/page/client/guard.js";
import {
  failedLine,
  programOf,
  TurnModel,
} from "../../../edge/page/client/turn_model.js";
import type { SessionEvent } from "../../../edge/session/turn_record.ts";
import type { Receipt } from "../../../src/receipt.ts";
import { seededRandom } from "../../support/ambient.ts";
import { test } from "../../support/permissions.ts";
import { fixture, oneLookup, upper } from "../app_fixture.ts";
import { allEvents, getJson, postTurn } from "../client.ts";

const record = { id: "turn_1", number: 1, input: "Go", startedAt: 1000 };

const turnId = "turn_1";

function receipt(id: string, more: Partial<Receipt> = {}): Receipt {
  return {
    id,
    turnId,
    step: 1,
    callId: id,
    tool: "lookup",
    surface: "direct",
    executed: false,
    requestedAt: 1100,
    inputBytes: 2,
    outputBytes: 0,
    truncated: false,
    ...more,
  };
}

function modelOf(events: readonly SessionEvent[]): TurnModel {
  const model = new TurnModel(record);
  for (const event of events) model.apply(event);
  return model;
}

const noTokens = {
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

const end: SessionEvent = {
  type: "end",
  turnId,
  at: 1500,
  stopReason: "cancelled",
  text: "",
  usage: noTokens,
  steps: 1,
};

const stepStarted: SessionEvent = {
  type: "step_started",
  turnId,
  step: 1,
  at: 1010,
};

Deno.test("TurnModel: nested calls stand below the call of their program", () => {
  const exec = receipt("r1", { tool: "exec", input: { code: "return 1" } });
  const nested = { parentId: "r1", surface: "code" } as const;
  const model = modelOf([
    stepStarted,
    { type: "tool_started", turnId, receipt: exec },
    { type: "tool_started", turnId, receipt: receipt("r2", nested) },
    { type: "tool_started", turnId, receipt: receipt("r3", nested) },
    {
      type: "tool_finished",
      turnId,
      receipt: receipt("r3", { ...nested, outcome: "succeeded" }),
    },
  ]);
  const [call] = model.steps[0]?.calls ?? [];
  assertEquals(call?.receipt.id, "r1");
  assertEquals(
    call?.nested.map(({ receipt, depth }) =>
      `${receipt.id} ${receipt.outcome} ${depth}`
    ),
    ["r2 undefined 1", "r3 succeeded 1"],
  );
});

Deno.test("TurnModel: counts the calls that the budget counts", () => {
  const started = (receipt: Receipt): SessionEvent => ({
    type: "tool_started",
    turnId,
    receipt,
  });
  const model = modelOf([
    stepStarted,
    started(receipt("r1", { tool: "exec", input: { code: "return 1" } })),
    started(receipt("r2", { parentId: "r1" })),
    started(receipt("r3", { outcome: "rejected" })),
    started(receipt("r4", { outcome: "failed" })),
  ]);
  assertEquals(model.callsUsed, 2);
  assertEquals(model.stepsUsed, 1);
});

Deno.test("TurnModel: a step that was stopped ends with the turn", () => {
  const [step] = modelOf([stepStarted, end]).steps;
  assertEquals(step?.endedAt, 1500);
  assertEquals(step?.state, "stopped");
});

Deno.test("TurnModel: the answer is the last text", () => {
  const text = (step: number, delta: string): SessionEvent => ({
    type: "text",
    turnId,
    step,
    delta,
  });
  const model = modelOf([
    stepStarted,
    text(1, "I lo"),
    text(1, "ok"),
    { ...stepStarted, step: 2 },
    { ...stepStarted, step: 3 },
  ]);
  assertEquals(model.answer, "I look");
  model.apply(text(2, "Found"));
  assertEquals(model.answer, "Found");
});

Deno.test("TurnModel: calls of a step that is not known are shown too", () => {
  const model = modelOf([
    { type: "tool_started", turnId, receipt: receipt("r1", { step: 4 }) },
  ]);
  assertEquals(model.steps.map(({ number }) => number), [4]);
});

Deno.test("programOf: only what runs one has a program", () => {
  const input = { code: "return 1" };
  assertEquals(programOf(receipt("r", { tool: "exec", input })), "return 1");
  assertEquals(programOf(receipt("r", { input })), undefined);
  assertEquals(
    programOf(receipt("r", { tool: "exec", input: null })),
    undefined,
  );
  assertEquals(
    programOf(receipt("r", { tool: "exec", input, surface: "code" })),
    undefined,
  );
});

Deno.test("failedLine: reads the line from the error", () => {
  const lineOf = (message: string) =>
    failedLine(receipt("r", {
      error: { name: "E", code: "code_failed", message, retryable: false },
    }));
  assertEquals(lineOf("TypeError: no\nat line 12: a.b"), 12);
  assertEquals(lineOf("Unexpected token (line 3)"), 3);
  assertEquals(lineOf("look at line 12 of it"), undefined);
  assertEquals(failedLine(receipt("r")), undefined);
});

/** Everything inside a value, with where it stands. */
function places(value: unknown): { holder: object; key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.keys(value).flatMap((key) => [
    { holder: value, key },
    ...places(Reflect.get(value, key)),
  ]);
}

test("isEvent: takes what the server sends, and nothing that the page cannot show", async () => {
  await using app = await fixture([oneLookup, { text: "done" }], upper);
  const events = await allEvents(await postTurn(app.send, "s", "Go"));
  const turn = await getJson(
    app.send,
    `/sessions/s/turns/${events[0]?.data.turnId}`,
  );
  const genuine: unknown[] = events.map(({ data }) => data);
  assertEquals(genuine.map(isEvent), genuine.map(() => true));
  assert(isTurn(turn));
  const hostile = [null, undefined, NaN, -1, "", "x", [], {}, true, Infinity];
  const random = seededRandom(11);
  const pick = <T>(list: readonly T[]) =>
    list[Math.floor(random() * list.length)];
  let accepted = 0;
  for (let round = 0; round < 3000; round++) {
    const event = structuredClone(pick(genuine));
    const place = pick(places(event));
    if (place !== undefined) {
      Reflect.set(place.holder, place.key, pick(hostile));
    }
    if (!isEvent(event)) continue;
    accepted++;
    const model = new TurnModel(turn);
    for (const other of genuine) if (isEvent(other)) model.apply(other);
    model.apply(event);
    assertEquals(typeof model.answer, "string");
    assertEquals(typeof model.callsUsed, "number");
  }
  assert(accepted > 100 && accepted < 2900, `${accepted} were accepted`);
});
