/**
 * The conversation as it is stored while a turn runs: knows what the turn can
 * change, and gives what of it must be written.
 *
 * What was said before the turn stays as it is, so a commit costs what the turn
 * does, however long the conversation is.
 *
 * @module
 */

import type { HistoryItem } from "../../src/history.ts";
import type { AgentSnapshot } from "../../src/snapshot.ts";
import { byteLength } from "../../src/text.ts";
import { names } from "./documents.ts";
import { receiptPages } from "./receipt_pages.ts";
import { splitOutputs } from "./step_outputs.ts";

/** What must be written and deleted. */
export type ConversationChange = {
  readonly set: Map<string, string>;
  readonly remove: string[];
};

/** What a conversation consists of, but for what never changes. */
export type Contents = Pick<AgentSnapshot, "history" | "receipts" | "stored">;

/**
 * A document: the objects that its text was made of, which are replaced, never
 * changed, and the text's size.
 */
type Known = { readonly of: readonly object[]; readonly bytes: number };

/** The conversation of a session as it is stored. */
export class StoredConversation {
  readonly #turn: number;
  /** The index of the first item of the history that can still change. */
  readonly #from: number;
  #known: ReadonlyMap<string, Known> = new Map();
  #bytes = 0;

  /**
   * @param turn The number of the turn that changes it.
   * @param stored It before that turn, without the receipts of other turns. Its
   * objects are what later contents consist of where they stayed the same.
   * @param bytes How large its documents are together.
   */
  constructor(turn: number, stored: Contents, bytes: number) {
    this.#turn = turn;
    this.#from = firstThatCanChange(stored.history);
    this.update(stored);
    this.#bytes = bytes;
  }

  /** How large its documents are together, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the contents for stored, and gives what must be written for that. */
  update(contents: Contents): ConversationChange {
    const set = new Map<string, string>();
    const known = new Map<string, Known>();
    for (const [name, value] of this.#documents(contents)) {
      const before = this.#known.get(name);
      if (before !== undefined && sameItems(before.of, value.of)) {
        known.set(name, before);
        continue;
      }
      const text = JSON.stringify(value.json);
      const bytes = byteLength(text);
      this.#bytes += bytes - (before?.bytes ?? 0);
      known.set(name, { of: value.of, bytes });
      set.set(name, text);
    }
    const remove: string[] = [];
    for (const [name, { bytes }] of this.#known) {
      if (known.has(name)) continue;
      this.#bytes -= bytes;
      remove.push(name);
    }
    this.#known = known;
    return { set, remove };
  }

  *#documents(
    { history, receipts, stored }: Contents,
  ): Generator<[string, { of: readonly object[]; json: unknown }]> {
    for (let index = this.#from; index < history.length; index++) {
      const item = history[index];
      if (item === undefined) continue;
      const split = splitOutputs(item);
      yield [names.item(index), { of: [item], json: split.item }];
      for (const [call, output] of split.outputs) {
        yield [names.output(index, call), { of: [output], json: output }];
      }
    }
    for (const [first, page] of receiptPages(receipts)) {
      yield [names.page(this.#turn, first), { of: page, json: page }];
    }
    if (Object.keys(stored).length > 0) {
      yield [names.stored, { of: [stored], json: stored }];
    }
  }
}

/**
 * The index of the first item that a turn can change which begins after these: the
 * last one, as calls that it left open are answered then.
 */
export function firstThatCanChange(history: readonly HistoryItem[]): number {
  return Math.max(0, history.length - 1);
}

function sameItems(one: readonly object[], other: readonly object[]): boolean {
  return one.length === other.length &&
    one.every((item, index) => item === other[index]);
}
