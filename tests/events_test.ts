import { assertEquals, assertStrictEquals } from "@std/assert";
import {
  addUsage,
  EventLog,
  noUsage,
  stopReasons,
  type TurnEvent,
  type Usage,
} from "../src/events.ts";

function text(delta: string): TurnEvent {
  return { type: "text", turnId: "turn_1", step: 1, delta };
}

const end: TurnEvent = {
  type: "end",
  turnId: "turn_1",
  at: 1_000,
  stopReason: "completed",
  text: "ab",
  usage: noUsage,
  steps: 1,
};

async function all(events: AsyncIterable<TurnEvent>): Promise<TurnEvent[]> {
  const seen: TurnEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

/** Lets everything run that waits for nothing. */
async function settle(): Promise<void> {
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
}

Deno.test("EventLog.read: gives events as they come, up to the end", async () => {
  const log = new EventLog();
  const reader = log.read();
  const first = reader.next();
  log.push(text("a"));
  assertEquals(await first, { done: false, value: text("a") });
  const second = reader.next();
  let settled = false;
  void second.then(() => settled = true);
  await settle();
  assertStrictEquals(settled, false);
  log.push(end);
  assertEquals(await second, { done: false, value: end });
  assertEquals(await reader.next(), { done: true, value: undefined });
});

Deno.test("EventLog.read: a reader who comes late reads everything from the first", async () => {
  const log = new EventLog();
  log.push(text("a"));
  log.push(text("b"));
  const late = all(log.read());
  log.push(end);
  assertEquals(await late, [text("a"), text("b"), end]);
});

Deno.test("EventLog.read: replays a turn that is over, as often as one likes", async () => {
  const log = new EventLog();
  for (const event of [text("a"), end]) log.push(event);
  assertEquals(await all(log.read()), [text("a"), end]);
  assertEquals(await all(log.read()), [text("a"), end]);
});

Deno.test("EventLog.read: readers do not take events from one another", async () => {
  const log = new EventLog();
  const early = all(log.read());
  log.push(text("a"));
  const slow = log.read();
  await slow.next();
  log.push(text("b"));
  const late = all(log.read());
  log.push(end);
  assertEquals(await early, [text("a"), text("b"), end]);
  assertEquals(await late, [text("a"), text("b"), end]);
  assertEquals(await all(slow), [text("b"), end]);
});

Deno.test("EventLog.read: a reader who leaves disturbs nobody", async () => {
  const log = new EventLog();
  log.push(text("a"));
  const stays = all(log.read());
  for await (const event of log.read()) {
    assertEquals(event, text("a"));
    break;
  }
  log.push(text("b"));
  log.push(end);
  assertEquals(await stays, [text("a"), text("b"), end]);
});

Deno.test("EventLog.read: a reader who leaves while it waits is let go by the next event", async () => {
  const log = new EventLog();
  const reader = log.read();
  const waiting = reader.next();
  const left = reader.return();
  log.push(text("a"));
  assertEquals(await waiting, { done: false, value: text("a") });
  assertEquals(await left, { done: true, value: undefined });
  log.push(end);
  assertEquals(await reader.next(), { done: true, value: undefined });
});

Deno.test("EventLog.read: several requests of one reader are answered in order", async () => {
  const log = new EventLog();
  const reader = log.read();
  const asked = [reader.next(), reader.next(), reader.next()];
  log.push(text("a"));
  log.push(end);
  assertEquals((await Promise.all(asked)).map(({ value }) => value), [
    text("a"),
    end,
    undefined,
  ]);
});

// R56
Deno.test("EventLog.push: adds nothing after the end", async () => {
  const log = new EventLog();
  for (const event of [end, text("late"), { ...end, text: "other" }]) {
    log.push(event);
  }
  assertEquals(await all(log.read()), [end]);
});

Deno.test("EventLog.push: what is pushed while a reader works is not lost", async () => {
  const log = new EventLog();
  log.push(text("0"));
  const seen: TurnEvent[] = [];
  for await (const event of log.read()) {
    seen.push(event);
    if (seen.length < 5) log.push(text(String(seen.length)));
    else log.push(end);
  }
  assertEquals(seen, [..."01234"].map(text).concat(end));
});

Deno.test("addUsage: adds each count to its like", () => {
  const usage: Usage = {
    inputTokens: 1,
    cachedInputTokens: 20,
    outputTokens: 300,
    reasoningTokens: 4_000,
  };
  assertEquals(addUsage(usage, usage), {
    inputTokens: 2,
    cachedInputTokens: 40,
    outputTokens: 600,
    reasoningTokens: 8_000,
  });
  assertEquals(addUsage(usage, noUsage), usage);
  assertEquals(addUsage(noUsage, noUsage), noUsage);
});

Deno.test("stopReasons: are these", () => {
  assertEquals(stopReasons, [
    "completed",
    "truncated",
    "refused",
    "budget",
    "cancelled",
    "failed",
    "other",
  ]);
});
