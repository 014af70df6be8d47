/**
 * Asks a provider: sends one step's request, tries again where that may help,
 * and hands over the events from the first on. After the first event nothing is
 * tried again: the model may have been billed and heard.
 *
 * Before it on the path: `step.ts`. After it: the provider, then `sse.ts`.
 *
 * @module
 */

import { type Ambient, pause } from "../ambient.ts";
import { HostFailure } from "../failure.ts";
import type { Redaction } from "../redaction.ts";
import { unlessAborted } from "../stop.ts";
import { shorten, wellFormedJson } from "../text.ts";
import type { Backend, WireRequest } from "./backend.ts";
import {
  named,
  refusal,
  Refused,
  streamFailure,
  unreachable,
} from "./refusal.ts";
import { waitBefore } from "./retry.ts";
import { readEvents, type StreamEvent } from "./sse.ts";

/** What a request needs beside its body. */
export type Transport = {
  readonly backend: Backend;
  readonly baseUrl: string;
  /** Gives the credential, afresh for each request. */
  readonly apiKey: () => string | undefined | Promise<string | undefined>;
  /** Headers of the host's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Called without a receiver, as platforms demand of their own. */
  readonly fetch: typeof fetch;
  readonly ambient: Ambient;
  readonly redaction: Redaction;
};

/** What bounds one step's request. */
export type Patience = {
  readonly signal: AbortSignal;
  readonly retries: number;
  remainingMs(): number;
  /** Told before each wait for another try. */
  onRetry(attempt: number, delayMs: number, message: string): void;
};

/** The stream of an answer, and what names the request. */
export type Exchange = {
  readonly events: AsyncGenerator<StreamEvent, void, undefined>;
  readonly requestId: string | undefined;
};

/**
 * Sends the request. `build` makes it anew for each try, without the parts that
 * an earlier try was refused for.
 *
 * Throws a `HostFailure` of kind `backend`; or, where `signal` aborted, whatever
 * the platform throws then.
 */
export async function exchange(
  transport: Transport,
  build: (without: ReadonlySet<string>) => WireRequest,
  without: Set<string>,
  patience: Patience,
): Promise<Exchange> {
  for (let attempt = 1;; attempt++) {
    try {
      return await attemptOnce(transport, build(without), patience.signal);
    } catch (error) {
      if (!(error instanceof Refused) || patience.signal.aborted) throw error;
      const { failure, wire } = error;
      const part = wire && transport.backend.avoidable(wire);
      if (part !== undefined && failure.status === 400 && !without.has(part)) {
        without.add(part);
        continue;
      }
      await waitOrGiveUp(transport, failure, attempt, patience);
    }
  }
}

async function waitOrGiveUp(
  { ambient }: Transport,
  failure: HostFailure,
  attempt: number,
  patience: Patience,
): Promise<void> {
  if (!failure.retryable || attempt > patience.retries) throw failure;
  const wait = waitBefore(attempt, failure.retryAfterMs, ambient.random);
  if ((failure.retryAfterMs ?? wait) >= patience.remainingMs()) throw failure;
  patience.onRetry(attempt, wait, failure.message);
  await pause(ambient.clock, wait, patience.signal);
  if (patience.signal.aborted) throw failure;
}

async function attemptOnce(
  transport: Transport,
  request: WireRequest,
  signal: AbortSignal,
): Promise<Exchange> {
  const response = await send(transport, request, signal);
  const requestId = response.headers.get(transport.backend.requestIdHeader) ??
    undefined;
  if (!response.ok) {
    const { backend, redaction, ambient } = transport;
    throw await refusal(
      { backend, redaction, clock: ambient.clock, signal },
      response,
      requestId,
    );
  }
  const type = response.headers.get("content-type") ?? "";
  if (response.body === null || !/text\/event-stream/i.test(type)) {
    letGo(response);
    throw new Refused(
      new HostFailure(
        "backend",
        `The provider answered with ${
          type === "" ? "no content type" : shorten(type, 80)
        } where a text/event-stream was expected; check baseUrl`,
        { status: response.status, ...named(requestId) },
      ),
      undefined,
    );
  }
  return {
    events: await startReading(transport, response.body, requestId, signal),
    requestId,
  };
}

