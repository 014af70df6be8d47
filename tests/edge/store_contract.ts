/**
 * What every session store must do, as tests.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import type { Change, SessionStore } from "../../edge/store.ts";
import type { Register } from "../support/permissions.ts";

/** Registers the tests for one kind of store. */
export function storeContract(
  name: string,
  make: () => Promise<SessionStore & AsyncDisposable>,
  register: Register = Deno.test,
): void {
  const test = (
    behaviour: string,
    run: (store: SessionStore) => Promise<void>,
  ) =>
    register(`${name}: ${behaviour}`, async () => {
      await using store = await make();
      await run(store);
    });

  test("a session that nobody wrote has neither head nor documents", async (store) => {
    assertEquals(await store.head("none"), undefined);
    assertEquals(await store.read("none", ""), new Map());
  });

  test("a commit on the newest head is written, on any other nothing of it", async (store) => {
    const first = await store.commit("s", change(undefined, "1", { a: "A" }));
    assert(first !== undefined);
    assertEquals(
      await store.commit("s", change(undefined, "x", { a: "X" })),
      undefined,
    );
    const second = await store.commit("s", change(first, "2", { b: "B" }));
    assert(second !== undefined && second !== first);
    assertEquals(
      await store.commit("s", change(first, "x", { b: "X" })),
      undefined,
    );
    assertEquals(await store.head("s"), { revision: second, text: "2" });
    assertEquals(await store.read("s", ""), new Map([["a", "A"], ["b", "B"]]));
  });

  test("of commits at once on one head exactly one is written", async (store) => {
    const results = await Promise.all(
      Array.from(
        { length: 6 },
        (_, index) =>
          store.commit("s", change(undefined, `${index}`, { n: `${index}` })),
      ),
    );
    assertEquals(results.filter((result) => result !== undefined).length, 1);
    const head = await store.head("s");
    assertEquals((await store.read("s", "n")).get("n"), head?.text);
  });

  test("documents are read by prefix, from a name on, in the order of names", async (store) => {
    const names = ["b/3", "a/1", "b/1", "b/20", "c"];
    const set = Object.fromEntries(names.map((name) => [name, name]));
    await store.commit("s", change(undefined, "1", set));
    const read = async (
      ...all: [string, string?]
    ) => [...(await store.read("s", ...all)).keys()];
    assertEquals(await read(""), ["a/1", "b/1", "b/20", "b/3", "c"]);
    assertEquals(await read("b/"), ["b/1", "b/20", "b/3"]);
    assertEquals(await read("b/", "b/2"), ["b/20", "b/3"]);
    assertEquals(await read("b/20"), ["b/20"]);
  });

  test("documents are read up to the one with which they are enough", async (store) => {
    const set = {
      "a/1": "",
      "a/2": "\u{1f600}",
      "a/3": "xy",
      "a/4": "z".repeat(200_000),
      "a/5": "",
      "b/1": "x",
    };
    await store.commit("s", change(undefined, "1", set));
    const read = async (limit: number, from?: string) =>
      [...(await store.read("s", "a/", from, limit)).keys()].join(" ");
    assertEquals(await read(1), "a/1 a/2");
    assertEquals(await read(2), "a/1 a/2");
    assertEquals(await read(3), "a/1 a/2 a/3");
    assertEquals(await read(5, "a/2"), "a/2 a/3 a/4");
    assertEquals(await read(1, "a/4"), "a/4");
    // Fewer characters than were asked for: there is no more.
    assertEquals(await read(1, "a/5"), "a/5");
    assertEquals(await read(1, "a/6"), "");
    assertEquals(await read(1_000_000), "a/1 a/2 a/3 a/4 a/5");
    const [text] = (await store.read("s", "a/", "a/4", 1)).values();
    assertEquals(text?.length, 200_000);
  });

  test("documents are replaced and deleted, and sessions do not mix", async (store) => {
    const one = await store.commit(
      "s",
      change(undefined, "1", { a: "1", b: "1" }),
    );
    await store.commit("s", { ...change(one, "2", { a: "2" }), remove: ["b"] });
    await store.commit("s2", change(undefined, "1", { a: "other" }));
    assertEquals(await store.read("s", ""), new Map([["a", "2"]]));
  });

  test("documents of any size and any text come back as they were", async (store) => {
    const texts = {
      empty: "",
      wide: "\u{1f600}é\u0000\u2028".repeat(40_000),
      huge: "x".repeat(3_000_000),
      many: "y".repeat(70_000),
    };
    const first = await store.commit("s", change(undefined, "1", texts));
    assertEquals(Object.fromEntries(await store.read("s", "")), sorted(texts));
    const smaller = { ...texts, huge: "small", many: "z".repeat(200_000) };
    await store.commit("s", change(first, "2", smaller));
    assertEquals(
      Object.fromEntries(await store.read("s", "")),
      sorted(smaller),
    );
  });

  test("a commit of many documents is written whole", async (store) => {
    const set = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `d/${String(index).padStart(4, "0")}`,
        "z".repeat(5_000),
      ]),
    );
    await store.commit("s", change(undefined, "1", set));
    assertEquals((await store.read("s", "d/")).size, 300);
  });

  test("a reader never sees half of a large document while it is replaced", async (store) => {
    const text = (n: number) => String(n % 10).repeat(300_000);
    let revision = await store.commit(
      "s",
      change(undefined, "0", { d: text(0) }),
    );
    let writing = true;
    const writer = (async () => {
      for (let n = 1; n <= 20; n++) {
        revision = await store.commit(
          "s",
          change(revision, `${n}`, { d: text(n) }),
        );
      }
      writing = false;
    })();
    while (writing) {
      const read = (await store.read("s", "d")).get("d") ?? "";
      assertEquals(read.length, 300_000);
      assert(read === read.charAt(0).repeat(300_000), "torn");
    }
    await writer;
    assertEquals((await store.read("s", "d")).get("d"), text(20));
  });

  test("a watcher is told at once and after commits, until it is stopped", async (store) => {
    const stop = new AbortController();
    let told = 0;
    let wake = () => {};
    const watching = (async () => {
      for await (const _ of store.watch("s", stop.signal)) {
        told++;
        wake();
      }
    })();
    const next = async (than: number) => {
      while (told <= than) await new Promise<void>((resolve) => wake = resolve);
    };
    await next(0);
    const before = told;
    await store.commit("s", change(undefined, "1", {}));
    await next(before);
    stop.abort();
    await watching;
  });

  test("a commit while a watcher works is not lost to it", async (store) => {
    const stop = new AbortController();
    const told = store.watch("s", stop.signal)[Symbol.asyncIterator]();
    await told.next();
    await store.commit("s", change(undefined, "1", {}));
    assertEquals((await told.next()).done, false);
    stop.abort();
    // What still was to be told may come before the end.
    while (!(await told.next()).done);
  });

  test("a removed session is gone with its documents, and can be made anew", async (store) => {
    await store.commit("s", change(undefined, "1", { a: "x".repeat(200_000) }));
    await store.remove("s");
    await store.remove("s");
    assertEquals(await store.head("s"), undefined);
    assertEquals(await store.read("s", ""), new Map());
    assert(await store.commit("s", change(undefined, "1", { b: "B" })));
    assertEquals(await store.read("s", ""), new Map([["b", "B"]]));
  });
}

function change(
  after: string | undefined,
  head: string,
  set: Record<string, string>,
): Change {
  return { after, head, set: new Map(Object.entries(set)), remove: [] };
}

function sorted(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).sort(([a], [b]) => a < b ? -1 : 1),
  );
}
