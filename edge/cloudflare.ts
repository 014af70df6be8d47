/**
 * The adapter for Cloudflare Workers: the Worker checks and hands on, and each
 * session lives in a Durable Object of its own, which runs its turns.
 *
 * Turns run in the object, not in the Worker, so they outlive the request that
 * started them. An alarm keeps the object awake while a turn runs that nobody
 * waits for, and deletes the session when it has rested long enough.
 *
 * That a client left is told to the object where the deployment has the
 * compatibility flags `enable_request_signal` and `request_signal_passthrough`;
 * without them its turn runs on, for `budget.turnMs` at most.
 *
 * @module
 */

import type { Hono } from "hono";
import { appOf, type AppParts } from "./app.ts";
import type {
  ObjectNamespace,
  ObjectState,
  SessionClass,
  SessionObject,
  Storage,
} from "./cloudflare_types.ts";

export type * from "./cloudflare_types.ts";
import {
  aCount,
  aFunction,
  apiChecks,
  checkParts,
  type FieldCheck,
} from "./parts_check.ts";
import { parseHead } from "./session/head.ts";
import type { SessionStore } from "./store.ts";
import { durableObjectStore } from "./stores/durable_object_store.ts";

/** What a deployment is made of. */
export type CloudflareParts<Env extends object> =
  & Omit<AppParts<Env>, "sessions">
  & {
    /** The binding of the exported session class. */
    readonly namespace: (env: Env) => ObjectNamespace;
    /** How long a session is kept after its last turn; 30 days without it. */
    readonly keepMs?: number;
  };

// An object that no event comes to is put to sleep after about a minute.
const pulseMs = 20_000;

const day = 24 * 60 * 60 * 1000;

const checks = {
  ...apiChecks,
  namespace: aFunction("(env) => env.SESSIONS"),
  keepMs: aCount,
} satisfies Record<keyof CloudflareParts<object>, FieldCheck>;

/**
 * Makes the Worker's app and the class of its sessions; export both.
 *
 * @param parts What the deployment is made of.
 * @returns The app for `export default`, and the Durable Object class.
 * @throws {HostFailure} Of kind `configuration`, with every problem of the parts
 * and of the agent's configuration, each with its path.
 *
 * @example A Worker; its configuration binds `SESSIONS` to the class `Session`,
 * and names that in `migrations` under `new_sqlite_classes`
 * ```ts no-assert
 * import { defineTools } from "@nanocode/wasm";
 * import { cloudflare, type ObjectNamespace } from "@nanocode/wasm/cloudflare";
 * // In its place: import engine from "@nanocode/wasm/engine";
 * const engine: WebAssembly.Module | undefined = undefined;
 *
 * type Env = {
 *   SESSIONS: ObjectNamespace;
 *   NANOCODE_TOKEN?: string;
 *   OPENAI_API_KEY?: string;
 * };
 *
 * const { tools, call } = defineTools({
 *   today: {
 *     description: "The day of today.",
 *     parameters: { type: "object" },
 *     run: () => new Date().toISOString().slice(0, 10),
 *   },
 * });
 *
 * export const { app, Session } = cloudflare<Env>({
 *   config: { backend: "openai", model: "gpt-5", tools },
 *   options: (env) => ({ apiKey: env.OPENAI_API_KEY, wasm: engine, tools: { call } }),
 *   auth: (env) => ({ tokens: [env.NANOCODE_TOKEN] }),
 *   namespace: (env) => env.SESSIONS,
 * });
 *
 * // export default app;
 * ```
 */
export function cloudflare<Env extends object>(
  parts: CloudflareParts<Env>,
): { app: Hono<{ Bindings: Env }>; Session: SessionClass<Env> } {
  checkParts(parts, checks);
  const app = appOf<Env>({
    ...parts,
    howToSetToken: parts.howToSetToken ??
      "Set the secret with: npx wrangler secret put NANOCODE_TOKEN (under wrangler dev: in the file .dev.vars). Clients send it as Authorization: Bearer <token>",
    sessions: {
      forward: async (request, session, env) => {
        const namespace = parts.namespace(env);
        return await namespace.get(namespace.idFromName(session))
          .fetch(request);
      },
    },
  });
  class Session extends CloudflareSession<Env> {
    constructor(state: ObjectState, env: Env) {
      super(state, env, parts);
    }
  }
  return { app, Session };
}

/** One session's object. */
class CloudflareSession<Env extends object> implements SessionObject {
  readonly #env: Env;
  readonly #storage: Storage;
  readonly #store: SessionStore;
  readonly #app: Hono<{ Bindings: Env }>;
  readonly #keepMs: number;
  readonly #pulseMs: number;
  #working = 0;
  #alarmAt = Infinity;

  constructor(state: ObjectState, env: Env, parts: CloudflareParts<Env>) {
    this.#env = env;
    this.#storage = state.storage;
    this.#keepMs = parts.keepMs ?? 30 * day;
    this.#pulseMs = Math.min(pulseMs, this.#keepMs);
    this.#store = durableObjectStore(state.storage);
    this.#app = appOf<Env>({
      ...parts,
      // Only the Worker reaches the object, and it has checked the token.
      auth: () => ({ off: "what stands in front asks" }),
      sessions: {
        store: {
          ...this.#store,
          remove: async (session) => {
            await this.#store.remove(session);
            // The alarm may have gone with the rest: a new turn must set its own.
            this.#alarmAt = Infinity;
          },
        },
        keepRunning: (work) => {
          void this.#keepAwake(work);
        },
      },
    });
  }

  fetch(request: Request): Response | Promise<Response> {
    return this.#app.fetch(request, this.#env);
  }

  /** Comes again while a turn runs; deletes a session that rested long enough. */
  async alarm(): Promise<void> {
    this.#alarmAt = Infinity;
    const now = Date.now();
    if (this.#working > 0) return await this.#wakeAt(now + this.#pulseMs);
    const stored = await this.#store.head("");
    if (stored === undefined) return;
    const expires = parseHead(stored.text).updatedAt + this.#keepMs;
    if (expires > now) return await this.#wakeAt(expires);
    await this.#store.remove("");
  }

  async #keepAwake(work: Promise<void>): Promise<void> {
    this.#working++;
    try {
      await this.#wakeAt(Date.now() + this.#pulseMs);
      await work;
    } catch {
      // Without an alarm the turn ends with its client, and is found interrupted.
    } finally {
      this.#working--;
    }
  }

  async #wakeAt(at: number): Promise<void> {
    if (this.#alarmAt <= at) return;
    await this.#storage.setAlarm(at);
    this.#alarmAt = at;
  }
}
