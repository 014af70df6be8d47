import { assertEquals } from "@std/assert";
import { denoServer } from "../../edge/deno.ts";
import { denoKvStore } from "../../edge/stores/deno_kv_store.ts";
import { test } from "../support/permissions.ts";
import { config } from "./app_fixture.ts";

function head(updatedAt: number): string {
  const createdAt = 1;
  return JSON.stringify({
    version: 2,
    backend: "openai",
    createdAt,
    updatedAt,
    turns: 0,
    bytes: 0,
    changes: 0,
  });
}

test({
  name:
    "denoServer: old sessions go, also beside one that cannot be read, which stays",
  // A server keeps its database open as long as its process lives.
  sanitizeResources: false,
  fn: async () => {
    const folder = await Deno.makeTempDir();
    const kvPath = `${folder}/kv`;
    using kv = await Deno.openKv(kvPath);
    const store = denoKvStore(kv);
    const heads = { a: "{}", b: head(1), c: head(Date.now()) };
    for (const [session, text] of Object.entries(heads)) {
      const set = new Map<string, string>();
      const change = { after: undefined, head: text, set, remove: [] };
      await store.commit(session, change);
    }
    const server = denoServer({
      config,
      options: () => ({ apiKey: "key" }),
      auth: () => ({ off: "everybody may use this" }),
      kvPath,
    });
    await server.fetch(new Request("http://localhost/health"));
    for (let look = 0; look < 1_000; look++) {
      if (await store.head("b") === undefined) break;
    }
    assertEquals(await store.head("b"), undefined);
    assertEquals((await store.head("a"))?.text, heads.a);
    assertEquals((await store.head("c"))?.text, heads.c);
    await Deno.remove(folder, { recursive: true });
  },
});
