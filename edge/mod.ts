/**
 * The HTTP API of an agent as a Hono app: sessions, their turns as a stream of
 * Server-Sent Events or as one document, receipts, the tool set.
 *
 * On Cloudflare Workers and on Deno there is an adapter that brings the store:
 * `@nanocode/wasm/cloudflare` and `@nanocode/wasm/deno`.
 *
 * @example In memory, inside a bigger app
 * ```ts
 * import { Hono } from "hono";
 * import { createApp, memoryStore } from "@nanocode/wasm/edge";
 * import { assertEquals } from "@std/assert";
 *
 * const agent = createApp({
 *   config: { backend: "openai", model: "gpt-5", surfaces: ["direct"] },
 *   options: () => ({ apiKey: "…" }),
 *   sessions: { store: memoryStore() },
 *   auth: () => ({ tokens: ["a long random text, from a secret"] }),
 * });
 * const app = new Hono().route("/agent", agent);
 * assertEquals((await app.request("/agent/health")).status, 200);
 * ```
 *
 * @module
 */

export { type AppParts, createApp, type SessionBackend } from "./app.ts";
export type { Auth, AuthOf } from "./auth.ts";
export type { FailedRequest, OnError } from "./operator.ts";
export type { Change, Documents, SessionStore, StoredHead } from "./store.ts";
export { memoryStore } from "./stores/memory_store.ts";
