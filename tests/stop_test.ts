import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
} from "@std/assert";
import { cancelOn, describeStop, Stop, type StopCause } from "../src/stop.ts";

const causes: readonly (readonly [
  cause: StopCause,
  message: string,
  name: string,
])[] = [
  [
    { tag: "cancelled", reason: "the user left" },
    "the turn was cancelled: the user left",
    "AbortError",
  ],
  [
    { tag: "turn_time", limitMs: 300 },
    "the turn's time of 300 ms is over",
    "TimeoutError",
  ],
  [
    { tag: "call_time", limitMs: 20 },
    "the call took longer than 20 ms",
    "TimeoutError",
  ],
  [
    { tag: "interrupted", reason: "the cell ended before the call" },
    "the cell ended before the call",
    "AbortError",
  ],
];

/** Marks what was made fit to be told. */
const told = (reason: string) => `told: ${reason}`;

for (const [cause, message, name] of causes) {
  Deno.test(`Stop.stop: ${cause.tag} aborts the signal with its reason`, () => {
    const stop = new Stop();
    stop.stop(cause);
    assertStrictEquals(describeStop(cause), message);
    assert(stop.signal.aborted);
    const reason: unknown = stop.signal.reason;
    assertInstanceOf(reason, DOMException);
    assertEquals([reason.name, reason.message], [name, message]);
    assertStrictEquals(stop.cause, cause);
  });
}

const cancelled: StopCause = { tag: "cancelled", reason: "first" };
const interrupted: StopCause = { tag: "interrupted", reason: "second" };

Deno.test("Stop: is not stopped before somebody stops it", () => {
  const stop = new Stop();
  assertStrictEquals(stop.cause, undefined);
  assert(!stop.signal.aborted);
  assertStrictEquals(stop.signal, stop.signal);
});

Deno.test("Stop.stop: the first cause stays, and listeners hear once", () => {
  const stop = new Stop();
  let heard = 0;
  stop.signal.addEventListener("abort", () => heard++);
  stop.stop(cancelled);
  stop.stop(interrupted);
  assertStrictEquals(stop.cause, cancelled);
  assertStrictEquals(heard, 1);
});

Deno.test("Stop.stop: a listener already sees the cause", () => {
  const stop = new Stop();
  let seen: StopCause | undefined;
  stop.signal.addEventListener("abort", () => seen = stop.cause);
  stop.stop(cancelled);
  assertStrictEquals(seen, cancelled);
});

// R25
Deno.test("Stop.child: stops with its parent, and with each above it", () => {
  const stop = new Stop();
  const cell = stop.child().stop;
  const call = cell.child().stop;
  stop.stop(cancelled);
  assertEquals([cell.cause, call.cause], [cancelled, cancelled]);
  assert(cell.signal.aborted && call.signal.aborted);
});

Deno.test("Stop.child: stops alone, and leaves its parent and siblings running", () => {
  const stop = new Stop();
  const one = stop.child().stop;
  const other = stop.child().stop;
  one.stop(interrupted);
  assertStrictEquals(stop.cause, undefined);
  assertStrictEquals(other.cause, undefined);
  stop.stop(cancelled);
  assertStrictEquals(one.cause, interrupted);
  assertStrictEquals(other.cause, cancelled);
});

Deno.test("Stop.child: of a stopped parent is stopped from the start", () => {
  const stop = new Stop();
  stop.stop(cancelled);
  const { stop: child, release } = stop.child();
  assertStrictEquals(child.cause, cancelled);
  assert(child.signal.aborted);
  release();
});

Deno.test("Stop.child: a released child hears its parent no more", () => {
  const stop = new Stop();
  const { stop: child, release } = stop.child();
  release();
  release();
  stop.stop(cancelled);
  assertStrictEquals(child.cause, undefined);
  assert(!child.signal.aborted);
});

Deno.test("Stop.child: a parent holds no listener of a released child", () => {
  const stop = new Stop();
  const held = new Set<unknown>();
  const { signal } = stop;
  const add = signal.addEventListener.bind(signal);
  signal.addEventListener = (
    type: string,
    listener: EventListenerOrEventListenerObject,
  ) => {
    held.add(listener);
    add(type, listener);
  };
  signal.removeEventListener = (_type: string, listener: unknown) => {
    held.delete(listener);
  };
  const children = Array.from({ length: 50 }, () => stop.child());
  assertStrictEquals(held.size, 50);
  for (const { release } of children) release();
  assertStrictEquals(held.size, 0);
});

const reasons: readonly (readonly [given: unknown, reason: string])[] = [
  ["the user left", "the user left"],
  [new Error("closed by the host"), "closed by the host"],
  [new Error(""), "the signal was aborted"],
  [{ message: "no error" }, "the signal was aborted"],
  [
    Object.assign(new Error(), { message: { no: 1n } }),
    "the signal was aborted",
  ],
  [
    Object.defineProperty(new Error(), "message", {
      get: () => {
        throw new Error("hostile");
      },
    }),
    "the signal was aborted",
  ],
];

for (const [given, reason] of reasons) {
  Deno.test(`cancelOn: cancels with the signal's reason: ${reason}, of ${typeof given}`, () => {
    const controller = new AbortController();
    const stop = new Stop();
    cancelOn(controller.signal, stop, told);
    assertStrictEquals(stop.cause, undefined);
    controller.abort(given);
    assertEquals(stop.cause, { tag: "cancelled", reason: told(reason) });
  });
}

Deno.test("cancelOn: cancels at once where the signal is aborted already", () => {
  const stop = new Stop();
  cancelOn(AbortSignal.abort("too late"), stop, told);
  assertEquals(stop.cause, { tag: "cancelled", reason: told("too late") });
});

Deno.test("cancelOn: lets go of the signal, and needs none", () => {
  const controller = new AbortController();
  const stop = new Stop();
  cancelOn(controller.signal, stop, told)();
  controller.abort();
  cancelOn(undefined, stop, told)();
  assertStrictEquals(stop.cause, undefined);
});
