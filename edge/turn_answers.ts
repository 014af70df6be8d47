/**
 * A turn as an answer: its events as they come, or one document at its end.
 *
 * Before it on the path: `session_routes.ts`, which has found or started the
 * turn. After it: `session/sessions.ts`.
 *
 * @module
 */

import type { Context } from "hono";
import { type Clock, pause } from "../src/ambient.ts";
import { pacedStream } from "./paced_stream.ts";
import {
  problemDocument,
  ProblemError,
  problemResponse,
  toProblem,
} from "./problem.ts";
import type { TurnState } from "./session/reading.ts";
import type { Sessions } from "./session/sessions.ts";
import { eventFrames, keepAlive } from "./sse.ts";

/** What answers work with. */
export type TurnAnswerParts = {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly keepAliveMs: number;
};

/** Which turn is answered with, and how. */
export type Wanted = {
  readonly session: string;
  readonly turn: string;
  /** The number of the last event that the client has, or 0. */
  readonly after: number;
  /** The client left before the end. */
  readonly onLeave: () => void;
};

/** A turn as the API tells it. */
export function turnDocument(session: string, turn: TurnState) {
  return {
    ...turn,
    session,
    state: turn.end === undefined ? "running" : "ended",
  };
}

/** A turn that is there. */
export async function existing(
  sessions: Sessions,
  session: string,
  turn: string,
): Promise<TurnState> {
  const state = await sessions.turn(session, turn);
  if (state === undefined) throw notFound("turn");
  return state;
}

/** There is no such thing. */
export function notFound(what: string): ProblemError {
  return new ProblemError("not_found", { detail: `There is no such ${what}` });
}

/**
 * The turn's events, as they come. A HEAD request follows nothing: its answer
 * has no body that could end, and so would never be done.
 */
export function streamEvents(
  { sessions, clock, keepAliveMs }: TurnAnswerParts,
  c: Context,
  { session, turn, after, onLeave }: Wanted,
): Response {
  c.header("content-type", "text/event-stream; charset=utf-8");
  c.header("cache-control", "no-store");
  // Some proxies collect a response before they pass it on, unless told.
  c.header("x-accel-buffering", "no");
  if (c.req.method === "HEAD") return c.body(null);
  const reading = new AbortController();
  return c.body(pacedStream({
    pieces: eventFrames(sessions.events(session, turn, after, reading.signal)),
    filler: keepAlive,
    clock,
    keepAliveMs,
    signal: c.req.raw.signal,
    onLeave: () => {
      reading.abort();
      onLeave();
    },
  }));
}

/**
 * Gives the turn at its end as one document. A client that has to wait for long
 * gets blanks before it, which JSON allows: so that the connection is not taken
 * for dead, and a client that leaves is noticed where no signal tells of it.
 */
export async function awaitTurn(
  parts: TurnAnswerParts,
  c: Context,
  { session, turn, onLeave }: Wanted,
): Promise<Response> {
  const { clock, keepAliveMs } = parts;
  const { signal } = c.req.raw;
  const answer = turnAtEnd(parts, c, { session, turn });
  signal.addEventListener("abort", onLeave, { once: true });
  if (signal.aborted) onLeave();
  const waited = new AbortController();
  const settled = answer.finally(() => waited.abort());
  await Promise.race([settled, pause(clock, keepAliveMs, waited.signal)]);
  signal.removeEventListener("abort", onLeave);
  // Also where the client left: the turn is being cancelled, and ends soon.
  if (waited.signal.aborted || signal.aborted) return await answer;
  c.header("content-type", "application/json");
  return c.body(pacedStream({
    pieces: bodyOf(answer),
    filler: "\n",
    clock,
    keepAliveMs,
    signal,
    onLeave,
  }));
}

/** The body of an answer that may come after its status was sent. */
async function* bodyOf(
  answer: Promise<Response>,
): AsyncGenerator<string, void, undefined> {
  try {
    yield await (await answer).text();
  } catch (error) {
    const { code, details } = toProblem(error);
    yield JSON.stringify(problemDocument(code, details));
  }
}

async function turnAtEnd(
  { sessions }: TurnAnswerParts,
  c: Context,
  { session, turn }: Pick<Wanted, "session" | "turn">,
): Promise<Response> {
  const reading = new AbortController();
  for await (const _event of sessions.events(session, turn, 0, reading.signal));
  const state = await existing(sessions, session, turn);
  const { end } = state;
  const failed = end?.stopReason === "failed";
  if (!failed && end?.stopReason !== "interrupted") {
    return c.json(turnDocument(session, state));
  }
  return problemResponse(failed ? "provider_failed" : "turn_interrupted", {
    turn,
    ...(end?.failure === undefined ? {} : {
      detail: end.failure.message,
      failure: { ...end.failure },
    }),
  }, { location: c.res.headers.get("location") ?? "" });
}
