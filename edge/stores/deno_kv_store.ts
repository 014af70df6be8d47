/**
 * Sessions in Deno KV.
 *
 * A value there is at most 64 KiB, one atomic operation at most 1,000 mutations
 * and 800 KiB (https://docs.deno.com/deploy/kv/transactions). So large documents
 * are written first, in parts under a fresh name that nothing points to; the
 * atomic operation then writes the head and what points to them. Parts are never
 * changed: a reader gets the old document or the new one, or finds that the old
 * one is gone and looks again.
 *
 * @module
 */

import type { Change, Documents, SessionStore, StoredHead } from "../store.ts";
import { documentKey, headKey, isMark } from "./deno_kv_keys.ts";
import { DenoKvParts, partBytes, type PartsPointer } from "./deno_kv_parts.ts";
import { removeSession } from "./deno_kv_removal.ts";
import { patiently } from "./patience.ts";
import { fromParts, toParts } from "./text_parts.ts";

export { removeOldSessions } from "./deno_kv_removal.ts";

// Small enough that many go in one atomic operation.
const inlineBytes = 24 * 1024;
const inlineBytesTogether = 480 * 1024;

// What is listed at once where not all is wanted: a megabyte at most.
const pageEntries = 40;

/** How the store is set up. */
export type DenoKvStoreOptions = {
  /** How often a watcher looks by itself; the local KV tells no other process. */
  readonly pollMs?: number;
};

/**
 * Keeps sessions in Deno KV.
 *
 * @param kv The database.
 * @param options How it is set up.
 */
export function denoKvStore(
  kv: Deno.Kv,
  { pollMs = 1000 }: DenoKvStoreOptions = {},
): SessionStore {
  const parts = new DenoKvParts(kv);
  const remove = (session: string) => {
    parts.forget(session);
    return removeSession(kv, session);
  };
  return {
    exclusive: false,
    head: (session) => patiently(() => readHead(kv, session, remove)),
    read: (...all) => patiently(() => readDocuments(kv, parts, ...all)),
    commit: (session, change) => commit(kv, parts, session, change),
    watch: (session, signal) => watch(kv, session, signal, pollMs),
    remove: (session) => patiently(() => remove(session)),
  };
}

async function readHead(
  kv: Deno.Kv,
  session: string,
  remove: (session: string) => Promise<void>,
): Promise<StoredHead | undefined> {
  const { value, versionstamp } = await kv.get(headKey(session));
  if (!(value instanceof Uint8Array) || versionstamp === null) return undefined;
  if (!isMark(value)) {
    return { revision: versionstamp, text: fromParts([value]) };
  }
  await remove(session);
  return undefined;
}

async function readDocuments(
  kv: Deno.Kv,
  parts: DenoKvParts,
  session: string,
  prefix: string,
  from = prefix,
  limit = Infinity,
): Promise<Documents> {
  const entries = kv.list({
    start: documentKey(session, from),
    end: documentKey(session, `${prefix}\u{10ffff}`),
  }, { batchSize: limit === Infinity ? 500 : pageEntries });
  const documents = new Map<string, string>();
  let room = limit;
  for await (const { key, value } of entries) {
    const name = key[3];
    if (typeof name !== "string") continue;
    const text = await readText(kv, parts, session, name, value);
    if (text === undefined) continue;
    documents.set(name, text);
    room -= text.length;
    if (room <= 0) break;
  }
  return documents;
}

async function readText(
  kv: Deno.Kv,
  parts: DenoKvParts,
  session: string,
  name: string,
  first: unknown,
): Promise<string | undefined> {
  let value = first;
  for (let attempt = 0; attempt < 20; attempt++) {
    if (value instanceof Uint8Array) return fromParts([value]);
    const pointer = parts.pointer(value);
    if (pointer === undefined) return undefined;
    const found = await parts.read(session, pointer);
    if (found !== undefined) {
      parts.remember(session, name, pointer);
      return fromParts(found);
    }
    // Replaced since it was read.
    value = (await kv.get(documentKey(session, name))).value;
  }
  throw new Error("A document's parts are missing");
}

async function commit(
  kv: Deno.Kv,
  parts: DenoKvParts,
  session: string,
  change: Change,
): Promise<string | undefined> {
  const values = new Map<string, Uint8Array | PartsPointer>();
  const large = new Map<string, PartsPointer>();
  let together = 0;
  for (const [name, text] of change.set) {
    const [bytes = new Uint8Array(), ...more] = toParts(text, partBytes);
    const size = bytes.length;
    if (
      more.length === 0 && size <= inlineBytes &&
      together + size <= inlineBytesTogether
    ) {
      together += size;
      values.set(name, bytes);
    } else {
      const pointer = await patiently(() => parts.write(session, text));
      large.set(name, pointer);
      values.set(name, pointer);
    }
  }
  let failures = 0;
  const result = await patiently(
    () => operation(kv, session, change, values).commit(),
    () => failures++,
  );
  if (!result.ok) {
    // One that failed may have been written all the same, and is refused now
    // for that: then its parts are in use.
    if (failures === 0) await parts.removeAll(session, [...large.values()]);
    return undefined;
  }
  const names = [...change.set.keys(), ...change.remove];
  const replaced = parts.replace(session, names, large);
  await patiently(() => parts.removeAll(session, replaced));
  return result.versionstamp;
}

function operation(
  kv: Deno.Kv,
  session: string,
  { after, head, remove }: Change,
  values: ReadonlyMap<string, Uint8Array | PartsPointer>,
): Deno.AtomicOperation {
  const key = headKey(session);
  let atomic = kv.atomic().check({ key, versionstamp: after ?? null })
    .set(key, new TextEncoder().encode(head));
  for (const [name, value] of values) {
    atomic = atomic.set(documentKey(session, name), value);
  }
  for (const name of remove) {
    atomic = atomic.delete(documentKey(session, name));
  }
  return atomic;
}

async function* watch(
  kv: Deno.Kv,
  session: string,
  signal: AbortSignal,
  pollMs: number,
): AsyncGenerator<void> {
  const reader = kv.watch([headKey(session)]).getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // Where watching fails or ends, looking now and then is left.
  const never = new Promise<"changed">(() => {});
  const next = (): Promise<"changed"> =>
    reader.read().then(({ done }) => done ? never : "changed", () => never);
  try {
    let change = next();
    while (!signal.aborted) {
      yield;
      const poll = new Promise((resolve) =>
        timer = setTimeout(resolve, pollMs)
      );
      const what = await Promise.race([change, poll, aborted]);
      clearTimeout(timer);
      if (what === "changed") change = next();
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => {});
  }
}
