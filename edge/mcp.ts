/**
 * An MCP endpoint (Streamable HTTP) over the tools of an agent: what the model
 * may call, other programs' models may call too, by the same rules. It is a Hono
 * app of its own, to be mounted beside the HTTP API or anywhere else:
 * `app.route("/mcp", mcpRoutes(…))`.
 *
 * It keeps no state between requests, so any process or isolate may answer any
 * of them. It stands apart from `app.ts` because its library is larger than the
 * rest of the app; a deployment that does not import it does not carry it.
 *
 * @module
 */

import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Hono } from "hono";
import { completeBudget } from "../src/budget_check.ts";
import {
  type AgentConfiguration,
  givenConfigurationProblems,
} from "../src/configuration.ts";
import { unless } from "../src/field_check.ts";
import { isRecord, parseBounded } from "../src/json.ts";
import type { Receipt } from "../src/receipt.ts";
import type { RuntimeOptions } from "../src/runtime_options.ts";
import { authentication, type AuthOf } from "./auth.ts";
import { bodyWithin, readBody } from "./body.ts";
import { newApp } from "./hono.ts";
import { batchRefusal } from "./mcp/batch.ts";
import { corsOf } from "./mcp/cors.ts";
import { createMcpServer, type ServerInfo } from "./mcp/server.ts";
import { RunningCalls } from "./mcp/running_calls.ts";
import {
  type FailedRequest,
  logError,
  type OnError,
  problemAnswers,
  tellBy,
} from "./operator.ts";
import {
  aCallback,
  aText,
  checkParts,
  commonChecks,
  configurationCheck,
  type FieldCheck,
  optional,
  texts,
} from "./parts_check.ts";
import { requestIds } from "./request_id.ts";

export type { ServerInfo };

/** What an endpoint is made of. `Env` is what the platform hands to each request. */
export type McpParts<Env extends object> = {
  /**
   * The tools, how they may be called, and the budget of each call: those of an
   * agent. Where its surfaces include code, `exec` is offered too. A batch makes
   * `budget.calls` calls at most, `budget.concurrentCalls` of them at a time.
   */
  readonly config: Partial<AgentConfiguration>;
  /** What the tools live on; called for each request. */
  readonly options: (env: Env) => RuntimeOptions;
  /** Who may use the endpoint; called for each request. */
  readonly auth: AuthOf<Env>;
  /** What the server calls itself. */
  readonly info?: ServerInfo;
  /** What clients are told of how to use the tools. */
  readonly instructions?: string;
  /**
   * The host names under which the endpoint is reached. Without them: any name
   * where a token is demanded, and only the loopback's where none is, since a
   * web page could have its own name resolve to a local server.
   */
  readonly hosts?: readonly string[];
  /**
   * Host names of web pages that may use the endpoint, beside its own: browsers
   * are told so.
   */
  readonly origins?: readonly string[];
  /** Tells the operator how to set a token, where none is. */
  readonly howToSetToken?: string;
  /** The largest body, in bytes; 1 MiB without it. */
  readonly bodyBytes?: number;
  /** How long a stream may be quiet before a comment is sent; 15 s without it. */
  readonly keepAliveMs?: number;
  /** Told of every receipt, nested ones included, when its call has ended. */
  readonly onReceipt?: (receipt: Receipt) => void;
  /** Told of every problem that is the server's; the log is, without it. */
  readonly onError?: OnError;
};

const checks = {
  ...commonChecks,
  config: configurationCheck(givenConfigurationProblems),
  info: optional((value, path) =>
    unless(isRecord(value), path, "expected { name, version }")
  ),
  instructions: aText,
  hosts: texts,
  origins: texts,
  onReceipt: aCallback,
} satisfies Record<keyof McpParts<object>, FieldCheck>;

