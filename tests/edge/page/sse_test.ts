import { assertEquals } from "@std/assert";
import { readMessages } from "../../../edge/page/client/sse.js";
import { seededRandom } from "../../support/ambient.ts";
import { cut } from "../../support/stream_server.ts";

function stream(text: string, seed: number) {
  const chunks = cut(new TextEncoder().encode(text), seededRandom(seed));
  return ReadableStream.from(
    chunks.map((chunk) => new Uint8Array(chunk)),
  );
}

Deno.test("readMessages: reads messages wherever the bytes are cut", async () => {
  const text =
    ': keep-alive\n\nid: 1\nevent: text\ndata: {"delta":"größer 😀: a"}\n\n' +
    "data: a\ndata:b\r\n\r\n: comment\n\nid: 3\ndata\n\nid: 4\n\n";
  const wanted = [
    { id: "1", type: "text", data: '{"delta":"größer 😀: a"}' },
    { id: "", type: "message", data: "a\nb" },
    { id: "3", type: "message", data: "" },
  ];
  for (let seed = 0; seed < 50; seed++) {
    assertEquals(
      await Array.fromAsync(readMessages(stream(text, seed))),
      wanted,
    );
  }
});

Deno.test("readMessages: a message that the end cuts off is not given", async () => {
  const text = "id: 1\ndata: whole\n\nid: 2\ndata: cut";
  const found = await Array.fromAsync(readMessages(stream(text, 1)));
  assertEquals(found.map(({ id }) => id), ["1"]);
});

Deno.test("readMessages: comments count as a sign of life", async () => {
  let heard = 0;
  const messages = readMessages(stream(": a\n\n: b\n\n", 1), () => heard++);
  assertEquals(await Array.fromAsync(messages), []);
  assertEquals(heard > 0, true);
});
