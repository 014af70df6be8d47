/**
 * Damages a provider's stream at random: its events, the JSON in them, its bytes.
 *
 * @module
 */

import type { Json } from "../../src/json.ts";
import { mutated } from "../support/mutation.ts";

/** One server-sent event: its name, and its data as text. */
export type SentEvent = { readonly type: string; readonly line: string };

/** What was damaged: the order of whole events, or what they hold too. */
export type Damage = "events" | "contents";

/** A damaged stream. */
export type Mutant = { readonly bytes: Uint8Array; readonly damage: Damage };

const foreign: readonly SentEvent[] = [
  { type: "ping", line: '{"type":"ping"}' },
  { type: "response.future.delta", line: '{"type":"response.future.delta"}' },
  { type: "message", line: "[DONE]" },
  { type: "", line: '{"type":"toString"}' },
  { type: "__proto__", line: '{"type":"__proto__","index":0}' },
  { type: "error", line: "{}" },
  {
    type: "error",
    line: '{"type":"error","error":{"type":"overloaded_error","message":"x"}}',
  },
];

const numbers: readonly string[] = [
  "1e400",
  "-1",
  "1e21",
  "9007199254740993",
  "0.5",
  "-0",
  '"0"',
  "null",
];

/** A damaged copy of the stream of these events. */
export function mutant(
  events: readonly SentEvent[],
  random: () => number,
): Mutant {
  let sent = [...events];
  let damage: Damage = "events";
  for (let count = 1 + below(3, random); count > 0; count--) {
    if (random() < 0.5) sent = reordered(sent, random);
    else {
      sent = withContents(sent, random);
      damage = "contents";
    }
  }
  const bytes = new TextEncoder().encode(sent.map(written).join(""));
  if (random() < 0.7) return { bytes, damage };
  return { bytes: damagedBytes(bytes, random), damage: "contents" };
}

function written({ type, line }: SentEvent): string {
  return `${type === "" ? "" : `event: ${type}\n`}data: ${line}\n\n`;
}

/** Events dropped, doubled, swapped, moved, cut off, put in. */
function reordered(
  events: readonly SentEvent[],
  random: () => number,
): SentEvent[] {
  const at = below(events.length, random);
  const other = below(events.length, random);
  const copy = [...events];
  switch (below(7, random)) {
    case 0:
      copy.splice(at, 1 + below(3, random));
      return copy;
    case 1:
      copy.splice(at, 0, ...copy.slice(at, at + 1 + below(4, random)));
      return copy;
    case 2: {
      const [moved] = copy.splice(at, 1);
      if (moved !== undefined) copy.splice(other, 0, moved);
      return copy;
    }
    case 3:
      return copy.slice(0, at);
    case 4:
      return [...copy, ...copy.slice(at)];
    case 5:
      copy.splice(at, 0, pick(foreign, random));
      return copy;
    default:
      return [...copy.slice(at), ...copy.slice(0, at)];
  }
}

/** The JSON of one event changed: a value, a number, its depth, its name. */
function withContents(
  events: readonly SentEvent[],
  random: () => number,
): SentEvent[] {
  const at = below(events.length, random);
  return events.map((event, index) =>
    index === at ? changed(event, random) : event
  );
}

function changed(event: SentEvent, random: () => number): SentEvent {
  const { type, line } = event;
  switch (below(6, random)) {
    case 0:
      return { type, line: withNumber(line, random) };
    case 1:
      return { type, line: deeper(line, 500 + below(2_000, random)) };
    case 2:
      return { type: pick(foreign, random).type, line };
    case 3:
      return { type, line: line.slice(0, below(line.length, random)) };
    default:
      return { type, line: mutatedJson(line, random) };
  }
}

function mutatedJson(line: string, random: () => number): string {
  try {
    const value: Json = JSON.parse(line);
    return JSON.stringify(mutated(value, random));
  } catch {
    return `${line}}`;
  }
}

/** One number of the text is another, or none. */
function withNumber(line: string, random: () => number): string {
  const places = [...line.matchAll(/(?<=[:,[])-?\d+(?:\.\d+)?(?=[,}\]])/g)];
  if (places.length === 0) return line;
  const { 0: number, index } = pick(places, random);
  return line.slice(0, index) + pick(numbers, random) +
    line.slice(index + number.length);
}

/** One text of the JSON is an array of so many levels. */
function deeper(line: string, levels: number): string {
  return line.replace(
    /"(?:delta|text|arguments|partial_json|id)":"[^"]*"/,
    (member) =>
      `${member.split(":")[0]}:${"[".repeat(levels)}${"]".repeat(levels)}`,
  );
}

function damagedBytes(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = below(copy.length, random);
  switch (below(5, random)) {
    case 0:
      return copy.slice(0, at);
    case 1:
      return Uint8Array.from([...copy.slice(0, at), 255, 254, 10]);
    case 2:
      return Uint8Array.from([...copy, ...copy.slice(at, at + 200)]);
    case 3:
      return new TextEncoder().encode(
        "\ufeff" + new TextDecoder().decode(copy).replaceAll("\n", "\r\n"),
      );
    default:
      for (let count = 1 + below(8, random); count > 0; count--) {
        copy[below(copy.length, random)] = below(256, random);
      }
      return copy;
  }
}

function below(limit: number, random: () => number): number {
  return Math.floor(random() * limit);
}

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[below(list.length, random)];
  if (item === undefined) throw new Error("an empty list");
  return item;
}