/**
 * Makes the endpoint.
 *
 * @param parts What it is made of.
 * @returns A Hono app whose root is the endpoint.
 * @throws {HostFailure} Of kind `configuration`, with every problem of the parts
 * and of the tools, each with its path.
 *
 * @example Beside the HTTP API
 * ```ts no-assert
 * import { defineTools } from "@nanocode/wasm";
 * import { createApp, memoryStore } from "@nanocode/wasm/edge";
 * import { mcpRoutes } from "@nanocode/wasm/mcp-server";
 *
 * const { tools, call } = defineTools({
 *   today: {
 *     description: "The day of today.",
 *     parameters: { type: "object" },
 *     run: () => new Date().toISOString().slice(0, 10),
 *   },
 * });
 * const agent = {
 *   config: { backend: "openai", model: "gpt-5", tools },
 *   options: () => ({ apiKey: "key", tools: { call } }),
 *   auth: () => ({ tokens: ["a-long-random-text"] }),
 * } as const;
 *
 * const app = createApp({ ...agent, sessions: { store: memoryStore() } });
 * app.route("/mcp", mcpRoutes(agent));
 * ```
 */
export function mcpRoutes<Env extends object>(
  parts: McpParts<Env>,
): Hono<{ Bindings: Env }> {
  checkParts(parts, checks);
  const onError = parts.onError ?? logError;
  const serve = mcpService(parts, onError);
  const budget = completeBudget(parts.config.budget);
  const app = newApp<Env>();
  app.onError(problemAnswers(tellBy(onError)));
  app.use(requestIds);
  app.use(corsOf(parts.origins));
  app.use(authentication<Env>(parts.auth, parts.howToSetToken, parts));
  app.use(bodyWithin<{ Bindings: Env }>(parts.bodyBytes));
  app.all("/", async (c) => {
    const { raw } = c.req;
    const from = {
      options: () => parts.options(c.env),
      requestId: c.get("requestId"),
    };
    if (raw.method !== "POST") return await serve(raw, from);
    const parsed = parseBounded(await readBody(c.req.raw));
    if (parsed.tag === "malformed") {
      return protocolError(-32700, `Parse error: ${parsed.reason}`);
    }
    const refusal = batchRefusal(parsed.value, budget.calls);
    return refusal === undefined
      ? await serve(raw, from, parsed.value)
      : protocolError(-32600, refusal);
  });
  return app;
}

/** What a request brings, beside itself. */
type Brought = FailedRequest & { readonly options: () => RuntimeOptions };

/** The protocol, by its own library: one server object for each request. */
function mcpService<Env extends object>(
  parts: McpParts<Env>,
  onError: OnError,
) {
  const running = new RunningCalls();
  const brought = new WeakMap<Request, Brought>();
  const handler = createMcpHandler(({ requestInfo }) => {
    const from = requestInfo && brought.get(requestInfo);
    if (requestInfo === undefined || from === undefined) {
      throw new Error("The server was asked for outside of a request");
    }
    return createMcpServer({
      config: parts.config,
      options: from.options,
      info: parts.info,
      instructions: parts.instructions,
      session: requestInfo.headers.get(sessionHeader) ?? undefined,
      running,
      onReceipt: parts.onReceipt,
      onError: (error) => onError(error, { requestId: from.requestId }),
    });
  }, {
    // A call may take long: a stream stays alive, and shows when its reader left.
    responseMode: "sse",
    keepAliveMs: parts.keepAliveMs ?? 15_000,
  });
  return async (request: Request, from: Brought, body?: unknown) => {
    brought.set(request, from);
    const response = await handler.fetch(request, { parsedBody: body });
    return isInitialize(body) && response.ok ? withSession(response) : response;
  };
}

const sessionHeader = "mcp-session-id";

function isInitialize(body: unknown): boolean {
  return isRecord(body) && body.method === "initialize";
}

/**
 * Names the client, so that a later notification can say which of all clients'
 * requests it cancels. Nothing else is kept of a session.
 */
function withSession(response: Response): Response {
  const named = new Response(response.body, response);
  named.headers.set(sessionHeader, crypto.randomUUID());
  return named;
}

function protocolError(code: number, message: string): Response {
  const error = { code, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 400 });
}