async function send(
  transport: Transport,
  request: WireRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { backend, baseUrl, fetch } = transport;
  const url = `${baseUrl}${backend.prefix(baseUrl)}${request.path}`;
  const headers = await requestHeaders(transport, request, signal);
  try {
    const sent = fetch(url, {
      method: "POST",
      headers,
      body: wellFormedJson(JSON.stringify(request.body)),
      signal,
      // A redirect would carry the credential to wherever it points.
      redirect: "manual",
    });
    const response = await unlessAborted(sent, signal, letGo);
    if (response instanceof Response) return response;
    throw new TypeError("fetch gave no Response; check options.fetch");
  } catch (error) {
    if (signal.aborted) throw error;
    throw new Refused(
      unreachable(transport.redaction, transport.baseUrl, error),
      undefined,
    );
  }
}

async function requestHeaders(
  { apiKey, backend, headers, redaction }: Transport,
  request: WireRequest,
  signal: AbortSignal,
): Promise<Headers> {
  const key = await credential(apiKey, redaction, signal);
  try {
    const all = new Headers({
      "content-type": "application/json",
      accept: "text/event-stream",
      ...request.headers,
      ...(key === undefined ? {} : backend.credential(key)),
    });
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return all;
  } catch {
    // The platform's own message repeats the value.
    throw new HostFailure(
      "backend",
      "The credential cannot be sent: it holds characters that a header cannot carry; check apiKey",
    );
  }
}

async function credential(
  apiKey: Transport["apiKey"],
  redaction: Redaction,
  signal: AbortSignal,
): Promise<string | undefined> {
  let key: unknown;
  try {
    key = await unlessAborted((async () => await apiKey())(), signal);
  } catch (error) {
    if (signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new HostFailure(
      "backend",
      redaction.clean(`The function apiKey threw: ${why}`),
    );
  }
  if (key === undefined || typeof key === "string") {
    redaction.add(key);
    return key;
  }
  throw new HostFailure(
    "backend",
    `The function apiKey gave ${
      key === null ? "null" : typeof key
    } where a string or undefined was expected`,
  );
}

/** Lets go of a response whose body nobody reads. */
function letGo(response: Response): void {
  // It may never settle, and nothing waits for it.
  response.body?.cancel().catch(() => {});
}

/** Reads up to the first event, so that an error there is still tried again. */
async function startReading(
  transport: Transport,
  body: ReadableStream<Uint8Array>,
  requestId: string | undefined,
  signal: AbortSignal,
): Promise<AsyncGenerator<StreamEvent, void, undefined>> {
  const { backend, redaction } = transport;
  const events = readEvents(body, signal, requestId);
  const first = await firstEvent(transport, events, requestId);
  const wire = first.type === "error" && first.data !== undefined
    ? backend.error(first.data)
    : undefined;
  if (wire === undefined) return resumed(first, events);
  await events.return();
  throw new Refused(streamFailure(redaction, wire, requestId), wire);
}

async function firstEvent(
  { redaction, baseUrl }: Transport,
  events: AsyncGenerator<StreamEvent, void, undefined>,
  requestId: string | undefined,
): Promise<StreamEvent> {
  let first: IteratorResult<StreamEvent, void>;
  try {
    first = await events.next();
  } catch (error) {
    throw new Refused(
      error instanceof HostFailure
        ? error
        : unreachable(redaction, baseUrl, error),
      undefined,
    );
  }
  if (!first.done) return first.value;
  throw new Refused(
    new HostFailure(
      "backend",
      "The provider's stream ended without an event",
      { retryable: true, ...named(requestId) },
    ),
    undefined,
  );
}

async function* resumed(
  first: StreamEvent,
  rest: AsyncGenerator<StreamEvent, void, undefined>,
): AsyncGenerator<StreamEvent, void, undefined> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
