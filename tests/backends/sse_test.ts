import { assertEquals, assertRejects } from "@std/assert";
import { readEvents, type StreamEvent } from "../../src/backends/sse.ts";
import { HostFailure } from "../../src/failure.ts";
import { seededRandom } from "../support/ambient.ts";
import { cut } from "../support/stream_server.ts";

const encode = (text: string) => new TextEncoder().encode(text);

async function read(chunks: readonly Uint8Array[]): Promise<StreamEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(body, new AbortController().signal)) {
    events.push(event);
  }
  return events;
}

const delta = { type: "delta", data: { delta: "北京🌤" } };
const streams: Readonly<Record<string, string>> = {
  "line feeds": 'event: delta\ndata: {"delta":"北京🌤"}\n\n',
  "carriage returns and line feeds":
    'event: delta\r\ndata: {"delta":"北京🌤"}\r\n\r\n',
  "carriage returns": 'event: delta\rdata: {"delta":"北京🌤"}\r\r',
  "no space after the colon": 'event:delta\ndata:{"delta":"北京🌤"}\n\n',
  "a byte order mark": '\ufeffevent: delta\ndata: {"delta":"北京🌤"}\n\n',
  "comments and pings without data":
    ': hello\n\nevent: ping\n\nevent: ping\ndata:\n\nevent: delta\ndata: {"delta":"北京🌤"}\n\n',
  "data over several lines":
    'event: delta\ndata: {"delta":\ndata: "北京🌤"}\n\n',
  "no blank line at the end": 'event: delta\ndata: {"delta":"北京🌤"}\n',
  "no line end at the end": 'event: delta\ndata: {"delta":"北京🌤"}',
  "a marker of the end":
    'event: delta\ndata: {"delta":"北京🌤"}\n\ndata: [DONE]\n\n',
  "ids, retries and unknown fields":
    'id: 7\nretry: 10\nfoo: bar\nevent: delta\ndata: {"delta":"北京🌤"}\n\n',
};

// R23
for (const [what, text] of Object.entries(streams)) {
  Deno.test(`readEvents() gives the same events for every chunking: ${what}`, async () => {
    const bytes = encode(text);
    assertEquals(await read([bytes]), [delta]);
    assertEquals(await read([...bytes].map((byte) => Uint8Array.of(byte))), [
      delta,
    ]);
    for (let at = 1; at < bytes.length; at++) {
      assertEquals(await read([bytes.slice(0, at), bytes.slice(at)]), [delta]);
    }
    for (let seed = 0; seed < 20; seed++) {
      assertEquals(await read(cut(bytes, seededRandom(seed))), [delta]);
    }
  });
}

Deno.test("readEvents() takes the type from the data before the event's name", async () => {
  assertEquals(
    await read([encode('event: a\ndata: {"type":"b"}\n\ndata: {"x":1}\n\n')]),
    [
      { type: "b", data: { type: "b" } },
      { type: "message", data: { x: 1 } },
    ],
  );
});

Deno.test("readEvents() names an event whose data cannot be read, and fails where it has no name", async () => {
  assertEquals(await read([encode("event: a\ndata: {\n\n")]), [{
    type: "a",
    data: undefined,
  }]);
  const failure = await assertRejects(
    () => read([encode("data: {\n\n")]),
    HostFailure,
  );
  assertEquals(failure.kind, "backend");
});

Deno.test("readEvents() fails at bytes that are no UTF-8, also at the very end", async () => {
  for (const bytes of [[0xff], [0xe5, 0x8c], [0xf0, 0x9f, 0x8c]]) {
    const failure = await assertRejects(
      () => read([encode('data: {"a":"'), Uint8Array.from(bytes)]),
      HostFailure,
    );
    assertEquals(
      failure.message,
      "The provider's stream cannot be read: its bytes are not UTF-8",
    );
  }
});

Deno.test("readEvents() lets go of the body when its reader stops, or the signal aborts", async () => {
  let cancelled = 0;
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(encode('data: {"a":1}\n\n')),
      cancel: () => void cancelled++,
    });
  for await (const _ of readEvents(body(), new AbortController().signal)) break;
  assertEquals(cancelled, 1);
  const abort = new AbortController();
  for await (const _ of readEvents(body(), abort.signal)) abort.abort();
  assertEquals(cancelled, 2);
});

Deno.test("readEvents() tells of a broken connection without the platform's words", async () => {
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) =>
      controller.error(new TypeError("connect 10.0.0.1 refused")),
  });
  const failure = await assertRejects(async () => {
    for await (const _ of readEvents(body, new AbortController().signal));
  }, HostFailure);
  assertEquals([failure.message, failure.retryable], [
    "The connection to the provider broke before the answer ended",
    true,
  ]);
});
