/**
 * A turn as the AI SDK's UI message stream, for `useChat` and whatever else reads
 * it: text, reasoning, steps, tool parts with inputs, outputs and errors, and how
 * the turn ended.
 *
 * @module
 */

import { type Clock, systemAmbient } from "./ambient.ts";
import type { TurnEvent } from "./events.ts";
import { isRecord } from "./json.ts";
import { uiChunks } from "./ui_chunks.ts";

/** A turn, as `agent.prompt()` gives it. */
export type UiTurn = AsyncIterable<TurnEvent> & {
  /** Cancels the turn. */
  cancel(reason: string): void;
};

/** How the stream is sent. */
export type UiStreamOptions = {
  /** The id of the assistant's message; the client makes one without it. */
  readonly messageId?: string | undefined;
  /** Headers beside the protocol's own. */
  readonly headers?: HeadersInit | undefined;
  /**
   * Whether the turn is cancelled when the client leaves; true without it. A
   * client leaves when its user presses stop, too.
   */
  readonly cancelOnLeave?: boolean | undefined;
  /** How long the stream may be quiet before a comment is sent; 15 s without it. */
  readonly keepAliveMs?: number | undefined;
  /** Time; the platform's without one. */
  readonly clock?: Clock | undefined;
};

const protocolHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-vercel-ai-ui-message-stream": "v1",
  // Asks proxies to pass on each event as it comes.
  "x-accel-buffering": "no",
};

const encoder = new TextEncoder();

/**
 * Answers a request of `useChat` with a turn.
 *
 * Each call of the model is a tool part, `tool-<name>`. Calls that a program made
 * are data parts, `data-nested-call`, as the model did not make them: a message
 * that goes back to a provider must not hold them. The message's metadata tells
 * how the turn ended and what it used.
 *
 * @param turn The turn.
 * @param options How the stream is sent.
 * @returns The response; its stream ends with the turn.
 *
 * @example
 * ```ts no-assert
 * import type { Agent } from "@nanocode/wasm";
 * import { lastUserText, uiMessageStream } from "@nanocode/wasm/ui";
 *
 * export async function chat(request: Request, agent: Agent): Promise<Response> {
 *   const text = lastUserText(await request.json());
 *   if (text === undefined) return new Response("Say something", { status: 400 });
 *   return uiMessageStream(agent.prompt(text));
 * }
 * ```
 */
export function uiMessageStream(
  turn: UiTurn,
  { messageId, headers, cancelOnLeave, ...quiet }: UiStreamOptions = {},
): Response {
  const frames = framesOf(turn, messageId);
  const body = keptAlive(frames, quiet, () => {
    if (cancelOnLeave ?? true) turn.cancel("the client left");
  });
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(protocolHeaders)) {
    all.set(name, value);
  }
  return new Response(body, { headers: all });
}

/**
 * What the user said last, from the body that `useChat` sends. The conversation
 * before it is the agent's to keep.
 *
 * @param body The request's body, parsed.
 * @returns The text of the last message, where it is the user's and has some.
 */
export function lastUserText(body: unknown): string | undefined {
  const messages: unknown = isRecord(body) ? body.messages : undefined;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined;
  if (!isRecord(last) || last.role !== "user" || !Array.isArray(last.parts)) {
    return undefined;
  }
  const text = last.parts.flatMap((part: unknown) =>
    isRecord(part) && part.type === "text" && typeof part.text === "string"
      ? [part.text]
      : []
  ).join("\n");
  return text.trim() === "" ? undefined : text;
}

async function* framesOf(
  turn: UiTurn,
  messageId: string | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of uiChunks(turn, messageId)) {
    yield encoder.encode(`data: ${JSON.stringify(chunk)}\n\n`);
  }
  yield encoder.encode("data: [DONE]\n\n");
}

/** The frames as a stream that is pulled, with a comment where none comes. */
function keptAlive(
  frames: AsyncGenerator<Uint8Array, void, undefined>,
  { keepAliveMs = 15_000, clock = systemAmbient.clock }: UiStreamOptions,
  onLeave: () => void,
): ReadableStream<Uint8Array> {
  const comment = encoder.encode(": keep-alive\n\n");
  let next: ReturnType<typeof frames.next> | undefined;
  let stopTimer = () => {};
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      next ??= frames.next();
      const quiet = new Promise<"quiet">((resolve) => {
        // A timer takes no more; with any other number there are no comments.
        if (!(keepAliveMs > 0 && keepAliveMs < 2 ** 31)) return;
        stopTimer = clock.timer(keepAliveMs, () => resolve("quiet"));
      });
      const frame = await Promise.race([next, quiet]);
      stopTimer();
      if (frame === "quiet") return controller.enqueue(comment);
      next = undefined;
      if (frame.done) controller.close();
      else controller.enqueue(frame.value);
    },
    cancel() {
      stopTimer();
      onLeave();
      // It may wait for an event; nobody waits for it.
      frames.return().catch(() => {});
    },
  });
}
