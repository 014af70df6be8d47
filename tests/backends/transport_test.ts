import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { anthropic } from "../../src/backends/anthropic.ts";
import type { Backend } from "../../src/backends/backend.ts";
import { openai } from "../../src/backends/openai.ts";
import {
  exchange,
  type Patience,
  type Transport,
} from "../../src/backends/transport.ts";
import { HostFailure } from "../../src/failure.ts";
import { Redaction } from "../../src/redaction.ts";
import { manualAmbient } from "../support/ambient.ts";

type Reply = {
  status?: number;
  body?: string;
  headers?: Record<string, string>;
  error?: Error;
};

const good = 'data: {"type":"response.completed"}\n\n';

/** A transport whose `fetch` gives these replies, and counts open bodies. */
function transportOn(
  replies: readonly Reply[],
  given: Partial<Transport> & { backend?: Backend } = {},
) {
  const ambient = manualAmbient();
  const seen: {
    url: string;
    init: RequestInit;
    open: number;
    receiver: unknown;
  }[] = [];
  let open = 0;
  const transport: Transport = {
    backend: openai,
    baseUrl: "https://provider.test/v1",
    apiKey: () => "test-key-1234",
    headers: {},
    ambient,
    redaction: new Redaction(),
    fetch: function (this: unknown, input: unknown, init: RequestInit = {}) {
      const reply = replies[seen.length] ?? {};
      seen.push({ url: String(input), init, open, receiver: this });
      if (reply.error !== undefined) return Promise.reject(reply.error);
      open++;
      let sent = false;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (sent) {
            open--;
            return controller.close();
          }
          sent = true;
          controller.enqueue(new TextEncoder().encode(reply.body ?? good));
        },
        cancel() {
          open--;
        },
      }, { highWaterMark: 0 });
      return Promise.resolve(
        new Response(body, {
          status: reply.status ?? 200,
          headers: { "content-type": "text/event-stream", ...reply.headers },
        }),
      );
    } as typeof fetch,
    ...given,
  };
  return { transport, seen, clock: ambient.clock, openBodies: () => open };
}

function patience(given: Partial<Patience> = {}): Patience {
  return {
    signal: new AbortController().signal,
    retries: 3,
    remainingMs: () => 300_000,
    onRetry: () => {},
    ...given,
  };
}

const build = () => ({ path: "/responses", headers: {}, body: { model: "m" } });

async function drain(
  set: ReturnType<typeof transportOn>,
  given: Partial<Patience> = {},
): Promise<string[]> {
  const waits: number[] = [];
  const running = exchange(
    set.transport,
    build,
    new Set(),
    patience({
      ...given,
      onRetry: (attempt, delayMs, message) => {
        waits.push(delayMs);
        given.onRetry?.(attempt, delayMs, message);
        queueMicrotask(() => queueMicrotask(() => set.clock.advance(delayMs)));
      },
    }),
  );
  const types: string[] = [];
  for await (const { type } of (await running).events) types.push(type);
  return [...types, ...waits.map(String)];
}

// R46
Deno.test("fetch is called without a receiver, with the credential and the host's headers", async () => {
  const set = transportOn([{}], { headers: { "x-team": "a" } });
  assertEquals(await drain(set), ["response.completed"]);
  const [request] = set.seen;
  const headers = new Headers(request?.init.headers);
  assertEquals([
    request?.url,
    request?.receiver,
    headers.get("authorization"),
    headers.get("x-team"),
    request?.init.redirect,
  ], [
    "https://provider.test/v1/responses",
    undefined,
    "Bearer test-key-1234",
    "a",
    "manual",
  ]);
});

Deno.test("the Anthropic address may be given with its version or without", async () => {
  for (const baseUrl of ["https://provider.test", "https://provider.test/v1"]) {
    const set = transportOn([{}], { backend: anthropic, baseUrl });
    await drain(set);
    assertEquals(set.seen[0]?.url, "https://provider.test/v1/responses");
    assertEquals(
      new Headers(set.seen[0]?.init.headers).get("x-api-key"),
      "test-key-1234",
    );
  }
});

