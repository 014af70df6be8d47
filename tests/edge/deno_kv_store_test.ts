// Deno KV itself: in memory, in a file, and a file that two processes' worth of
// handles share.

import { assert, assertEquals } from "@std/assert";
import {
  denoKvStore,
  removeOldSessions,
} from "../../edge/stores/deno_kv_store.ts";
import { test } from "../support/permissions.ts";
import { storeContract } from "./store_contract.ts";

storeContract("Deno KV in memory", async () => {
  const kv = await Deno.openKv(":memory:");
  return {
    ...denoKvStore(kv),
    [Symbol.asyncDispose]: () => Promise.resolve(kv.close()),
  };
});

storeContract("Deno KV in a file", async () => {
  const folder = await Deno.makeTempDir();
  const kv = await Deno.openKv(`${folder}/kv`);
  return {
    ...denoKvStore(kv),
    async [Symbol.asyncDispose]() {
      kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}, test);

Deno.test("Deno KV: replaced documents leave nothing behind, nor do refused commits", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = denoKvStore(kv);
  const text = "x".repeat(500_000);
  const large = { head: "1", set: new Map([["a", text]]), remove: [] };
  const first = await store.commit("s", { after: undefined, ...large });
  assert(first);
  assertEquals(
    await store.commit("s", { after: undefined, ...large }),
    undefined,
  );
  const second = await store.commit("s", { after: first, ...large });
  assertEquals(await count(kv, "part"), 9);
  await store.commit("s", {
    after: second,
    head: "3",
    set: new Map([["a", "small"]]),
    remove: [],
  });
  assertEquals(await count(kv, "part"), 0);
});

Deno.test("Deno KV: old sessions are deleted, and a deletion that broke off is finished", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = denoKvStore(kv);
  for (const session of ["old", "new", "half"]) {
    await store.commit(session, {
      after: undefined,
      head: session,
      set: new Map([["a", "x".repeat(100_000)]]),
      remove: [],
    });
  }
  // As a process leaves it that died right after it began.
  await kv.set(["nanocode", "head", "half"], new Uint8Array());
  await removeOldSessions(kv, (head) => head === "old");
  assertEquals(await store.head("old"), undefined);
  assertEquals(await store.head("half"), undefined);
  assertEquals((await store.head("new"))?.text, "new");
  assertEquals([await count(kv, "part"), await count(kv, "document")], [2, 1]);
});

Deno.test("Deno KV: an old session that somebody goes on with is not deleted", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = denoKvStore(kv);
  const none = { set: new Map<string, string>(), remove: [] };
  const after = await store.commit("s", {
    after: undefined,
    head: "old",
    ...none,
  });
  let committed: Promise<unknown> = Promise.resolve();
  await removeOldSessions(kv, () => {
    committed = kv.atomic().set(
      ["nanocode", "head", "s"],
      new TextEncoder().encode("new"),
    ).commit();
    return true;
  });
  await committed;
  assertEquals((await store.head("s"))?.text, "new");
  assert(after);
});

Deno.test("Deno KV: where watching ends, looking now and then is left", async () => {
  using kv = await Deno.openKv(":memory:");
  const ended = new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name === "watch") {
        return () => new ReadableStream({ start: (it) => it.close() });
      }
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const stop = new AbortController();
  let told = 0;
  const watching = (async () => {
    const store = denoKvStore(ended, { pollMs: 60_000 });
    for await (const _ of store.watch("s", stop.signal)) {
      if (++told === 100) stop.abort();
    }
  })();
  await kv.get(["anything"]);
  stop.abort();
  await watching;
  assertEquals(told, 1);
});

/** A database whose atomic operation number `which` fails, before or after its effect. */
function failingOnce(
  kv: Deno.Kv,
  which: number,
  effect: "before" | "after",
): Deno.Kv {
  let operations = 0;
  return new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "atomic") return value.bind(target);
      return () => {
        const operation = target.atomic();
        const commit = operation.commit.bind(operation);
        operation.commit = async () => {
          const fails = ++operations === which;
          if (!fails || effect === "after") {
            const result = await commit();
            if (!fails) return result;
          }
          throw new TypeError("database is locked");
        };
        return operation;
      };
    },
  });
}

