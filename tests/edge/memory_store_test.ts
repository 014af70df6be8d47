import { assertEquals } from "@std/assert";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { storeContract } from "./store_contract.ts";

storeContract("memory", () =>
  Promise.resolve({
    ...memoryStore(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }));

Deno.test("memory: the session that rested longest goes when there are too many", async () => {
  const store = memoryStore(2);
  for (const session of ["a", "b", "c"]) {
    const none = { set: new Map(), remove: [] };
    await store.commit(session, { after: undefined, head: "{}", ...none });
  }
  assertEquals(await store.head("a"), undefined);
  assertEquals((await store.head("c"))?.text, "{}");
});
