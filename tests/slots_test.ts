import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { Slots } from "../src/slots.ts";

const open = new AbortController().signal;

/** Lets everything run that waits for nothing. */
async function settle(): Promise<void> {
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
}

async function taken(slots: Slots): Promise<() => void> {
  const release = await slots.take(open);
  assert(release !== undefined);
  return release;
}

Deno.test("Slots.take: gives out as many slots as there are", async () => {
  const slots = new Slots(2);
  await taken(slots);
  const release = await taken(slots);
  let third = false;
  const waiting = taken(slots).then(() => third = true);
  await settle();
  assertStrictEquals(third, false);
  release();
  await waiting;
  assertStrictEquals(third, true);
});

Deno.test("Slots.take: those who wait are admitted one by one, in their order", async () => {
  const slots = new Slots(1);
  const order: number[] = [];
  const run = async (name: number) => {
    const release = await taken(slots);
    order.push(name);
    await Promise.resolve();
    release();
  };
  await Promise.all([1, 2, 3, 4].map(run));
  assertEquals(order, [1, 2, 3, 4]);
});

Deno.test("Slots.take: who comes later does not pass by those who wait", async () => {
  const slots = new Slots(1);
  const order: string[] = [];
  const first = await taken(slots);
  const waiting = taken(slots).then((release) => {
    order.push("waited");
    release();
  });
  first();
  const late = taken(slots).then((release) => {
    order.push("late");
    release();
  });
  await Promise.all([waiting, late]);
  assertEquals(order, ["waited", "late"]);
});

Deno.test("Slots: never more run at once than there are slots", async () => {
  const slots = new Slots(3);
  let running = 0;
  let most = 0;
  await Promise.all(Array.from({ length: 20 }, async (_, index) => {
    const release = await taken(slots);
    most = Math.max(most, ++running);
    for (let tick = 0; tick < 4 + index % 4; tick++) await Promise.resolve();
    running--;
    release();
  }));
  assertStrictEquals(most, 3);
});

Deno.test("Slots: a slot given back twice is free once", async () => {
  const slots = new Slots(1);
  const release = await taken(slots);
  release();
  release();
  await taken(slots);
  let second = false;
  void slots.take(open).then(() => second = true);
  await settle();
  assertStrictEquals(second, false);
});

Deno.test("Slots.take: gives nothing to a signal that is aborted already", async () => {
  const slots = new Slots(1);
  assertStrictEquals(await slots.take(AbortSignal.abort()), undefined);
  await taken(slots);
});

// R25
Deno.test("Slots.take: who is aborted while waiting leaves without a slot", async () => {
  const slots = new Slots(1);
  const release = await taken(slots);
  const leaver = new AbortController();
  const left = slots.take(leaver.signal);
  const stays = taken(slots);
  leaver.abort();
  assertStrictEquals(await left, undefined);
  release();
  await stays;
});

Deno.test("Slots.take: who left takes no slot with it", async () => {
  const slots = new Slots(1);
  const release = await taken(slots);
  const leaver = new AbortController();
  const left = slots.take(leaver.signal);
  leaver.abort();
  release();
  await left;
  await taken(slots);
});

Deno.test("Slots.take: an abort after the admission does not take the slot away", async () => {
  const slots = new Slots(1);
  const release = await taken(slots);
  const late = new AbortController();
  const admitted = slots.take(late.signal);
  release();
  late.abort();
  const second = await admitted;
  assert(second !== undefined);
  second();
  await taken(slots);
});

Deno.test("Slots.take: leaves no listener on a signal", async () => {
  const listeners = new Set<unknown>();
  const { signal } = new AbortController();
  signal.addEventListener = (_type: string, listener: unknown) => {
    listeners.add(listener);
  };
  signal.removeEventListener = (_type: string, listener: unknown) => {
    listeners.delete(listener);
  };
  const slots = new Slots(1);
  const release = await slots.take(signal);
  const admitted = slots.take(signal);
  assertStrictEquals(listeners.size, 1);
  release?.();
  await admitted;
  assertStrictEquals(listeners.size, 0);
});
