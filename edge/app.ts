/**
 * The HTTP API: a Hono app that translates requests to turns and back. It can
 * be served as it is, or stand inside a bigger app through `app.route(path, …)`.
 *
 * @module
 */

import type { Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import { routePath } from "hono/route";
import { type Clock, systemAmbient } from "../src/ambient.ts";
import type { AgentConfiguration } from "../src/configuration.ts";
import { configurationFailure } from "../src/failure.ts";
import type { RuntimeOptions } from "../src/runtime_options.ts";
import { surfacesOf } from "../src/surface_tools.ts";
import { createToolSet } from "../src/tools/tool_set.ts";
import { authentication, type AuthOf } from "./auth.ts";
import { bodyWithin } from "./body.ts";
import { headAnswers } from "./head_answers.ts";
import { newApp } from "./hono.ts";
import { openApiDocument } from "./openapi.ts";
import { pageRoutes } from "./page/routes.ts";
import { type OnError, problemAnswers, tellBy } from "./operator.ts";
import {
  apiChecks,
  checkParts,
  type FieldCheck,
  sessionProblems,
} from "./parts_check.ts";
import { problemResponse } from "./problem.ts";
import { requestIds } from "./request_id.ts";
import { securityHeaders } from "./security_headers.ts";
import { removeSession } from "./session_removal.ts";
import { sessionRoutes } from "./session_routes.ts";
import { defaultLimits } from "./session/limits.ts";
import { Sessions } from "./session/sessions.ts";
import type { SessionStore } from "./store.ts";
import { readId } from "./turn_request.ts";

/** Where the sessions are. */
export type SessionBackend<Env extends object> =
  /** In this store: this process runs the turns that it is asked for. */
  | {
    readonly store: SessionStore;
    /** Keeps the process running until the promise settles. */
    readonly keepRunning?: (work: Promise<void>, env: Env) => void;
  }
  /** Elsewhere: requests for a session are handed on, as they came. */
  | {
    readonly forward: (
      request: Request,
      session: string,
      env: Env,
    ) => Promise<Response>;
  };

/** What an app is made of. `Env` is what the platform hands to each request. */
export type AppParts<Env extends object> = {
  /** The agent of all sessions. */
  readonly config: AgentConfiguration;
  /** What the agent lives on; called for each turn. */
  readonly options: (env: Env) => RuntimeOptions;
  readonly sessions: SessionBackend<Env>;
  /** Who may use the API; called for each request. */
  readonly auth: AuthOf<Env>;
  /** Prompts that the page suggests; none without them. */
  readonly suggestions?: readonly string[];
  /** Tells the operator how to set a token, where none is. */
  readonly howToSetToken?: string;
  /** The largest body, in bytes; 1 MiB without it. */
  readonly bodyBytes?: number;
  /** How many turns a session takes; 1,000 without it. */
  readonly sessionTurns?: number;
  /**
   * How many bytes of history and receipts, as JSON, a session may hold when a
   * turn begins; 8 MiB without it. The model reads all of it in each step.
   */
  readonly sessionBytes?: number;
  /** How long a stream may be quiet before a comment is sent; 15 s without it. */
  readonly keepAliveMs?: number;
  /** How long a silent process keeps its turn; 15 s without it. */
  readonly leaseMs?: number;
  /** How long text waits for more text; 50 ms without it. */
  readonly textMs?: number;
  /** Time; the platform's without one. */
  readonly clock?: Clock;
  /** Told of every problem that is the server's; the log is, without it. */
  readonly onError?: OnError;
};

const checks = {
  ...apiChecks,
  sessions: sessionProblems,
} satisfies Record<keyof AppParts<object>, FieldCheck>;

/**
 * Makes the app.
 *
 * @param parts What it is made of.
 * @returns A Hono app; its `fetch` serves it.
 * @throws {HostFailure} Of kind `configuration`, with every problem of the parts
 * and of the agent's configuration, each with its path.
 *
 * @example In memory, answering requests without a server
 * ```ts
 * import { createApp, memoryStore } from "@nanocode/wasm/edge";
 * import { assertEquals } from "@std/assert";
 *
 * const app = createApp({
 *   config: { backend: "openai", model: "gpt-5" },
 *   options: () => ({ apiKey: "key" }),
 *   sessions: { store: memoryStore() },
 *   auth: () => ({ tokens: ["a-long-random-text"] }),
 * });
 * const response = await app.request("/health");
 * assertEquals(await response.json(), { status: "ok" });
 * ```
 */
export function createApp<Env extends object>(
  parts: AppParts<Env>,
): Hono<{ Bindings: Env }> {
  checkParts(parts, checks);
  return appOf(parts);
}

/** The app of parts that were checked. */
export function appOf<Env extends object>(
  parts: AppParts<Env>,
): Hono<{ Bindings: Env }> {
  const app = newApp<Env>();
  app.onError(problemAnswers(tellBy(parts.onError)));
  app.notFound(() => problemResponse("not_found"));
  app.use(
    headAnswers,
    requestIds,
    // How a whole domain is reached is for its operator to say.
    securityHeaders(),
    allowedMethodsOf(app),
  );
  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/openapi.json", (c) => c.json(openApiDocument));
  const guard = authentication<Env>(parts.auth, parts.howToSetToken);
  app.get("/tools", guard, (c) => c.json(toolDocument(parts.config)));
  app.route("/", pageRoutes(parts, guard));
  app.use(
    "/sessions/*",
    guard,
    bodyWithin<{ Bindings: Env }>(parts.bodyBytes),
  );
  mountSessions(app, parts);
  return app;
}

function allowedMethodsOf<Env extends object>(app: Hono<{ Bindings: Env }>) {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (_c, methods) => {
      const allow = methods.join(", ");
      const detail = `The resource takes ${allow}`;
      return problemResponse("method_not_allowed", { detail }, { allow });
    },
  });
}

