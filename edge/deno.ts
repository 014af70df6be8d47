/**
 * The adapter for Deno Deploy and `deno serve`: any process may be asked for any
 * session, as all of them share one Deno KV database.
 *
 * @module
 */

import { appOf, type AppParts } from "./app.ts";
import {
  aCount,
  apiChecks,
  aText,
  checkParts,
  type FieldCheck,
} from "./parts_check.ts";
import { parseHead } from "./session/head.ts";
import { StoredStateInvalid } from "./session/stored_state.ts";
import { denoKvStore, removeOldSessions } from "./stores/deno_kv_store.ts";

/** What a deployment is made of. */
export type DenoParts = Omit<AppParts<Record<never, never>>, "sessions"> & {
  /** Where the database is; the deployment's own without it. */
  readonly kvPath?: string | undefined;
  /** How long a session is kept after its last turn; 30 days without it. */
  readonly keepMs?: number;
};

/** What `deno serve` takes as a module's default export. */
export type DenoServer = {
  fetch(request: Request): Promise<Response>;
};

const hour = 60 * 60 * 1000;

const checks = {
  ...apiChecks,
  kvPath: aText,
  keepMs: aCount,
} satisfies Record<keyof DenoParts, FieldCheck>;

/**
 * Makes the server; export it as the module's default.
 *
 * @param parts What the deployment is made of.
 * @returns What `deno serve` takes.
 * @throws {HostFailure} Of kind `configuration`, with every problem of the parts
 * and of the agent's configuration, each with its path.
 *
 * @example A module for `deno serve`
 * ```ts no-assert
 * import { defineTools } from "@nanocode/wasm";
 * import { denoServer } from "@nanocode/wasm/deno";
 *
 * const { tools, call } = defineTools({
 *   today: {
 *     description: "The day of today.",
 *     parameters: { type: "object" },
 *     run: () => new Date().toISOString().slice(0, 10),
 *   },
 * });
 *
 * export const server = denoServer({
 *   config: { backend: "openai", model: "gpt-5", tools },
 *   options: () => ({ apiKey: Deno.env.get("OPENAI_API_KEY"), tools: { call } }),
 *   auth: () => ({ tokens: [Deno.env.get("NANOCODE_TOKEN")] }),
 *   kvPath: ":memory:", // without it the deployment's own
 * });
 * // export default server;
 * ```
 */
export function denoServer(parts: DenoParts): DenoServer {
  checkParts(parts, checks);
  const { kvPath, keepMs } = parts;
  const prepare = async () => {
    const kv = await Deno.openKv(kvPath);
    const store = denoKvStore(kv);
    return {
      app: appOf({
        ...parts,
        howToSetToken: parts.howToSetToken ??
          "Set the environment variable NANOCODE_TOKEN of the deployment to a long random text; clients send it as Authorization: Bearer <token>",
        sessions: { store },
      }),
      tidy: tidier(kv, keepMs ?? 30 * 24 * hour),
    };
  };
  let prepared: ReturnType<typeof prepare> | undefined;
  return {
    async fetch(request) {
      prepared ??= prepare();
      // A database that cannot be opened now may be later.
      prepared.catch(() => prepared = undefined);
      const { app, tidy } = await prepared;
      tidy();
      return await app.fetch(request, {});
    },
  };
}

/** Deletes old sessions, beside the first request of each hour. */
function tidier(
  kv: Deno.Kv,
  keepMs: number,
): () => void {
  let next = 0;
  return () => {
    const now = Date.now();
    if (now < next) return;
    next = now + hour;
    removeOldSessions(kv, (head) => rests(head, now - keepMs))
      .catch((error) => {
        console.error("Old sessions could not be deleted", error);
      });
  };
}

/** Whether a session rested since; one that cannot be read stays, for its owner. */
function rests(head: string, since: number): boolean {
  try {
    return parseHead(head).updatedAt < since;
  } catch (error) {
    if (error instanceof StoredStateInvalid) return false;
    throw error;
  }
}
