/**
 * The routes of one session: they translate requests to turns, and turns back.
 *
 * Before it on the path: `app.ts`, which has let the request through. After it:
 * `turn_answers.ts` and `session/sessions.ts`.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import type { RuntimeOptions } from "../src/runtime_options.ts";
import { newApp } from "./hono.ts";
import { ProblemError } from "./problem.ts";
import {
  awaitTurn,
  existing,
  notFound,
  streamEvents,
  type TurnAnswerParts,
  turnDocument,
} from "./turn_answers.ts";
import {
  prefersAsync,
  prefersJson,
  readId,
  readLastEventId,
  readTurnRequest,
} from "./turn_request.ts";

/** What the routes work with. */
export type SessionRoutesParts<Env extends object> = TurnAnswerParts & {
  readonly options: (env: Env) => RuntimeOptions;
  /** Deletes a session, whose turn is cancelled before. */
  readonly remove: (session: string) => Promise<void>;
  /** Keeps the process running until the promise settles, where that is needed. */
  readonly keepRunning: (work: Promise<void>, env: Env) => void;
};

/** The routes below `/sessions/:session`. */
export function sessionRoutes<Env extends object>(
  parts: SessionRoutesParts<Env>,
): Hono<{ Bindings: Env }> {
  const { sessions } = parts;
  const routes = newApp<Env>();
  routes.use((c, next) => {
    // What users said and tools gave is nobody else's.
    c.header("cache-control", "no-store");
    return next();
  });
  routes.get("/", async (c) => {
    const session = readId("session", c.req.param("session"));
    const state = await sessions.state(session);
    if (state === undefined) throw notFound("session");
    const { head: { createdAt, updatedAt, running }, ...rest } = state;
    const runs = running === undefined ? {} : { running: running.turn };
    return c.json({ id: session, createdAt, updatedAt, ...runs, ...rest });
  });
  routes.delete("/", async (c) => {
    await parts.remove(readId("session", c.req.param("session")));
    return c.body(null, 204);
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
    const state = await existing(sessions, session, turn);
    const document = turnDocument(session, state);
    if (tag === "repeated" && state.end !== undefined) return c.json(document);
    c.header("preference-applied", "respond-async");
    return c.json(document, 202);
  }
  // Who asks again for a turn may be one of several; who started it decides.
  const onLeave = tag === "repeated" ? () => {} : () => {
    const cancelled = sessions.cancel(session, turn, "the client left")
      // There is nobody left to tell. `budget.turnMs` ends the turn all the same.
      .catch(() => {});
    parts.keepRunning(cancelled, c.env);
  };
  const wanted = { session, turn, after: 0, onLeave };
  return prefersJson(c.req.header("accept"))
    ? await awaitTurn(parts, c, wanted)
    : streamEvents(parts, c, wanted);
}

async function cancelTurn<Env extends object>(
  { sessions }: SessionRoutesParts<Env>,
  c: RouteContext<Env>,
): Promise<Response> {
  const { session, turn } = ids(c);
  // Its record alone: to read a long conversation first would keep it running.
  if (await sessions.record(session, turn) === undefined) {
    throw notFound("turn");
  }
  await sessions.cancel(session, turn, "a client asked for it");
  const state = await existing(sessions, session, turn);
  const document = turnDocument(session, state);
  return c.json(document, state.end === undefined ? 202 : 200);
}
