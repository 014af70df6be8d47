import {
  assert,
  assertEquals,
  assertMatch,
  assertStrictEquals,
} from "@std/assert";
import { type Clock, pause, systemAmbient } from "../src/ambient.ts";
import { ManualClock } from "./support/ambient.ts";

/** Whether a promise has settled once everything ran that waits for nothing. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.then(() => settled = true);
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
  return settled;
}

Deno.test("pause: lasts as long as it should, by the clock that is given", async () => {
  const clock = new ManualClock();
  const paused = pause(clock, 100, new AbortController().signal);
  clock.advance(99);
  assertStrictEquals(await isSettled(paused), false);
  clock.advance(1);
  assertStrictEquals(await isSettled(paused), true);
  assertStrictEquals(clock.pending, 0);
});

// R22
Deno.test("pause: ends at once when its signal aborts, and leaves no timer", async () => {
  const clock = new ManualClock();
  const controller = new AbortController();
  const paused = pause(clock, 100, controller.signal);
  assertStrictEquals(clock.pending, 1);
  controller.abort(new Error("stop"));
  assertStrictEquals(await isSettled(paused), true);
  assertStrictEquals(clock.pending, 0);
});

Deno.test("pause: sets no timer where the signal is aborted already", async () => {
  const clock = new ManualClock();
  await pause(clock, 100, AbortSignal.abort());
  assertStrictEquals(clock.pending, 0);
});

Deno.test("pause: leaves no listener on its signal", async () => {
  const listeners = new Set<unknown>();
  const { signal } = new AbortController();
  signal.addEventListener = (_type: string, listener: unknown) => {
    listeners.add(listener);
  };
  signal.removeEventListener = (_type: string, listener: unknown) => {
    listeners.delete(listener);
  };
  const clock = new ManualClock();
  const paused = pause(clock, 5, signal);
  assertStrictEquals(listeners.size, 1);
  clock.advance(5);
  await paused;
  assertStrictEquals(listeners.size, 0);
});

Deno.test("pause: takes a clock that fires before timer returns", async () => {
  const hasty: Clock = {
    now: () => 0,
    timer: (_ms, fire) => {
      fire();
      return () => {};
    },
  };
  await pause(hasty, 1_000, new AbortController().signal);
});

Deno.test("systemAmbient.newId: gives ids that differ, with their prefix", () => {
  const ids = Array.from({ length: 100 }, () => systemAmbient.newId("turn"));
  assertStrictEquals(new Set(ids).size, 100);
  for (const id of ids) assertMatch(id, /^turn_[0-9a-f]{32}$/);
});

Deno.test("systemAmbient.random: gives numbers from 0 up to 1", () => {
  const numbers = Array.from({ length: 100 }, () => systemAmbient.random());
  assert(numbers.every((number) => number >= 0 && number < 1));
  assert(new Set(numbers).size > 90);
});

Deno.test("systemAmbient.clock.now: is the platform's time in milliseconds", () => {
  const before = Date.now();
  const now = systemAmbient.clock.now();
  assert(before <= now && now <= Date.now());
});

Deno.test("systemAmbient.clock.timer: fires once", async () => {
  const fired = Promise.withResolvers<void>();
  const cancel = systemAmbient.clock.timer(0, fired.resolve);
  await fired.promise;
  cancel();
});

Deno.test("systemAmbient.clock.timer: what was called off does not fire", async () => {
  const events: string[] = [];
  const cancel = systemAmbient.clock.timer(0, () => events.push("called off"));
  const fired = Promise.withResolvers<void>();
  cancel();
  systemAmbient.clock.timer(0, () => {
    events.push("fired");
    fired.resolve();
  });
  await fired.promise;
  assertEquals(events, ["fired"]);
});