// R52
Deno.test("each refused try lets go of its body before the next", async () => {
  const busy = {
    status: 429,
    body: '{"error":{"message":"busy"}}',
    headers: { "retry-after-ms": "5" },
  };
  const set = transportOn([
    busy,
    { ...busy, body: "x".repeat(200_000) },
    busy,
    {},
  ]);
  assertEquals(await drain(set), ["response.completed", "5", "5", "5"]);
  assertEquals(set.seen.map(({ open }) => open), [0, 0, 0, 0]);
  assertEquals(set.openBodies(), 0);
});

for (
  const reply of [
    { status: 500 },
    { status: 529 },
    { status: 408 },
    { error: new TypeError("reset") },
    { status: 400, headers: { "x-should-retry": "true" } },
    { body: ": nothing\n\n" },
    {
      body:
        'data: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
    },
  ]
) {
  Deno.test(`a passing trouble before the first event is tried again: ${JSON.stringify(reply)}`, async () => {
    const set = transportOn([reply, {}]);
    assertEquals((await drain(set))[0], "response.completed");
    assertEquals(set.seen.length, 2);
  });
}

for (
  const [reply, message] of [
    [
      { status: 401, body: '{"error":{"message":"bad key test-key-1234"}}' },
      "The provider answered with status 401: bad key [redacted]",
    ],
    [{
      status: 429,
      body: '{"error":{"code":"insufficient_quota","message":"pay"}}',
    }, "The provider answered with status 429: pay"],
    [
      { status: 503, headers: { "x-should-retry": "false" }, body: "<html>" },
      "The provider answered with status 503",
    ],
    [
      { status: 302, headers: { location: "https://elsewhere.test" } },
      "The provider answered with status 302. Redirects are not followed, as they would carry the key elsewhere; correct baseUrl",
    ],
    [
      { headers: { "content-type": "text/html" } },
      "The provider answered with text/html where a text/event-stream was expected; check baseUrl",
    ],
  ] as const
) {
  Deno.test(`a lasting trouble is told at once: ${JSON.stringify(reply)}`, async () => {
    const set = transportOn([reply]);
    const failure = await assertRejects(() => drain(set), HostFailure);
    assertEquals([failure.kind, failure.message], ["backend", message]);
    assertEquals([set.seen.length, set.openBodies()], [1, 0]);
  });
}

// R22
Deno.test("a wait that does not fit the time that is left fails at once, with the advice", async () => {
  const set = transportOn([{
    status: 429,
    headers: { "retry-after": "600", "x-request-id": "req_7" },
    body: "{}",
  }]);
  const failure = await assertRejects(() => drain(set), HostFailure);
  assertEquals([
    failure.retryAfterMs,
    failure.requestId,
    failure.retryable,
    set.seen.length,
  ], [600_000, "req_7", true, 1]);
});

Deno.test("a wait ends at once when the turn is stopped", async () => {
  const abort = new AbortController();
  const set = transportOn([{ status: 429, headers: { "retry-after": "30" } }]);
  await assertRejects(() =>
    exchange(
      set.transport,
      build,
      new Set(),
      patience({
        signal: abort.signal,
        onRetry: () => queueMicrotask(() => abort.abort()),
      }),
    )
  );
  assertEquals([set.seen.length, set.clock.pending], [1, 0]);
});

Deno.test("tries are bounded", async () => {
  const set = transportOn(Array.from({ length: 9 }, () => ({ status: 500 })));
  await assertRejects(() => drain(set, { retries: 2 }), HostFailure);
  assertEquals(set.seen.length, 3);
});

Deno.test("the key is asked for at each try, and one that cannot be sent is not shown", async () => {
  let asked = 0;
  const set = transportOn([{ status: 500 }, {}], {
    apiKey: () => Promise.resolve(`key-number-${++asked}`),
  });
  await drain(set);
  assertEquals(
    set.seen.map(({ init }) => new Headers(init.headers).get("authorization")),
    ["Bearer key-number-1", "Bearer key-number-2"],
  );
  for (
    const apiKey of [() => "secret\nkey", () => {
      throw new Error("vault closed for secret-key-123");
    }]
  ) {
    const failure = await assertRejects(
      () => drain(transportOn([], { apiKey })),
      HostFailure,
    );
    assertEquals(failure.message.includes("secret\nkey"), false);
    assertStringIncludes(failure.message, "apiKey");
  }
});

