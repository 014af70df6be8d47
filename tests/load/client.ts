/**
 * Clients of a load run: each starts one turn, behaves in its manner, and tells
 * what it saw.
 *
 * @module
 */

import {
  allEvents,
  eventsOf,
  headers,
  postTurn,
  type SeenEvent,
  type Send,
} from "../edge/client.ts";
import type { ClientManner } from "./plan.ts";

/** What a client saw. */
export type Seen = {
  /** The turn's path. */
  readonly path: string;
  /** From the request to the first event, and to the end, in milliseconds. */
  readonly firstMs: number | undefined;
  readonly endMs: number | undefined;
  readonly events: number;
};

/**
 * Starts a turn.
 *
 * @param send Sends to its agent.
 * @param session Its session.
 * @param input What the user says.
 * @param manner What the client does.
 */
export async function runClient(
  send: Send,
  session: string,
  input: string,
  manner: ClientManner,
): Promise<Seen> {
  const start = performance.now();
  const leave = new AbortController();
  const response = await postTurn(send, session, input, {
    ...(manner === "waits" ? { accept: "application/json" } : {}),
    ...(manner === "returns" ? { prefer: "respond-async" } : {}),
    ...(manner === "leaves" ? { signal: leave.signal } : {}),
  });
  const path = pathOf(response);
  const since = () => performance.now() - start;
  switch (manner) {
    case "waits": {
      await response.text();
      return { path, firstMs: since(), endMs: since(), events: 0 };
    }
    case "returns": {
      await response.body?.cancel();
      const firstMs = since();
      const events = await allEvents(await send(`${path}/events`, { headers }));
      return { path, firstMs, endMs: since(), events: events.length };
    }
    case "leaves": {
      await firstCall(eventsOf(response));
      leave.abort();
      return { path, firstMs: undefined, endMs: undefined, events: 0 };
    }
    case "reads": {
      let firstMs: number | undefined;
      let events = 0;
      for await (const _event of eventsOf(response)) {
        firstMs ??= since();
        events++;
      }
      return { path, firstMs, endMs: since(), events };
    }
  }
}

/** The turn's path below its agent. */
function pathOf(response: Response): string {
  const location = response.headers.get("location");
  const path = /\/sessions\/.*$/.exec(location ?? "")?.[0];
  if (path !== undefined) return path;
  throw new Error(`The turn was not started: ${response.status}`);
}

async function firstCall(events: AsyncIterable<SeenEvent>): Promise<void> {
  for await (const { type } of events) {
    if (type === "tool_started" || type === "end") return;
  }
}