function mountSessions<Env extends object>(
  app: Hono<{ Bindings: Env }>,
  { sessions: backend, config, options, ...parts }: AppParts<Env>,
): void {
  if ("forward" in backend) {
    app.all("/sessions/:session/*", (c) => forward(c, backend.forward));
    return;
  }
  const clock = parts.clock ?? systemAmbient.clock;
  const { store, keepRunning = () => {} } = backend;
  const sessions = new Sessions({
    config,
    store,
    clock,
    leaseMs: parts.leaseMs ?? 15_000,
    textMs: parts.textMs ?? 50,
    limits: {
      turns: parts.sessionTurns ?? defaultLimits.turns,
      bytes: parts.sessionBytes ?? defaultLimits.bytes,
    },
  });
  const keepAliveMs = parts.keepAliveMs ?? 15_000;
  app.route(
    "/sessions/:session",
    sessionRoutes({
      sessions,
      options,
      clock,
      keepAliveMs,
      keepRunning,
      remove: (session) => removeSession(sessions, store, session),
      tell: tellBy(parts.onError),
    }),
  );
}

/**
 * Hands a request on as if this app stood at the root, and puts the path that it
 * stands at back into the answer.
 */
async function forward<Env extends object>(
  c: Context<{ Bindings: Env }>,
  to: (request: Request, session: string, env: Env) => Promise<Response>,
): Promise<Response> {
  const session = readId("session", c.req.param("session"));
  const url = new URL(c.req.url);
  const depth = routePath(c).split("/").length -
    "/sessions/:session/*".split("/").length;
  const segments = url.pathname.split("/");
  const base = segments.slice(0, depth + 1).join("/");
  url.pathname = url.pathname.slice(base.length);
  const request = new Request(url, c.req.raw);
  // Both name the same request to the operator.
  request.headers.set("x-request-id", c.get("requestId"));
  const answer = await to(request, session, c.env);
  // Headers of another isolate's response cannot be changed.
  const response = new Response(answer.body, answer);
  const location = answer.headers.get("location");
  if (location !== null) response.headers.set("location", base + location);
  return response;
}

/** The tool set, with its schemas. */
function toolDocument(config: AgentConfiguration) {
  const checked = createToolSet(config.tools, undefined);
  if (checked.tag === "refused") throw configurationFailure(checked.problems);
  return {
    surfaces: surfacesOf(config.surfaces, checked.tools.size),
    tools: [...checked.tools.values()].map((
      { name, description, parameters },
    ) => ({ name, description, parameters })),
  };
}
