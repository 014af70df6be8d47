/**
 * The routes of one session: they translate requests to turns, and turns back.
 *
 * Before it on the path: `app.ts`, which has let the request through. After it:
 * `session/sessions.ts`.
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import { type Clock, pause } from "../src/ambient.ts";
import type { RuntimeOptions } from "../src/runtime_options.ts";
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
import {
  prefersAsync,
  readId,
  readLastEventId,
  readTurnRequest,
} from "./turn_request.ts";

/** What the routes work with. */
export type SessionRoutesParts<Env extends object> = {
  readonly sessions: Sessions;
  readonly options: (env: Env) => RuntimeOptions;
  readonly clock: Clock;
  readonly keepAliveMs: number;
  /** Keeps the process running until the promise settles, where that is needed. */
  readonly keepRunning: (work: Promise<void>, env: Env) => void;
};

/** The routes below `/sessions/:session`. */
export function sessionRoutes<Env extends object>(
  parts: SessionRoutesParts<Env>,
): Hono<{ Bindings: Env }> {
  const { sessions } = parts;
  const routes = new Hono<{ Bindings: Env }>();
  routes.get("/", async (c) => {
    const session = readId("session", c.req.param("session"));
    const state = await sessions.state(session);
    if (state === undefined) throw notFound("session");
    const { head: { createdAt, updatedAt, running }, ...rest } = state;
    const runs = running === undefined ? {} : { running: running.turn };
    return c.json({ id: session, createdAt, updatedAt, ...runs, ...rest });
  });
  routes.post("/turns", (c) => startTurn(parts, c));
  routes.get("/turns/:turn", async (c) => {
    const { session, turn } = ids(c);
    return c.json(
      turnDocument(session, await existing(sessions, session, turn)),
    );
  });
  routes.get("/turns/:turn/events", async (c) => {
    const { session, turn } = ids(c);
    const after = readLastEventId(c.req.header("last-event-id"));
    const record = await sessions.record(session, turn);
    if (record === undefined) throw notFound("turn");
    // Tells an EventSource not to come again: it has everything.
    if (after >= (record.lastEvent ?? Infinity)) return c.body(null, 204);
    return streamEvents(parts, c, { session, turn, after, onLeave: () => {} });
  });
  routes.delete("/turns/:turn", (c) => cancelTurn(parts, c));
  routes.post("/turns/:turn/cancel", (c) => cancelTurn(parts, c));
  return routes;
}

type RouteContext<Env extends object> = Context<{ Bindings: Env }>;

function ids<Env extends object>(c: RouteContext<Env>) {
  return {
    session: readId("session", c.req.param("session")),
    turn: readId("turn", c.req.param("turn")),
  };
}

function notFound(what: string): ProblemError {
  return new ProblemError("not_found", { detail: `There is no such ${what}` });
}

async function existing(
  sessions: Sessions,
  session: string,
  turn: string,
): Promise<TurnState> {
  const state = await sessions.turn(session, turn);
  if (state === undefined) throw notFound("turn");
  return state;
}

function turnDocument(session: string, turn: TurnState) {
  return {
    ...turn,
    session,
    state: turn.end === undefined ? "running" : "ended",
  };
}

async function startTurn<Env extends object>(
  parts: SessionRoutesParts<Env>,
  c: RouteContext<Env>,
): Promise<Response> {
  const session = readId("session", c.req.param("session"));
  const request = await readTurnRequest(c.req.raw);
  const { sessions, options } = parts;
  const started = await sessions.start(session, request, options(c.env));
  const { tag, turn } = started;
  const location = `${c.req.path.replace(/\/+$/, "")}/${turn}`;
  if (tag === "busy" || tag === "key_taken") {
    throw new ProblemError(tag === "busy" ? "turn_running" : "key_taken", {
      detail: tag === "busy"
        ? "Wait for its end, or cancel it"
        : "Use a new key for a new request",
      turn,
    }, { location });
  }
  c.header("location", location);
  if (tag === "started") parts.keepRunning(started.finished, c.env);
  if (prefersAsync(c.req.header("prefer"))) {
    c.header("preference-applied", "respond-async");
    return c.json(
      turnDocument(session, await existing(sessions, session, turn)),
      202,
    );
  }
  // Who asks again for a turn may be one of several; who started it decides.
  const onLeave = tag === "repeated" ? () => {} : () => {
    const cancelled = sessions.cancel(session, turn, "the client left")
      // There is nobody left to tell. `budget.turnMs` ends the turn all the same.
      .catch(() => {});
    parts.keepRunning(cancelled, c.env);
  };
  const type = accepts(c, {
    header: "Accept",
    supports: ["text/event-stream", "application/json"],
    default: "text/event-stream",
  });
  const wanted = { session, turn, after: 0, onLeave };
  return type === "application/json"
    ? await awaitTurn(parts, c, wanted)
    : streamEvents(parts, c, wanted);
}

async function cancelTurn<Env extends object>(
  { sessions }: SessionRoutesParts<Env>,
  c: RouteContext<Env>,
): Promise<Response> {
  const { session, turn } = ids(c);
  await existing(sessions, session, turn);
  await sessions.cancel(session, turn, "a client asked for it");
  const state = await existing(sessions, session, turn);
  const document = turnDocument(session, state);
  return c.json(document, state.end === undefined ? 202 : 200);
}

type Wanted = {
  readonly session: string;
  readonly turn: string;
  readonly after: number;
  readonly onLeave: () => void;
};

function streamEvents<Env extends object>(
  { sessions, clock, keepAliveMs }: SessionRoutesParts<Env>,
  c: RouteContext<Env>,
  { session, turn, after, onLeave }: Wanted,
): Response {
  const reading = new AbortController();
  c.header("content-type", "text/event-stream; charset=utf-8");
  c.header("cache-control", "no-store");
  // Some proxies collect a response before they pass it on, unless told.
  c.header("x-accel-buffering", "no");
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
async function awaitTurn<Env extends object>(
  parts: SessionRoutesParts<Env>,
  c: RouteContext<Env>,
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

async function turnAtEnd<Env extends object>(
  { sessions }: SessionRoutesParts<Env>,
  c: RouteContext<Env>,
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
