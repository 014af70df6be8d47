/**
 * A session store across HTTP, so that a test can hold one that lives in another
 * process against the contract of all stores.
 *
 * @module
 */

import type { Send } from "../client.ts";
import type { Change, SessionStore } from "../../../edge/store.ts";

type StoreCall =
  | { readonly method: "head" | "remove" | "watch" }
  | {
    readonly method: "read";
    readonly prefix: string;
    readonly from?: string;
    readonly limit?: number;
  }
  | {
    readonly method: "commit";
    readonly change: Omit<Change, "set"> & {
      readonly set: readonly [string, string][];
    };
  };

/** A store that another process has; `send` reaches it. */
export function remoteStore(send: Send): SessionStore {
  const post = async (session: string, call: StoreCall) => {
    const response = await send(`/store/${session}`, {
      method: "POST",
      body: JSON.stringify(call),
    });
    if (!response.ok) throw new Error(await response.text());
    return response;
  };
  const ask = async (session: string, call: StoreCall) =>
    (await (await post(session, call)).json()).result ?? undefined;
  return {
    exclusive: true,
    head: (session) => ask(session, { method: "head" }),
    read: async (session, prefix, from, limit) =>
      new Map(
        await ask(session, {
          method: "read",
          prefix,
          ...(from === undefined ? {} : { from }),
          ...(limit === undefined ? {} : { limit }),
        }),
      ),
    commit: (session, { set, ...change }) =>
      ask(session, { method: "commit", change: { ...change, set: [...set] } }),
    remove: (session) => ask(session, { method: "remove" }),
    async *watch(session, signal) {
      const { body } = await post(session, { method: "watch" });
      const reader = body?.getReader();
      signal.addEventListener("abort", () => reader?.cancel(), { once: true });
      while (!signal.aborted && !(await reader?.read())?.done) yield;
    },
  };
}

/** Answers a call that {@link remoteStore} made. */
export async function answerStoreCall(
  store: SessionStore,
  request: Request,
): Promise<Response> {
  const call: StoreCall = await request.json();
  switch (call.method) {
    case "head":
      return json(await store.head(""));
    case "read":
      return json([
        ...await store.read("", call.prefix, call.from, call.limit),
      ]);
    case "commit": {
      const set = new Map(call.change.set);
      return json(
        await store.commit("", { ...call.change, set }),
      );
    }
    case "remove":
      return json(await store.remove(""));
    case "watch":
      return new Response(bytesOf(store), {
        // Of another type it would be collected before it is passed on.
        headers: { "content-type": "text/event-stream" },
      });
  }
}

function json(result: unknown): Response {
  return Response.json({ result });
}

/** One byte for each thing that a watcher is told. */
function bytesOf(store: SessionStore): ReadableStream<Uint8Array> {
  const stop = new AbortController();
  const told = store.watch("", stop.signal)[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      if ((await told.next()).done) controller.close();
      else controller.enqueue(new Uint8Array([0]));
    },
    cancel: () => stop.abort(),
  });
}
