/**
 * The tools of the test agents: each behaves, or misbehaves, in one way.
 *
 * @module
 */

import type { HostTool } from "../../../src/tools/host_tool.ts";

function tool(name: string, properties: Record<string, string>): HostTool {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, type]) => [key, { type }]),
      ),
      required: Object.keys(properties),
      additionalProperties: false,
    },
  };
}

/** Their declarations. */
export const tools: readonly HostTool[] = [
  tool("lookup", { key: "string" }),
  tool("wait", { ms: "number" }),
  tool("fail", { message: "string" }),
  tool("fling", { what: "string" }),
  tool("give", { what: "string" }),
  tool("hang", {}),
  tool("flood", { bytes: "number" }),
  tool("meet", { room: "string", count: "number" }),
  tool("crowd", { room: "string" }),
  tool("most", { room: "string" }),
];

/** Runs a call of one of them. */
export async function runTool(
  name: string,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const { key, ms, message, bytes, what, room, count } = Object(input);
  switch (name) {
    case "lookup":
      return String(key).toUpperCase();
    case "wait":
      await waitFor(Number(ms), signal);
      return "waited";
    case "fail":
      throw new Error(String(message));
    case "fling":
      throw thrown[String(what)];
    case "give":
      return given[String(what)]?.();
    case "hang":
      // Also when it is told to stop.
      return await new Promise(() => {});
    case "flood":
      return "x".repeat(Number(bytes));
    case "meet":
      return await meet(String(room), Number(count));
    case "crowd":
      return await crowd(String(room), signal);
    case "most":
      return rooms.get(String(room))?.most;
    default:
      throw new Error(`There is no tool ${name}`);
  }
}

/** What is thrown that is no proper error. */
const thrown: Readonly<Record<string, unknown>> = {
  words: "plain words",
  nothing: null,
  silence: new TypeError(""),
  secrets:
    "401 for Authorization: Bearer abcdef123456, key test-key-0123456789, https://u:pw12345@host/",
};

/** Results, also those that JSON cannot carry. */
const given: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  empty: () => "",
  bigint: () => ({ at: 10n }),
  cycle: () => {
    const value: Record<string, unknown> = {};
    value.self = value;
    return value;
  },
  nan: () => ({ at: [NaN] }),
  proto: () => JSON.parse('{"__proto__":{"admin":true},"a":1}'),
  lone: () => "a\ud800b",
};

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

type Room = { here: number; most: number; all: PromiseWithResolvers<void> };

/** Where calls of one turn meet; a room's name is used in one turn only. */
const rooms = new Map<string, Room>();

function enter(name: string): Room {
  const room = rooms.get(name) ??
    { here: 0, most: 0, all: Promise.withResolvers<void>() };
  rooms.set(name, room);
  room.here++;
  room.most = Math.max(room.most, room.here);
  return room;
}

/** Settles once `count` calls are in the room: only if they run at once. */
async function meet(name: string, count: number): Promise<string> {
  const room = enter(name);
  if (room.here >= count) room.all.resolve();
  await room.all.promise;
  return "met";
}

/** Stays a moment in a room that counts who is there. */
async function crowd(name: string, signal: AbortSignal): Promise<null> {
  const room = enter(name);
  await waitFor(20, signal);
  room.here--;
  return null;
}
