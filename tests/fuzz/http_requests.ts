/**
 * Random requests to the HTTP API: sound ones, and sound ones that were damaged.
 *
 * @module
 */

import type { Json } from "../../src/json.ts";
import { token } from "../edge/client.ts";
import { mutated } from "../support/mutation.ts";

const methods = ["GET", "POST", "DELETE", "HEAD", "OPTIONS", "PUT", "PATCH"];

const paths = [
  "/",
  "/health",
  "/openapi.json",
  "/tools",
  "/page/agent.json",
  "/page/style.css",
  "/sessions",
  "/sessions/s1",
  "/sessions/s1/turns",
  "/sessions/s1/turns/turn_1",
  "/sessions/s1/turns/turn_1/events",
  "/sessions/s1/turns/turn_1/cancel",
];

const pieces = [
  "%",
  "%zz",
  "%00",
  "%2f",
  "%0d%0a",
  "%ff",
  "..",
  "//",
  "😀",
  "?a=b&a",
  "#x",
  "\\",
  ":session",
  "*",
  "__proto__",
  "constructor",
  "s1",
  "x".repeat(70),
  "y".repeat(9_000),
];

const accepted = [
  "application/json",
  "text/event-stream",
  "*/*;q=0",
  "text/html, application/json;q=0.5",
  ";;,=",
];

const values: Readonly<Record<string, readonly string[]>> = {
  authorization: [
    "",
    "Bearer",
    `bearer ${token}`,
    `Bearer ${token} `,
    `Bearer ${token}=`,
    "Basic YTpi",
    "Bearer é",
  ],
  "content-type": [
    "application/json; charset=utf-8",
    "application/json;",
    "application/jsonx",
    "text/plain",
    "",
    "multipart/form-data",
  ],
  "content-length": ["0", "-1", "9999999999", "x", "1e3"],
  "idempotency-key": ["", "k1", "k 2", "k".repeat(256), "\xff"],
  "last-event-id": ["", "0", "1", "999999999", "-1", "1.5", "x", "99999999999"],
  prefer: ["respond-async", "respond-async;;,=", "wait=1", ""],
  "if-none-match": ["*", '"x"', "W/"],
  origin: ["null", "https://example.com", ""],
  expect: ["100-continue"],
  "x-request-id": ["\t", "a b", "x".repeat(500), "\xff"],
  "x-http-method-override": ["DELETE"],
};

/** A request as it is sent. */
export type SentRequest = { readonly path: string; readonly init: RequestInit };

/** A random request. */
export function randomRequest(random: () => number): SentRequest {
  const turn = random() < 0.6;
  const method = turn ? "POST" : pick(methods, random);
  const headers = new Headers({
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: pick(accepted, random),
  });
  for (const [name, list] of Object.entries(values)) {
    if (random() < 0.08) headers.set(name, pick(list, random));
    if (random() < 0.02) headers.delete(name);
  }
  const bodiless = method === "GET" || method === "HEAD";
  return {
    path: turn && random() < 0.8
      ? "/sessions/s1/turns"
      : randomPath(pick(paths, random), random),
    init: { method, headers, ...(bodiless ? {} : { body: body(random) }) },
  };
}

function randomPath(path: string, random: () => number): string {
  let damaged = path;
  while (random() < 0.4) {
    const segments = damaged.split("/");
    segments[1 + Math.floor(random() * segments.length)] = pick(pieces, random);
    damaged = segments.map((segment) => segment ?? "").join("/");
  }
  return damaged;
}

function body(random: () => number): Uint8Array<ArrayBuffer> | string {
  const sound: Json = { input: pick(["Hello", "é😀", "a".repeat(99)], random) };
  switch (Math.floor(random() * 7)) {
    case 0:
      return damagedBytes(JSON.stringify(sound), random);
    case 1:
      return Uint8Array.from(
        { length: Math.floor(random() * 64) },
        () => Math.floor(random() * 256),
      );
    case 2:
      return `{"input":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    case 3:
      return JSON.stringify({ input: "x".repeat(2_000) });
    case 4:
      return JSON.stringify(sound);
    case 5:
      return `${JSON.stringify(sound)}${pick(["", " ", "x", "{}"], random)}`;
    default:
      return JSON.stringify(mutated(sound, random));
  }
}

function damagedBytes(
  text: string,
  random: () => number,
): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(new TextEncoder().encode(text));
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  }
  return bytes;
}

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error("an empty list");
  return item;
}
