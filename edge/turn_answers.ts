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
import type { Tell } from "./operator.ts";
import { pacedStream } from "./paced_stream.ts";
import { problemDocument, ProblemError } from "./problem.ts";
import type { NumberedEvent } from "./session/batches.ts";
import type { TurnState } from "./session/reading.ts";
import type { Sessions } from "./session/sessions.ts";
import { eventFrames, keepAlive } from "./sse.ts";

/** What answers work with. */
export type TurnAnswerParts = {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly keepAliveMs: number;
  /** Tells the operator of what fails after the status was sent. */
  readonly tell: Tell;
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
  { sessions, clock, keepAliveMs, tell }: TurnAnswerParts,
  c: Context,
  { session, turn, after, onLeave }: Wanted,
): Response {
  c.header("content-type", "text/event-stream; charset=utf-8");
  // Some proxies collect a response before they pass it on, unless told.
  c.header("x-accel-buffering", "no");
  if (c.req.method === "HEAD") return c.body(null);
  const reading = new AbortController();
  const events = sessions.events(session, turn, after, reading.signal);
  return c.body(pacedStream({
    pieces: eventFrames(told(events, (error) => tell(error, c))),
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

/** The events; what breaks them off is told. */
async function* told(
  events: AsyncGenerator<NumberedEvent, void, undefined>,
  tell: (error: unknown) => void,
): AsyncGenerator<NumberedEvent, void, undefined> {
  try {
    yield* events;
  } catch (error) {
    tell(error);
    throw error;
  }
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
  const ended = turnAtEnd(parts.sessions, session, turn);
  signal.addEventListener("abort", onLeave, { once: true });
  if (signal.aborted) onLeave();
  const waited = new AbortController();
  const settled = ended.finally(() => waited.abort());
  await Promise.race([settled, pause(clock, keepAliveMs, waited.signal)])
    .finally(() => signal.removeEventListener("abort", onLeave));
  // Also where the client left: the turn is being cancelled, and ends soon.
  if (waited.signal.aborted || signal.aborted) {
    const state = await ended;
    const location = c.res.headers.get("location") ?? "";
    throwIfFailed(state, location);
    return c.json(turnDocument(session, state));
  }
  c.header("content-type", "application/json");
  return c.body(pacedStream({
    pieces: lateDocument(parts, c, session, ended),
    filler: "\n",
    clock,
    keepAliveMs,
    signal,
    onLeave,
  }));
}

/**
 * The body of an answer whose status was sent before. A turn that failed is told
 * as what it is, a turn; only where it cannot be read a problem takes its place.
 */
async function* lateDocument(
  { tell }: TurnAnswerParts,
  c: Context,
  session: string,
  ended: Promise<TurnState>,
): AsyncGenerator<string, void, undefined> {
  try {
    yield JSON.stringify(turnDocument(session, await ended));
  } catch (error) {
    const { code, details } = tell(error, c);
    yield JSON.stringify(problemDocument(code, details));
  }
}

async function turnAtEnd(
  sessions: Sessions,
  session: string,
  turn: string,
): Promise<TurnState> {
  const reading = new AbortController();
  for await (const _event of sessions.events(session, turn, 0, reading.signal));
  return await existing(sessions, session, turn);
}

/** @throws {ProblemError} The turn failed, or was interrupted. */
function throwIfFailed({ id, end }: TurnState, location: string): void {
  const failed = end?.stopReason === "failed";
  if (!failed && end?.stopReason !== "interrupted") return;
  throw new ProblemError(failed ? "provider_failed" : "turn_interrupted", {
    turn: id,
    ...(end?.failure === undefined ? {} : {
      detail: end.failure.message,
      failure: { ...end.failure },
    }),
  }, { location });
}
