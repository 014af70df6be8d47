// Streams of events: how they end, what a client that leaves does, and what
// cannot be said in them.

import { assert, assertEquals } from "@std/assert";
import type { NumberedEvent } from "../../edge/session/batches.ts";
import { pacedStream } from "../../edge/paced_stream.ts";
import { eventFrames, keepAlive } from "../../edge/sse.ts";
import { memoryStore } from "../../edge/stores/memory_store.ts";
import { ManualClock } from "../support/ambient.ts";
import { test } from "../support/permissions.ts";
import { fixture, gate, oneLookup, upper } from "./app_fixture.ts";
import { allEvents, eventsOf, getJson, headers, postTurn } from "./client.ts";

/** Lets everything run that waits for nothing from outside. */
async function settled(): Promise<void> {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve();
}

/** Lets everything run until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve));
}

/** A source of events under the test's control. */
function source() {
  const waiting: ((event: NumberedEvent | undefined) => void)[] = [];
  const ready: (NumberedEvent | undefined)[] = [];
  let number = 0;
  const put = (event: NumberedEvent | undefined) => {
    const wake = waiting.shift();
    if (wake === undefined) ready.push(event);
    else wake(event);
  };
  async function* events() {
    for (;;) {
      const event = ready.length > 0
        ? ready.shift()
        : await new Promise<NumberedEvent | undefined>((resolve) =>
          waiting.push(resolve)
        );
      if (event === undefined) return;
      yield event;
    }
  }
  return {
    events: events(),
    say: (type: string, data: Record<string, unknown> = {}) =>
      put({ number: ++number, type, event: { type, ...data } }),
    end: () => put(undefined),
  };
}

function stream(clock = new ManualClock(), signal?: AbortSignal) {
  let left = 0;
  const from = source();
  const bytes = pacedStream({
    pieces: eventFrames(from.events),
    filler: keepAlive,
    clock,
    keepAliveMs: 1000,
    signal: signal ?? new AbortController().signal,
    onLeave: () => left++,
  });
  const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
  return { ...from, clock, reader, left: () => left };
}

// R57
Deno.test("a quiet stream is kept open by comments, which are no events", async () => {
  const { reader, clock, say, end } = stream();
  await settled();
  clock.advance(1000);
  assertEquals((await reader.read()).value, ": keep-alive\n\n");
  await settled();
  clock.advance(1000);
  assertEquals((await reader.read()).value, ": keep-alive\n\n");
  say("end");
  assertEquals(
    (await reader.read()).value,
    'id: 1\nevent: end\ndata: {"type":"end"}\n\n',
  );
  end();
  assertEquals((await reader.read()).done, true);
  assertEquals(clock.pending, 0);
});

// R57
Deno.test("no timer is left when a client leaves a quiet stream", async () => {
  const { reader, clock } = stream();
  await settled();
  assertEquals(clock.pending, 1);
  await reader.cancel();
  assertEquals(clock.pending, 0);
});

// R53, R54
Deno.test("leaving is noticed once, however it shows, and what comes later harms nothing", async () => {
  const abort = new AbortController();
  const { reader, left, say, end, clock } = stream(undefined, abort.signal);
  say("text");
  await reader.read();
  abort.abort();
  abort.abort();
  await settled();
  assertEquals(left(), 1);
  say("text");
  end();
  await settled();
  await reader.cancel();
  assertEquals(left(), 1);
  assertEquals(clock.pending, 0);
});

Deno.test("the end of a stream is no leaving, also where the platform aborts the signal after it", async () => {
  const abort = new AbortController();
  const { reader, left, say, end } = stream(undefined, abort.signal);
  say("end");
  await reader.read();
  end();
  assertEquals((await reader.read()).done, true);
  abort.abort();
  assertEquals(left(), 0);
});

Deno.test("nothing is taken from the turn's events that the client does not read", async () => {
  let taken = 0;
  async function* endless(): AsyncGenerator<NumberedEvent> {
    for (;;) yield { number: ++taken, type: "text", event: { type: "text" } };
  }
  const bytes = pacedStream({
    pieces: eventFrames(endless()),
    filler: keepAlive,
    clock: new ManualClock(),
    keepAliveMs: 1000,
    signal: new AbortController().signal,
    onLeave: () => {},
  });
  await settled();
  assert(taken <= 2, `${taken}`);
  await bytes.cancel();
});

// R53
test("a client that leaves its stream cancels its turn", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup], tool.call);
  const response = await postTurn(app.send, "s1", "Look up");
  const reader = response.body?.getReader();
  await reader?.read();
  const signal = await tool.called;
  await reader?.cancel();
  const events = await allEvents(
    await app.send(`${response.headers.get("location")}/events`, { headers }),
  );
  assert(signal.aborted);
  assertEquals(events.at(-1)?.data.stopReason, "cancelled");
  assertEquals(events.at(-1)?.data.cancelReason, "the client left");
});

