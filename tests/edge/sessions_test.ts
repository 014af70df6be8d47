// Sessions whose store several processes share: each test process is a
// `Sessions` of its own on one store.

import { assert, assertEquals } from "@std/assert";
import type { NumberedEvent } from "../../edge/session/batches.ts";
import { Sessions } from "../../edge/session/sessions.ts";
import type { SessionStore } from "../../edge/store.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import type { RuntimeOptions } from "../../src/runtime_options.ts";
import { ManualClock } from "../support/ambient.ts";
import { scriptedModel } from "../support/model.ts";
import { test } from "../support/permissions.ts";
import { config, gate, oneLookup, upper } from "./app_fixture.ts";

const leaseMs = 9000;

function shared(store: SessionStore = memoryStore()): SessionStore {
  return { ...store, exclusive: false };
}

function process(store: SessionStore, clock: ManualClock): Sessions {
  return new Sessions({ config, store, clock, leaseMs, textMs: 50 });
}

/** A store that can be taken from a process, as if the process had died. */
function mortal(store: SessionStore) {
  let dead = false;
  const never = <T>() => new Promise<T>(() => {});
  const alive: SessionStore = {
    ...store,
    head: (session) => dead ? never() : store.head(session),
    read: (...all) => dead ? never() : store.read(...all),
    commit: (...all) => dead ? never() : store.commit(...all),
  };
  return { store: alive, kill: () => dead = true };
}

