/**
 * A client of the HTTP API, over a running server or over `app.request`.
 *
 * @module
 */

import { EventSourceParserStream } from "eventsource-parser/stream";

/** Sends a request; `path` begins with `/`. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** An event as it came. */
export type SeenEvent = {
  readonly id: string | undefined;
  readonly type: string | undefined;
  // deno-lint-ignore no-explicit-any -- tests look into events freely
  readonly data: any;
};

/** The token of all test servers. */
export const token = "test-token-0123456789";

/** Headers of a request with a JSON body. */
export const headers = {
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
};

/** Starts a turn. */
export function postTurn(
  send: Send,
  session: string,
  input: string,
  { signal, ...more }: { signal?: AbortSignal; [header: string]: unknown } = {},
): Promise<Response> {
  const extra = Object.entries(more).map(([name, value]) => [name, `${value}`]);
  return send(`/sessions/${session}/turns`, {
    method: "POST",
    headers: { ...headers, ...Object.fromEntries(extra) },
    body: JSON.stringify({ input }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Reads a resource as JSON. */
// deno-lint-ignore no-explicit-any -- tests look into documents freely
export async function getJson(send: Send, path: string): Promise<any> {
  const response = await send(path, { headers });
  return await response.json();
}

/** The events of a stream, as they come. */
export async function* eventsOf(
  response: Response,
): AsyncGenerator<SeenEvent, void, undefined> {
  if (response.body === null) return;
  const messages = response.body.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream());
  for await (const { id, event, data } of messages) {
    yield { id, type: event, data: JSON.parse(data) };
  }
}

/** All events of a stream. */
export async function allEvents(response: Response): Promise<SeenEvent[]> {
  return await Array.fromAsync(eventsOf(response));
}

/** Reads on until an event fits, and leaves the stream open; gives that event. */
export async function readUntil(
  events: AsyncGenerator<SeenEvent, void, undefined>,
  fits: (event: SeenEvent) => boolean,
): Promise<SeenEvent> {
  for (;;) {
    const { value } = await events.next();
    if (value === undefined) throw new Error("The stream ended before");
    if (fits(value)) return value;
  }
}
