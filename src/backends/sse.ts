/**
 * Server-sent events from a response body, whatever way its bytes were cut.
 *
 * Before it on the path: `transport.ts`. After it: the backend's decoder, by way of
 * `step.ts`.
 *
 * @module
 */

import { createParser } from "eventsource-parser";
import { HostFailure } from "../failure.ts";
import { isJsonObject, type JsonObject, parseBounded } from "../json.ts";
import { textField } from "./fields.ts";
import { named } from "./refusal.ts";

/** One event of a provider's stream. */
export type StreamEvent = {
  readonly type: string;
  /** `undefined` where the data was no JSON object; then the type was named. */
  readonly data: JsonObject | undefined;
};

// No answer comes near it; a peer that never ends a line must not fill memory.
const maxBufferedCharacters = 64 * 1024 * 1024;

/** Some servers end a stream with this text instead of JSON. */
const doneMarker = "[DONE]";

/**
 * Reads the events of `body`. Throws a `HostFailure` of kind `backend` where the
 * bytes are no UTF-8 or an event is no JSON. Whoever stops reading early, or
 * aborts `signal`, lets go of the connection. The failure names `requestId`.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  requestId?: string,
): AsyncGenerator<StreamEvent, void, undefined> {
  const broken = (reason: string) => malformed(reason, requestId);
  const queue = new EventQueue(broken);
  const decode = textDecoder(broken);
  const reader = body.getReader();
  // A body that does not obey its request's signal ends here all the same.
  const leave = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", leave, { once: true });
  try {
    while (queue.broken === undefined) {
      const { done, value } = await readChunk(reader, requestId);
      const text = decode(value);
      if (text !== "") queue.feed(text);
      // An event that lost its closing blank line still counts, as its
      // terminal event would otherwise be missed.
      if (done) queue.feed("\n\n");
      yield* queue.take();
      if (done) break;
    }
    if (queue.broken !== undefined) throw queue.broken;
  } finally {
    signal.removeEventListener("abort", leave);
    // It fails where the connection is gone already, which is what is wanted; and
    // nothing waits for a body that does not obey.
    leave();
  }
}

/** The events of the text so far, until something in it cannot be read. */
class EventQueue {
  /** What could not be read first. */
  broken: HostFailure | undefined;
  readonly #events: StreamEvent[] = [];
  readonly #malformed: (reason: string) => HostFailure;
  readonly #parser = createParser({
    maxBufferSize: maxBufferedCharacters,
    onEvent: ({ event, data }) => this.#add(event, data),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") {
        this.broken ??= this.#malformed("one event is too large");
      }
    },
  });

  constructor(malformed: (reason: string) => HostFailure) {
    this.#malformed = malformed;
  }

  feed(text: string): void {
    this.#parser.feed(text);
  }

  take(): StreamEvent[] {
    return this.#events.splice(0);
  }

  #add(event: string | undefined, data: string): void {
    const text = data.trim();
    if (text === "" || text === doneMarker) return;
    const parsed = parseEvent(event, data);
    if (parsed === undefined) {
      this.broken ??= this.#malformed("an event's data is not a JSON object");
    } else this.#events.push(parsed);
  }
}

/** The next bytes. The platform's own error may name addresses, and says no more. */
async function readChunk(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  requestId: string | undefined,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  try {
    return await reader.read();
  } catch {
    throw new HostFailure(
      "backend",
      "The connection to the provider broke before the answer ended",
      { retryable: true, ...named(requestId) },
    );
  }
}

/** One decoder for the whole stream: a character may be cut over two chunks. */
function textDecoder(
  malformed: (reason: string) => HostFailure,
): (bytes: Uint8Array | undefined) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (bytes) => {
    try {
      return bytes === undefined
        ? decoder.decode()
        : decoder.decode(bytes, { stream: true });
    } catch {
      throw malformed("its bytes are not UTF-8");
    }
  };
}

function parseEvent(
  event: string | undefined,
  data: string,
): StreamEvent | undefined {
  const parsed = parseBounded(data);
  if (parsed.tag === "malformed" || !isJsonObject(parsed.value)) {
    return event === undefined ? undefined : { type: event, data: undefined };
  }
  const type = textField(parsed.value, "type") ?? event ?? "message";
  return { type, data: parsed.value };
}

/** The failure of a stream that cannot be read. */
export function malformed(
  reason: string,
  requestId: string | undefined,
): HostFailure {
  return new HostFailure(
    "backend",
    `The provider's stream cannot be read: ${reason}`,
    { retryable: true, ...named(requestId) },
  );
}
