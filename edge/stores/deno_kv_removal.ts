/**
 * Deletes sessions from Deno KV. A session is more than one operation can delete,
 * and its name may be used again at any time.
 *
 * @module
 */

import {
  documentsPrefix,
  headKey,
  headsPrefix,
  isMark,
  mark,
  partsPrefix,
} from "./deno_kv_keys.ts";
import { patiently } from "./patience.ts";
import { fromParts } from "./text_parts.ts";

// An atomic operation takes 1,000 mutations; 80 KiB of keys are the tighter bound.
const deletionsAtOnce = 100;

/**
 * Marks the head first: whoever finds the mark, also after this process died,
 * finishes the work before the session's name is used again.
 *
 * Several may do so at once. The mark stays until one of them is done, and each
 * deletes only while it stands: so none deletes anything of a session that was
 * begun under the name since.
 *
 * @param kv The database.
 * @param session The session.
 * @param revision The only one that may be deleted; any without it.
 */
export async function removeSession(
  kv: Deno.Kv,
  session: string,
  revision?: string,
): Promise<void> {
  const key = headKey(session);
  const found = await kv.get(key);
  if (found.value === null) return;
  const versionstamp = isMark(found.value)
    ? found.versionstamp
    : await markRemoved(kv, key, revision ?? found.versionstamp);
  if (versionstamp === undefined) {
    if (revision !== undefined) return;
    return await removeSession(kv, session);
  }
  const marked: Deno.AtomicCheck = { key, versionstamp };
  for (const prefix of [documentsPrefix(session), partsPrefix(session)]) {
    if (!await deleteWhile(kv, marked, prefix)) return;
  }
  await kv.atomic().check(marked).delete(key).commit();
}

/** The mark's versionstamp; `undefined` where the head is another one by now. */
async function markRemoved(
  kv: Deno.Kv,
  key: Deno.KvKey,
  versionstamp: string,
): Promise<string | undefined> {
  const marked = await kv.atomic().check({ key, versionstamp })
    .set(key, mark).commit();
  return marked.ok ? marked.versionstamp : undefined;
}

/** Deletes what begins with `prefix`; tells whether the mark stood to the end. */
async function deleteWhile(
  kv: Deno.Kv,
  marked: Deno.AtomicCheck,
  prefix: Deno.KvKey,
): Promise<boolean> {
  let keys: Deno.KvKey[] = [];
  const flush = async () => {
    const atomic = kv.atomic().check(marked);
    for (const key of keys) atomic.delete(key);
    keys = [];
    return (await atomic.commit()).ok;
  };
  for await (const { key } of kv.list({ prefix })) {
    keys.push(key);
    if (keys.length === deletionsAtOnce && !await flush()) return false;
  }
  return keys.length === 0 || await flush();
}

/**
 * Deletes old sessions, and finishes deletions that broke off. A session that
 * somebody goes on with at that moment stays.
 *
 * @param kv The database.
 * @param isOld Tells from a head's text whether its session goes.
 */
export async function removeOldSessions(
  kv: Deno.Kv,
  isOld: (head: string) => boolean,
): Promise<void> {
  const heads = kv.list({ prefix: headsPrefix });
  for await (const { key, value, versionstamp } of heads) {
    const session = key[2];
    if (typeof session !== "string" || !(value instanceof Uint8Array)) continue;
    if (isMark(value) || isOld(fromParts([value]))) {
      await patiently(() => removeSession(kv, session, versionstamp));
    }
  }
}
