// What starts a turn, where something of the host's is not as it should be.

import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { type Agent, open, type RuntimeOptions } from "nanocode-wasm";
import { redactionOf } from "../src/open_checks.ts";
import { manualAmbient } from "./support/ambient.ts";
import { scriptedFetch, streamed } from "./support/scripted_fetch.ts";
import { wireEvents } from "./support/wire.ts";

type Given = Partial<RuntimeOptions> & { readonly replies?: number };

async function agentWith({ replies = 1, ...given }: Given) {
  const reply = streamed(wireEvents("openai", { text: "Hello" }));
  const { fetch, sent } = scriptedFetch(Array(replies).fill(reply));
  const agent: Agent = await open({
    backend: "openai",
    model: "m",
    surfaces: ["direct"],
  }, { ...manualAmbient(), apiKey: "key-123456789", fetch, ...given });
  return { agent, sent };
}

Deno.test("a prompt that could not start leaves no trace in the conversation", async () => {
  const ids = manualAmbient();
  let fails = true;
  const { agent, sent } = await agentWith({
    newId: (kind) => {
      if (fails) throw new Error("no id");
      return ids.newId(kind);
    },
  });
  assertThrows(() => agent.prompt("First"), Error, "no id");
  fails = false;
  // What a host without types may do.
  const signal = JSON.parse("{}");
  assertThrows(() => agent.prompt("Second", { signal }), TypeError);
  await agent.prompt("Third").result();
  assertEquals(sent[0]?.body.input.length, 1);
});

Deno.test("a turn whose clock fails ends, and frees the agent", async () => {
  const { clock } = manualAmbient();
  let fails = true;
  const { agent } = await agentWith({
    clock: {
      now: () => clock.now(),
      timer: (ms, call) => {
        if (fails) throw new Error("no timer");
        return clock.timer(ms, call);
      },
    },
  });
  const turn = agent.prompt("First");
  await assertRejects(() => turn.result());
  await assertRejects(() => Array.fromAsync(turn));
  fails = false;
  assertEquals((await agent.prompt("Second").result()).text, "Hello");
});

Deno.test("a signal's reason is told without secrets and within bounds", async () => {
  for (
    const [reason, told] of [
      [new Error("for key-123456789"), "for [redacted]"],
      ["x".repeat(100_000), `${"x".repeat(1999)}…`],
      [{ a: 1n }, "the signal was aborted"],
    ]
  ) {
    const { agent } = await agentWith({ fetch: () => new Promise(() => {}) });
    const controller = new AbortController();
    const turn = agent.prompt("Hello", { signal: controller.signal });
    controller.abort(reason);
    assertEquals((await turn.result()).cancelReason, told);
  }
});

Deno.test("redactionOf: hides what a header holds behind its scheme, and no header that helps", () => {
  const redaction = redactionOf({}, {
    headers: {
      authorization: "Bearer gw-live_0123456789abcdef",
      "Proxy-Authorization": `Basic ${btoa("gateway:pass99word")}`,
      "Anthropic-Beta": "a-feature-2026-01-01",
      "x-team": "blue-team",
    },
  });
  for (
    const [message, cleaned] of [
      ["Key gw-live_0123456789abcdef is bad", "Key [redacted] is bad"],
      ["gateway:pass99word", "[redacted]"],
      ["the password pass99word", "the password [redacted]"],
      ["team blue-team", "team [redacted]"],
      ["no a-feature-2026-01-01 here", "no a-feature-2026-01-01 here"],
    ] as const
  ) assertEquals(redaction.clean(message), cleaned);
});
