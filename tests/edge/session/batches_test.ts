import { assert, assertEquals } from "@std/assert";
import {
  batchLength,
  fromBatches,
  toBatches,
} from "../../../edge/session/batches.ts";

const event = (length: number) => ({
  type: "text" as const,
  turnId: "turn_1",
  step: 1,
  delta: "x".repeat(length),
});

Deno.test("toBatches: batches are bounded, and large events are alone", () => {
  const sizes = [10, 10, batchLength, 10, batchLength / 2, batchLength / 2, 10];
  const events = sizes.map(event);
  const batches = toBatches("turn_1", 5, events);
  assertEquals([...batches.keys()].map((name) => Number(name.slice(-10))), [
    5,
    7,
    8,
    10,
  ]);
  for (const text of batches.values()) assert(text.length < batchLength + 100);
  assertEquals(
    fromBatches(batches),
    events.map((event, index) => ({ number: 5 + index, type: "text", event })),
  );
});

Deno.test("toBatches: without events there is no batch", () => {
  assertEquals(toBatches("turn_1", 1, []), new Map());
});