Deno.test("Deno KV: an operation that fails is tried again, and tears nothing where it had its effect", async () => {
  for (const effect of ["before", "after"] as const) {
    using kv = await Deno.openKv(":memory:");
    const store = denoKvStore(failingOnce(kv, 1, effect));
    const set = new Map([["a", "small"]]);
    const first = { after: undefined, head: "1", set, remove: [] };
    const revision = await store.commit("s", first);
    // Whoever is refused reads the head, and finds what it wrote itself.
    assertEquals(revision === undefined, effect === "after");
    assertEquals(await store.read("s", ""), set);
    assertEquals((await store.head("s"))?.text, "1");
  }
});

Deno.test("Deno KV: parts of a document stay where the operation that points to them may have been written", async () => {
  using kv = await Deno.openKv(":memory:");
  const text = "x".repeat(200_000);
  const plain = denoKvStore(kv);
  const none = { set: new Map<string, string>(), remove: [] };
  const after = await plain.commit("s", {
    after: undefined,
    head: "1",
    ...none,
  });
  // The first one writes parts, the second one what points to them.
  const failing = failingOnce(kv, 2, "after");
  const change = { after, head: "2", set: new Map([["a", text]]), remove: [] };
  assertEquals(await denoKvStore(failing).commit("s", change), undefined);
  assertEquals((await plain.read("s", "a")).get("a"), text);
});

/** A database that holds back deletions until it is told to go on. */
function holding(kv: Deno.Kv) {
  const held = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const hold = async () => {
    held.resolve();
    await goOn.promise;
  };
  const slow = new Proxy(kv, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name === "delete") {
        return async (key: Deno.KvKey) => {
          await hold();
          await target.delete(key);
        };
      }
      if (name !== "atomic") return value.bind(target);
      return () => {
        const operation = target.atomic();
        const remove = operation.delete.bind(operation);
        const commit = operation.commit.bind(operation);
        let deletes = false;
        operation.delete = (key) => (deletes = true, remove(key));
        operation.commit = async () => {
          if (deletes) await hold();
          return await commit();
        };
        return operation;
      };
    },
  });
  return { slow, held: held.promise, goOn: () => goOn.resolve() };
}

Deno.test("Deno KV: a slow deletion takes nothing of the session that was begun under its name since", async () => {
  using kv = await Deno.openKv(":memory:");
  const set = new Map([["a", "x".repeat(100_000)], ["b", "small"]]);
  const fresh = { after: undefined, set, remove: [] };
  const other = denoKvStore(kv);
  await other.commit("s", { ...fresh, head: "old" });
  const { slow, held, goOn } = holding(kv);
  const removed = denoKvStore(slow).remove("s");
  await held;
  // Finds the mark, and does the work itself.
  assertEquals(await other.head("s"), undefined);
  assert(await other.commit("s", { ...fresh, head: "new" }));
  goOn();
  await removed;
  assertEquals((await other.head("s"))?.text, "new");
  assertEquals(await other.read("s", ""), set);
});

Deno.test("Deno KV: deletions at once end with nothing left, also of more than one operation takes", async () => {
  using kv = await Deno.openKv(":memory:");
  const store = denoKvStore(kv);
  const large: [string, string] = ["large", "x".repeat(100_000)];
  const many = Array.from(
    { length: 250 },
    (_, index): [string, string] => [`d/${index}`, "x"],
  );
  const set = new Map([large, ...many]);
  await store.commit("s", { after: undefined, head: "1", set, remove: [] });
  await Promise.all([1, 2, 3].map(() => denoKvStore(kv).remove("s")));
  for (const kind of ["head", "document", "part"]) {
    assertEquals(await count(kv, kind), 0);
  }
});

async function count(kv: Deno.Kv, kind: string): Promise<number> {
  const all = await Array.fromAsync(kv.list({ prefix: ["nanocode", kind] }));
  return all.length;
}
