/**
 * A `fetch` that answers by a script, without a network.
 *
 * @module
 */

import { sse } from "./stream_server.ts";

/** A request as it was sent. */
export type SentRequest = {
  readonly url: string;
  readonly headers: Headers;
  // deno-lint-ignore no-explicit-any -- tests look into provider bodies freely
  readonly body: any;
};

/** What gives the answer of one request; `signal` is the request's. */
export type Reply = (signal: AbortSignal | null | undefined) => Response;

/** A scripted `fetch`, and what it was asked. */
export type ScriptedFetch = {
  readonly fetch: typeof fetch;
  readonly sent: readonly SentRequest[];
};

/** Answers each request with the next reply; then with status 418. */
export function scriptedFetch(replies: readonly Reply[]): ScriptedFetch {
  const sent: SentRequest[] = [];
  return {
    sent,
    fetch: (input, init) => {
      const reply = replies[sent.length];
      sent.push({
        url: String(input),
        headers: new Headers(init?.headers),
        body: JSON.parse(String(init?.body)),
      });
      return Promise.resolve(
        reply?.(init?.signal) ?? new Response(null, { status: 418 }),
      );
    },
  };
}

const streamHeaders = {
  "content-type": "text/event-stream",
  "x-request-id": "req_1",
};

/** A whole stream of these events. */
export function streamed(events: readonly { readonly type: string }[]): Reply {
  return () => new Response(sse(events), { headers: streamHeaders });
}

/** A stream of this text, as it stands. */
export function streamedText(text: string): Reply {
  return () => new Response(text, { headers: streamHeaders });
}

/**
 * A stream that gives these events and then waits for its request's abort.
 * `onWait` is called once its reader has taken all and waits too.
 */
export function waiting(
  events: readonly { readonly type: string }[],
  onWait: () => void,
): Reply {
  return (signal) => {
    let given = false;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const leave = () => controller.error(signal?.reason);
        signal?.addEventListener("abort", leave, { once: true });
      },
      pull(controller) {
        if (given) return onWait();
        given = true;
        controller.enqueue(new TextEncoder().encode(sse(events)));
      },
    }, { highWaterMark: 0 });
    return new Response(body, { headers: streamHeaders });
  };
}

/** A refusal. */
export function refused(status: number, error: unknown = {}): Reply {
  return () => Response.json({ error }, { status });
}
