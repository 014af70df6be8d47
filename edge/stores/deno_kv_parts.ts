/**
 * Large documents in Deno KV: parts that are written once and never changed.
 *
 * @module
 */

import { isRecord } from "../../src/json.ts";
import { partKey } from "./deno_kv_keys.ts";
import { toParts } from "./text_parts.ts";

/** Where a large document is. */
export type PartsPointer = {
  /** The parts' own name. */
  readonly at: string;
  /** How many there are. */
  readonly count: number;
};

/** How large a part is; a value may take 65,536 bytes, its type included. */
export const partBytes = 60_000;

// One atomic operation may carry 819,200 bytes; getMany takes 10 keys.
const partsAtOnce = 10;

// How many sessions' large documents are remembered.
const maxSessions = 1000;

/** Writes, reads and deletes parts. */
export class DenoKvParts {
  readonly #kv: Deno.Kv;
  /** What to delete when a document is replaced, by session and name. */
  readonly #known = new Map<string, Map<string, PartsPointer>>();

  /** @param kv The database. */
  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  /** A pointer as a document's value; `undefined` where it is something else. */
  pointer(value: unknown): PartsPointer | undefined {
    if (!isRecord(value)) return undefined;
    const { at, count } = value;
    return typeof at === "string" && typeof count === "number" && count > 0 &&
        Number.isInteger(count)
      ? { at, count }
      : undefined;
  }

  /** Writes a text where nobody finds it yet. */
  async write(session: string, text: string): Promise<PartsPointer> {
    const at = crypto.randomUUID();
    const parts = toParts(text, partBytes);
    for (let first = 0; first < parts.length; first += partsAtOnce) {
      let atomic = this.#kv.atomic();
      parts.slice(first, first + partsAtOnce).forEach((part, index) => {
        atomic = atomic.set(partKey(session, at, first + index), part);
      });
      await atomic.commit();
    }
    return { at, count: parts.length };
  }

  /** The parts; `undefined` where they are there no more. */
  async read(
    session: string,
    { at, count }: PartsPointer,
  ): Promise<Uint8Array[] | undefined> {
    const parts: Uint8Array[] = [];
    for (let first = 0; first < count; first += partsAtOnce) {
      const keys = Array.from(
        { length: Math.min(partsAtOnce, count - first) },
        (_, index) => partKey(session, at, first + index),
      );
      for (const { value } of await this.#kv.getMany(keys)) {
        if (!(value instanceof Uint8Array)) return undefined;
        parts.push(value);
      }
    }
    return parts;
  }

  /** Notes where a document is, so that its parts go when it is replaced. */
  remember(session: string, name: string, pointer: PartsPointer): void {
    const known = this.#known.get(session) ?? new Map();
    this.#known.delete(session);
    this.#known.set(session, known.set(name, pointer));
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxSessions && oldest !== undefined) {
      this.#known.delete(oldest);
    }
  }

  /** Documents were replaced: gives where they were, and notes where they are. */
  replace(
    session: string,
    names: readonly string[],
    now: ReadonlyMap<string, PartsPointer>,
  ): PartsPointer[] {
    const known = this.#known.get(session);
    const old = names.flatMap((name) => known?.get(name) ?? []);
    for (const name of names) known?.delete(name);
    for (const [name, pointer] of now) this.remember(session, name, pointer);
    return old;
  }

  /** Deletes parts that nothing points to. */
  async removeAll(
    session: string,
    pointers: readonly PartsPointer[],
  ): Promise<void> {
    for (const { at, count } of pointers) {
      for (let index = 0; index < count; index++) {
        await this.#kv.delete(partKey(session, at, index));
      }
    }
  }

  /** The session is being deleted: nothing of it will be replaced. */
  forget(session: string): void {
    this.#known.delete(session);
  }
}
