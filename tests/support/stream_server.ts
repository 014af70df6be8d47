/**
 * A real HTTP server on the loopback that answers each request with the next of
 * a list of responses, its bytes cut at borders of a seeded choice.
 *
 * @module
 */

import { seededRandom } from "./ambient.ts";

/** One request as the server saw it. */
export type SeenRequest = {
  readonly path: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look into provider bodies freely
  readonly body: any;
};

/** One answer: the text of a stream, or a whole response. */
export type Answer =
  | { readonly stream: string; readonly headers?: Record<string, string> }
  | {
    readonly status: number;
    readonly body: string;
    readonly headers?: Record<string, string>;
  }
  /** Sends the stream's text, then keeps the connection open. */
  | { readonly hanging: string }
  /** Sends the stream's text, then breaks the connection. */
  | { readonly breaking: string };

/** A running server. */
export type StreamServer = AsyncDisposable & {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** How many streams were given up by their reader before their end. */
  readonly cancelled: () => number;
};

/** The text of a stream that holds these events. */
export function sse(events: readonly { readonly type: string }[]): string {
  return events.map((event) =>
    `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
  ).join("");
}

/** Starts a server that gives `answers` in order; then status 500. */
export function serveAnswers(
  answers: readonly Answer[],
  seed = 1,
): StreamServer {
  const requests: SeenRequest[] = [];
  const random = seededRandom(seed);
  const abort = new AbortController();
  let cancelled = 0;
  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: abort.signal,
    onListen: () => {},
    onError: () => new Response("broken", { status: 500 }),
  }, async (request) => {
    const answer = answers[requests.length];
    requests.push({
      path: new URL(request.url).pathname,
      headers: request.headers,
      body: await request.json(),
    });
    if (answer === undefined) {
      return new Response("no answer left", { status: 500 });
    }
    if ("status" in answer) {
      return new Response(answer.body, {
        status: answer.status,
        headers: { "content-type": "application/json", ...answer.headers },
      });
    }
    const text = "stream" in answer
      ? answer.stream
      : "hanging" in answer
      ? answer.hanging
      : answer.breaking;
    const chunks = cut(new TextEncoder().encode(text), random);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if ("stream" in answer) controller.close();
        else if ("breaking" in answer) controller.error(new Error("broken"));
        else return new Promise(() => {});
      },
      cancel() {
        cancelled++;
      },
    });
    return new Response(body, {
      headers: {
        "content-type": "text/event-stream; charset=utf-8",
        ...("stream" in answer ? answer.headers : {}),
      },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    cancelled: () => cancelled,
    async [Symbol.asyncDispose]() {
      abort.abort();
      await server.finished;
    },
  };
}

/** Cuts bytes into chunks of 1 to 64 bytes, more small ones than large. */
export function cut(bytes: Uint8Array, random: () => number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = 1 + Math.floor(random() ** 2 * 64);
    chunks.push(bytes.slice(at, at + size));
    at += size;
  }
  return chunks;
}
