// The example's tools, as the runtime calls them.

import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
} from "@std/assert";
import type { CallContext } from "nanocode-wasm";
import { shop } from "../../../edge/examples/shop_tools.ts";

const { signal } = new AbortController();

function call(
  name: string,
  input: unknown,
  context: Partial<CallContext> = {},
  stop = signal,
): Promise<unknown> {
  return shop.call(name, input, stop, {
    callId: "call_1",
    receiptId: "receipt_1",
    turnId: "turn_1",
    surface: "direct",
    idempotencyKey: "turn_1:call_1",
    deadline: 60_000,
    remainingMs: () => 60_000,
    remainingCalls: () => 10,
    ...context,
  });
}

Deno.test("demand gives many rows, the same each time", async () => {
  const input = { product: "tyre", days: 30 };
  const [once, again] = await Promise.all([
    call("demand", input),
    call("demand", input),
  ]);
  assertEquals(once, again);
  assert(JSON.stringify(once).length > 10_000);
});

Deno.test("suppliers answers two calls at a time; another may be made again", async () => {
  const ask = () =>
    call("suppliers", { product: "helmet" }).then(
      () => "answered",
      (error) => [error.name, error.retryable],
    );
  assertEquals(
    await Promise.all([ask(), ask(), ask()]),
    ["answered", "answered", ["LineBusy", true]],
  );
  assertEquals(await ask(), "answered");
});

Deno.test("suppliers frees its line when a call is stopped", async () => {
  const stop = new AbortController();
  const stopped = [1, 2].map(() =>
    call("suppliers", { product: "helmet" }, {}, stop.signal)
  );
  // Where they wait for their answer.
  await Promise.resolve().then(() => {}).then(() => {});
  stop.abort(new Error("stopped"));
  for (const one of stopped) await assertRejects(() => one, Error, "stopped");
  await call("suppliers", { product: "helmet" });
});

Deno.test("order gives the same number for the same call, another for another", async () => {
  const input = { product: "helmet", supplier: "Nordrad", pieces: 20 };
  const [once, again, other] = await Promise.all([
    call("order", input),
    call("order", input),
    call("order", input, { idempotencyKey: "turn_1:call_2" }),
  ]);
  assertEquals(once, again);
  assertNotEquals(once, other);
});

Deno.test("order says what is wrong with an order", async () => {
  await assertRejects(
    () => call("order", { product: "bell", supplier: "Nordrad", pieces: 60 }),
    Error,
    "Nordrad does not deliver bell; ask Kettler & Sons",
  );
  await assertRejects(
    () => call("order", { product: "helmet", supplier: "Nordrad", pieces: 9 }),
    Error,
    "Nordrad delivers 10 pieces of helmet at least",
  );
});
