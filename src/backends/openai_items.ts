/**
 * The items of an OpenAI Responses output, put together from the events that
 * tell of them.
 *
 * Servers differ in what they send: item ids that change between events,
 * arguments only in the last event, items only in the terminal one, events
 * without a place in the output. Later events outrank earlier ones: the finished
 * item, then `…arguments.done`, then the deltas.
 *
 * @module
 */

import type { JsonObject } from "../json.ts";
import { countField, objectField, textField } from "./fields.ts";

/** One item of the output, as far as the stream has told. */
export type Slot = {
  /** Its place in the output, where that was told. */
  place: number | undefined;
  item: JsonObject;
  done: boolean;
  deltas: string;
  finalArguments: string | undefined;
  toldText: boolean;
};

const callTypes: ReadonlySet<unknown> = new Set([
  "function_call",
  "custom_tool_call",
]);

/** Whether an item is a call of one of our tools. */
export function isCall(item: JsonObject): boolean {
  return callTypes.has(item.type);
}

/** The id of a call; empty where it has none. */
export function callIdOf(item: JsonObject): string {
  return textField(item, "call_id") ?? textField(item, "id") ?? "";
}

/** The arguments of a call, or the input of a freeform one. */
export function argumentsOf({ item, ...slot }: Slot): string {
  const own = ownArguments(item);
  if (slot.done && own !== undefined) return own;
  return slot.finalArguments ?? (slot.deltas || (own ?? ""));
}

/** The output's items, as the events tell them. */
export class OutputItems {
  readonly #slots: Slot[] = [];
  readonly #byPlace = new Map<number, Slot>();
  readonly #byId = new Map<string, Slot>();

  /** All so far, in the order in which they came. */
  get all(): readonly Slot[] {
    return this.#slots;
  }

  /** The item that an event adds to. */
  find(data: JsonObject): Slot | undefined {
    const at = this.#byPlace.get(countField(data, "output_index") ?? -1);
    return at ?? this.#byId.get(textField(data, "item_id") ?? "");
  }

  /** Takes an item from an event that starts or finishes it. */
  take(data: JsonObject, done: boolean): Slot {
    const item = objectField(data, "item");
    const place = countField(data, "output_index");
    const known = this.#known(item, place);
    const slot = known ?? this.#add(item, place);
    if (done) slot.item = item;
    slot.done ||= done;
    this.#name(slot, item);
    return slot;
  }

  /**
   * The items in order, with those that only the terminal event holds. One that
   * never finished counts only where the answer was `cut`, where the terminal
   * event holds it, or where it is a call, which must not be lost.
   */
  settle(final: readonly JsonObject[], cut: boolean): Slot[] {
    const left = new Map(final.entries());
    const slots = this.#slots.map((slot) => {
      const found = matching(slot, left);
      if (found === undefined) return slot;
      left.delete(found.place);
      return slot.done
        ? { ...slot, place: slot.place ?? found.place }
        : completed(slot, found);
    });
    const late = [...left].map(([place, item]) => finished(item, place));
    const kept = slots.filter(({ done, item }) => done || cut || isCall(item));
    return [...kept, ...late].sort((one, other) =>
      (one.place ?? Infinity) - (other.place ?? Infinity) || 0
    );
  }

  #known(item: JsonObject, place: number | undefined): Slot | undefined {
    const known = place === undefined
      ? this.#byId.get(textField(item, "id") ?? "") ??
        this.#byId.get(textField(item, "call_id") ?? "")
      : this.#byPlace.get(place);
    // Where every event names the same place, each finished item is one.
    return known?.done && isOther(known.item, item) ? undefined : known;
  }

  #add(item: JsonObject, place: number | undefined): Slot {
    const slot = {
      place,
      item,
      done: false,
      deltas: "",
      finalArguments: undefined,
      toldText: false,
    };
    this.#slots.push(slot);
    if (place !== undefined) this.#byPlace.set(place, slot);
    return slot;
  }

  #name(slot: Slot, item: JsonObject): void {
    for (const id of [textField(item, "id"), textField(item, "call_id")]) {
      if (id !== undefined && id !== "") this.#byId.set(id, slot);
    }
  }
}

type Found = { readonly place: number; readonly item: JsonObject };

/** The item of the terminal event that is the same as a slot's. */
function matching(
  { place, item }: Slot,
  left: ReadonlyMap<number, JsonObject>,
): Found | undefined {
  const alike = [...left].filter(([, other]) => other.type === item.type);
  const key = isCall(item) ? callIdOf : (one: JsonObject) => one.id;
  const same = alike.find(([, other]) =>
    key(item) !== undefined && key(item) !== "" && key(other) === key(item)
  );
  const there = alike.find(([at]) => at === place);
  // Ids that changed on the way: of messages and the like, any is the same.
  const other = isCall(item) ? undefined : alike[0];
  const [at, found] = same ?? there ?? other ?? [];
  return at === undefined || found === undefined
    ? undefined
    : { place: at, item: found };
}

function completed(slot: Slot, { item, place }: Found): Slot {
  const told = ownArguments(item) || slot.finalArguments;
  return { ...slot, item, place, done: true, finalArguments: told };
}

function finished(item: JsonObject, place: number): Slot {
  return {
    place,
    item,
    done: true,
    deltas: "",
    finalArguments: undefined,
    toldText: false,
  };
}

/** Whether two items of one place are calls with ids that tell them apart. */
function isOther(one: JsonObject, other: JsonObject): boolean {
  if (one.type !== other.type) return true;
  return isCall(one) && callIdOf(one) !== "" && callIdOf(other) !== "" &&
    callIdOf(one) !== callIdOf(other);
}

function ownArguments(item: JsonObject): string | undefined {
  return textField(
    item,
    item.type === "custom_tool_call" ? "input" : "arguments",
  );
}
