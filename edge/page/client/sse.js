// @ts-check
/**
 * Reads a stream of Server-Sent Events. `EventSource` would do it by itself, but
 * cannot send the header that carries the token.
 *
 * @module
 */

/**
 * One message of a stream.
 *
 * @typedef {{ readonly id: string, readonly type: string, readonly data: string }} Message
 */

/**
 * The messages of a stream, as they come. Comments are passed over.
 *
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream The response's body.
 * @param {() => void} [onBytes] Called whenever something came, comments too.
 * @returns {AsyncGenerator<Message, void, undefined>}
 */
export async function* readMessages(stream, onBytes = () => {}) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      // A message that the end cuts off is dropped: it comes again.
      if (done) return;
      onBytes();
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const message = parse(block);
        if (message !== undefined) yield message;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @param {string} block
 * @returns {Message | undefined}
 */
function parse(block) {
  const message = { id: "", type: "message" };
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "id") message.id = value;
    else if (field === "event") message.type = value;
    else if (field === "data") data.push(value);
  }
  return data.length === 0 ? undefined : { ...message, data: data.join("\n") };
}