// R53
test("an aborted request cancels its turn, as a stream and as a document", async () => {
  for (const accept of ["text/event-stream", "application/json"]) {
    const tool = gate();
    const abort = new AbortController();
    await using app = await fixture([oneLookup], tool.call);
    const pending = postTurn(app.send, "s1", "Look up", {
      accept,
      signal: abort.signal,
    });
    const signal = await tool.called;
    abort.abort();
    await (await pending).body?.cancel();
    await settled();
    assert(signal.aborted);
    const { turns } = await getJson(app.send, "/sessions/s1");
    const path = `/sessions/s1/turns/${turns[0].id}/events`;
    const events = await allEvents(await app.send(path, { headers }));
    assertEquals(events.at(-1)?.data.stopReason, "cancelled");
  }
});

// R53, R57
test("a client that waits long for its document gets blanks before it, and is noticed when it leaves", async () => {
  for (const leaves of [false, true]) {
    const tool = gate();
    await using app = await fixture([oneLookup, { text: "done" }], tool.call);
    const pending = postTurn(app.send, "s1", "Look up", {
      accept: "application/json",
    });
    const signal = await tool.called;
    app.clock.advance(15_000);
    const response = await pending;
    assertEquals(response.status, 200);
    const reader = response.body?.pipeThrough(new TextDecoderStream())
      .getReader();
    for (let blanks = 0; blanks < 2; blanks++) {
      await settled();
      app.clock.advance(15_000);
      assertEquals((await reader?.read())?.value, "\n");
    }
    if (leaves) {
      await reader?.cancel();
      await until(() => signal.aborted);
      continue;
    }
    tool.open();
    const turn = JSON.parse((await reader?.read())?.value ?? "");
    assertEquals([turn.state, turn.end.text], ["ended", "done"]);
    assertEquals((await reader?.read())?.done, true);
  }
});

test("a client that only follows a turn leaves it running", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call);
  const started = await postTurn(app.send, "s1", "Look up", {
    prefer: "respond-async",
  });
  const path = `${started.headers.get("location")}/events`;
  const follower = await app.send(path, { headers });
  for await (const { type } of eventsOf(follower)) {
    if (type === "tool_started") break;
  }
  tool.open();
  const events = await allEvents(await app.send(path, { headers }));
  assertEquals(events.at(-1)?.data.stopReason, "completed");
});

test("a client that claims to have more events than a running turn has gets the turn's end", async () => {
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call);
  const response = await postTurn(app.send, "s1", "Look up", {
    prefer: "respond-async",
  });
  await tool.called;
  const path = `${response.headers.get("location")}/events`;
  const follower = await app.send(path, {
    headers: { ...headers, "last-event-id": "500" },
  });
  tool.open();
  const events = await allEvents(follower);
  assertEquals(events.map(({ type }) => type), ["end"]);
  assertEquals(events[0]?.data.stopReason, "completed");
});

// R55
test("no text of the model's or the client's can begin a field of the stream", async () => {
  const evil = 'x\ndata: {"type":"end"}\n\nid: 99\revent: end\u2028';
  await using app = await fixture([
    { calls: [{ id: evil, name: evil, arguments: JSON.stringify({ evil }) }] },
    { text: evil },
  ], upper);
  const response = await postTurn(app.send, "s1", evil);
  const events = await allEvents(response);
  assertEquals(events.filter(({ type }) => type === "end").length, 1);
  assertEquals(events.map(({ id }) => id), events.map((_, i) => `${i + 1}`));
  assertEquals(events.at(-1)?.data.text, evil);
  const path = `${response.headers.get("location")}/events`;
  const echoed = await app.send(path, {
    headers: { ...headers, "last-event-id": "1 id: 5" },
  });
  assertEquals(echoed.status, 400);
});

// R56
test("a stream that breaks off after its first event says so with a problem, and nothing after", async () => {
  const memory = memoryStore();
  let reads = 0;
  const tool = gate();
  await using app = await fixture([oneLookup, { text: "done" }], tool.call, {
    store: {
      ...memory,
      read: (session, prefix, from) =>
        prefix.startsWith("event/") && ++reads > 1
          ? Promise.reject(new Error("secret"))
          : memory.read(session, prefix, from),
    },
  });
  const response = await postTurn(app.send, "s1", "Look up");
  await tool.called;
  tool.open();
  const events = await allEvents(response);
  assertEquals(events.filter(({ type }) => type === "error").length, 1);
  assertEquals(events.at(-1)?.type, "error");
  assertEquals(events.at(-1)?.data.code, "internal");
  assert(!JSON.stringify(events).includes("secret"));
});