for (
  const [backend, body, part] of [
    [
      openai,
      '{"error":{"message":"Encrypted content is not supported with this model.","param":"include"}}',
      "include",
    ],
    [
      anthropic,
      '{"error":{"type":"invalid_request_error","message":"cache_control: Extra inputs are not permitted"}}',
      "cache_control",
    ],
  ] as const
) {
  Deno.test(`${backend.name}: a request goes without what the model does not take, and remembers it: ${part}`, async () => {
    const set = transportOn([{ status: 400, body }, {}, {}], { backend });
    const without = new Set<string>();
    const built: string[][] = [];
    const note = (parts: ReadonlySet<string>) => {
      built.push([...parts]);
      return build();
    };
    await exchange(set.transport, note, without, patience());
    await exchange(set.transport, note, without, patience());
    assertEquals(built, [[], [part], [part]]);
  });
}

// R30
Deno.test("a body holds no lone surrogate", async () => {
  const set = transportOn([{}]);
  const odd = {
    path: "/",
    headers: {},
    body: { "\ud83d": ["a\udc00b", "\\ud83d", "🎉"] },
  };
  await exchange(set.transport, () => odd, new Set(), patience());
  assertEquals(JSON.parse(String(set.seen[0]?.init.body)), {
    "\ufffd": ["a\ufffdb", "\\ud83d", "🎉"],
  });
});

const never = new Promise<never>(() => {});
const stubborn = new ReadableStream<Uint8Array>({ cancel: () => never });

for (
  const [what, given] of Object.entries<Partial<Transport>>({
    "a key that never comes": { apiKey: () => never },
    "an answer that never comes": { fetch: () => never },
    "a refusal that never ends": {
      fetch: () =>
        Promise.resolve(
          new Response(new ReadableStream({ cancel: () => never }), {
            status: 500,
          }),
        ),
    },
  })
) {
  Deno.test(`the signal ends the wait for ${what}`, async () => {
    const controller = new AbortController();
    const { transport } = transportOn([], given);
    const asked = exchange(
      transport,
      build,
      new Set(),
      patience({ signal: controller.signal }),
    );
    controller.abort(new Error("stopped"));
    await assertRejects(() => asked);
  });
}

Deno.test("a body that cannot be let go holds up nothing", async () => {
  const set = transportOn([], {
    fetch: () =>
      Promise.resolve(
        new Response(stubborn, { headers: { "content-type": "text/html" } }),
      ),
  });
  const failure = await assertRejects(() => drain(set), HostFailure);
  assertStringIncludes(failure.message, "text/html");
});

Deno.test("what the host's functions give is told where it is nothing to work with", async () => {
  const fetchless = transportOn([], {
    // What a host without types may do.
    fetch: () => Promise.resolve(JSON.parse("null")),
  });
  const failure = await assertRejects(() => drain(fetchless), HostFailure);
  assertStringIncludes(failure.message, "fetch gave no Response");
  const keyless = transportOn([], { apiKey: () => JSON.parse("null") });
  const told = await assertRejects(() => drain(keyless), HostFailure);
  assertStringIncludes(told.message, "The function apiKey gave null");
});

Deno.test("a failure in the middle of a stream names the request", async () => {
  const start = 'data: {"type":"response.created"}\n\n';
  const headers = { "x-request-id": "req_77" };
  for (const body of [`${start}data: nojson\n\n`, `${start}data: "\xff"`]) {
    const set = transportOn([{ body, headers }]);
    const failure = await assertRejects(() => drain(set), HostFailure);
    assertEquals(failure.requestId, "req_77");
  }
});

Deno.test("an error's code holds no secret", async () => {
  const redaction = new Redaction();
  redaction.add("key-123456789");
  const body = '{"error":{"message":"bad","code":"bad_key:key-123456789"}}';
  const set = transportOn([{ status: 401, body }], { redaction });
  const failure = await assertRejects(() => drain(set), HostFailure);
  assertEquals(failure.code, "bad_key:[redacted]");
});