async function options(
  steps: Parameters<typeof scriptedModel>[0],
  call: NonNullable<RuntimeOptions["tools"]>["call"],
) {
  const model = await scriptedModel(steps);
  const runtime: RuntimeOptions = {
    apiKey: "key",
    baseUrl: model.baseUrl,
    tools: { call },
  };
  return {
    model,
    runtime,
    [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
  };
}

async function collect(
  sessions: Sessions,
  turn: string,
): Promise<NumberedEvent[]> {
  const { signal } = new AbortController();
  return await Array.fromAsync(sessions.events("s1", turn, 0, signal));
}

test("another process follows a turn to its end", async () => {
  const store = shared();
  const clock = new ManualClock();
  const tool = gate();
  await using with_ = await options([oneLookup, { text: "done" }], tool.call);
  const one = process(store, clock);
  const other = process(store, clock);
  const { turn } = await one.start("s1", { input: "Look up" }, with_.runtime);
  const followed = collect(other, turn);
  await tool.called;
  tool.open();
  const events = await followed;
  assertEquals(events, await collect(one, turn));
  assertEquals(events.at(-1)?.event.stopReason, "completed");
});

test("another process cancels a turn", async () => {
  const store = shared();
  const clock = new ManualClock();
  const tool = gate();
  await using with_ = await options([oneLookup, { text: "done" }], tool.call);
  const one = process(store, clock);
  const { turn } = await one.start("s1", { input: "Look up" }, with_.runtime);
  const signal = await tool.called;
  await process(store, clock).cancel("s1", turn, "from elsewhere");
  const events = await collect(one, turn);
  assert(signal.aborted);
  assertEquals(events.at(-1)?.event.cancelReason, "from elsewhere");
});

test("while a process lives no other one starts a turn in its session", async () => {
  const store = shared();
  const clock = new ManualClock();
  const tool = gate();
  await using with_ = await options([oneLookup, { text: "done" }], tool.call);
  const one = process(store, clock);
  const started = await one.start("s1", { input: "One" }, with_.runtime);
  await tool.called;
  const other = process(store, clock);
  for (let renewals = 0; renewals < 10; renewals++) {
    clock.advance(leaseMs / 3);
    await new Promise((resolve) => setTimeout(resolve));
    const second = await other.start("s1", { input: "Two" }, with_.runtime);
    assertEquals(second, { tag: "busy", turn: started.turn });
  }
  tool.open();
  if (started.tag === "started") await started.finished;
  const third = await other.start("s1", { input: "Three" }, with_.runtime);
  assertEquals(third.tag, "started");
  if (third.tag === "started") await third.finished;
});

test("a turn whose process died is interrupted, with its call, once, and the session goes on", async () => {
  const base = shared();
  const clock = new ManualClock();
  const tool = gate();
  await using with_ = await options([oneLookup, { text: "again" }], tool.call);
  const doomed = mortal(base);
  const one = process(doomed.store, clock);
  const started = await one.start("s1", { input: "One" }, with_.runtime);
  await tool.called;
  doomed.kill();
  const others = [process(base, clock), process(base, clock)];
  const followed = others.map((other) => collect(other, started.turn));
  // Until the lease runs out nobody can know.
  assertEquals(
    (await others[0]?.start("s1", { input: "Two" }, with_.runtime))?.tag,
    "busy",
  );
  clock.advance(leaseMs + 1);
  await Promise.all(others.map((other) => other.state("s1")));
  const [events, same] = await Promise.all(followed);
  assertEquals(events, same);
  assertEquals(events?.map(({ type }) => type).slice(-3), [
    "tool_started",
    "tool_finished",
    "end",
  ]);
  assertEquals(events?.at(-1)?.event.stopReason, "interrupted");
  const turn = await others[1]?.turn("s1", started.turn);
  assertEquals(turn?.end?.stopReason, "interrupted");
  assertEquals(turn?.receipts.map(({ outcome }) => outcome), ["interrupted"]);

  await using next = await options([{ text: "fine" }], upper);
  const two = await others[1]?.start("s1", { input: "Two" }, next.runtime);
  if (two?.tag === "started") await two.finished;
  const state = await others[0]?.state("s1");
  assertEquals(state?.turns.map(({ end }) => end?.stopReason), [
    "interrupted",
    "completed",
  ]);
  assertEquals(state?.receipts.length, 1);
});

test("a process that was taken for dead writes nothing more and stops its turn", async () => {
  const store = shared();
  const clock = new ManualClock();
  const tool = gate();
  await using with_ = await options([oneLookup, { text: "late" }], tool.call);
  const one = process(store, clock);
  const started = await one.start("s1", { input: "One" }, with_.runtime);
  const signal = await tool.called;
  // The process's own clock stood still: it did not renew.
  const later = new ManualClock(clock.now() + leaseMs + 1);
  const other = process(store, later);
  const before = await other.turn("s1", started.turn);
  assertEquals(before?.end?.stopReason, "interrupted");
  if (started.tag === "started") await started.finished;
  assert(signal.aborted);
  assertEquals(await other.turn("s1", started.turn), before);
  assertEquals(with_.model.requests(), 1);
});

test("a tool runs only once its receipt is stored", async () => {
  const store = shared();
  const clock = new ManualClock();
  const open: unknown[] = [];
  const reader = process(store, clock);
  await using with_ = await options(
    [oneLookup, { text: "done" }],
    async () => {
      const state = await reader.state("s1");
      open.push(
        state?.receipts.map(({ callId, outcome }) => [callId, outcome]),
      );
      return "done";
    },
  );
  const one = process(store, clock);
  const started = await one.start("s1", { input: "One" }, with_.runtime);
  if (started.tag === "started") await started.finished;
  assertEquals(open, [[["c1", undefined]]]);
});

test("a store that fails for a moment loses nothing, and one that stays broken stops the turn", async () => {
  for (const failures of [2, Infinity]) {
    const memory = memoryStore();
    const clock = new ManualClock();
    let commits = 0;
    const store: SessionStore = {
      ...memory,
      commit: (...all) =>
        ++commits > 1 && commits <= 1 + failures
          ? Promise.reject(new Error("no route"))
          : memory.commit(...all),
    };
    await using with_ = await options([oneLookup, { text: "done" }], upper);
    const sessions = process(store, clock);
    const started = await sessions.start("s1", { input: "x" }, with_.runtime);
    let over = false;
    if (started.tag === "started") {
      void started.finished.finally(() => over = true);
    }
    while (!over) {
      clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve));
    }
    const turn = await process(memory, clock).turn("s1", started.turn);
    assertEquals(
      turn?.end?.stopReason,
      failures === 2 ? "completed" : "interrupted",
    );
  }
});
