/**
 * Idempotency keys: a client that does not know whether its request arrived
 * makes it again, and gets the turn that it started before.
 *
 * @module
 */

import { isRecord, parseJson } from "../../src/json.ts";
import type { SessionStore } from "../store.ts";
import { names } from "./documents.ts";
import type { Started, TurnRequest } from "./start.ts";
import { StoredStateInvalid } from "./stored_state.ts";

/** What became of the request when it was made before. */
export async function findKey(
  store: SessionStore,
  session: string,
  request: TurnRequest,
): Promise<Started | undefined> {
  if (request.key === undefined) return undefined;
  const name = names.key(await digest(request.key));
  const text = (await store.read(session, name)).get(name);
  if (text === undefined) return undefined;
  const parsed = parseJson(text);
  const value: unknown = parsed.tag === "parsed" ? parsed.value : undefined;
  if (!isRecord(value) || typeof value.turn !== "string") {
    throw new StoredStateInvalid("idempotency key");
  }
  const { turn } = value;
  const same = value.input === await digest(request.input);
  return { tag: same ? "repeated" : "key_taken", turn };
}

/** What is kept of a request with a key. */
export async function keyDocument(
  { key, input }: TurnRequest,
  turn: string,
): Promise<{ name: string; text: string } | undefined> {
  if (key === undefined) return undefined;
  return {
    name: names.key(await digest(key)),
    text: JSON.stringify({ turn, input: await digest(input) }),
  };
}

async function digest(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
