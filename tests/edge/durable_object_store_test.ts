// The store of a Durable Object, on SQLite itself; `workerd_test.ts` has it on
// workerd.

import { assert, assertEquals } from "@std/assert";
import { durableObjectStore } from "../../edge/stores/durable_object_store.ts";
import { objectStorage } from "./object_storage.ts";
import { storeContract } from "./store_contract.ts";

/** A store for sessions of any name, as objects are: one each. */
storeContract("Durable Object on SQLite", () => {
  const stores = new Map<string, ReturnType<typeof durableObjectStore>>();
  const of = (session: string) => {
    const store = stores.get(session) ?? durableObjectStore(objectStorage());
    stores.set(session, store);
    return store;
  };
  return Promise.resolve({
    exclusive: true,
    head: (session) => of(session).head(session),
    read: (session, ...all) => of(session).read(session, ...all),
    commit: (session, change) => of(session).commit(session, change),
    watch: (session, signal) => of(session).watch(session, signal),
    remove: (session) => of(session).remove(session),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
});

Deno.test("Durable Object: a session that nobody began leaves nothing stored, nor does one that was removed", async () => {
  const storage = objectStorage();
  const store = durableObjectStore(storage);
  const change = { head: "1", set: new Map([["a", "A"]]), remove: [] };
  const ask = async () => {
    assertEquals(await store.head("s"), undefined);
    assertEquals(await store.read("s", ""), new Map());
    assertEquals(await store.commit("s", { after: "1", ...change }), undefined);
    assertEquals(storage.tables(), 0);
  };
  await ask();
  assert(await store.commit("s", { after: undefined, ...change }));
  assertEquals((await store.head("s"))?.text, "1");
  await store.remove("s");
  await ask();
});
