/**
 * The client's end of a chat: the AI SDK's own transport and reader, as `useChat`
 * uses them.
 *
 * @module
 */

import { assert } from "@std/assert";
import type { UIMessage, UIMessageChunk } from "ai";

/** What the client saw: the final message, and the error that it was told of. */
export type Seen = {
  readonly message: UIMessage;
  readonly error: string | undefined;
};

/** Reads a stream as `useChat` does. */
export async function read(
  stream: ReadableStream<UIMessageChunk>,
): Promise<Seen> {
  const { readUIMessageStream, validateUIMessages } = await import("ai");
  let message: UIMessage | undefined;
  let error: string | undefined;
  for await (
    const state of readUIMessageStream({
      stream,
      onError: (thrown) => error = String(thrown),
    })
  ) message = state;
  assert(message !== undefined, "no message came");
  await validateUIMessages({ messages: [message] });
  return { message, error };
}

/** Sends a prompt as `useChat` does, to what answers it. */
export async function chat(
  answer: (request: Request) => Promise<Response>,
  abortSignal?: AbortSignal,
): Promise<ReadableStream<UIMessageChunk>> {
  const { DefaultChatTransport } = await import("ai");
  const transport = new DefaultChatTransport({
    api: "http://agent.example/chat",
    fetch: (input, init) => answer(new Request(input, init)),
  });
  return await transport.sendMessages({
    trigger: "submit-message",
    chatId: "chat_1",
    messageId: undefined,
    messages: [{
      id: "m1",
      role: "user",
      parts: [{ type: "text", text: "Look up alpha" }],
    }],
    abortSignal,
  });
}
