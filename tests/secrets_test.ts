// What the host keeps secret stays out of every error, event and receipt,
// whoever repeats it: the provider, before or in its stream, or a tool.

import { assertEquals } from "@std/assert";
import {
  type BackendName,
  HostFailure,
  open,
  type TurnEvent,
} from "nanocode-wasm";
import { manualAmbient } from "./support/ambient.ts";
import { test } from "./support/permissions.ts";
import { type Answer, serveAnswers, sse } from "./support/stream_server.ts";
import { wireEvents } from "./support/wire.ts";

const secrets = {
  key: "KEY-5f1c-in-no-message",
  header: "HEADER-77aa-in-no-message",
  instructions: "INSTRUCTIONS: the vault opens at nine, in no message",
  prompt: "PROMPT: my number is 555-0100, in no message",
  input: "INPUT-9bd2-in-no-message",
};
const everything = Object.values(secrets).join(" | ");

/** Runs a turn and gives every word that left the runtime. */
async function wordsOf(
  backend: BackendName,
  answers: readonly Answer[],
): Promise<string> {
  await using server = serveAnswers(answers);
  await using agent = await open({
    backend,
    model: "m",
    instructions: secrets.instructions,
    surfaces: ["direct"],
    budget: { retries: 0 },
    tools: [{
      name: "login",
      description: "",
      parameters: { type: "object", properties: { pin: { type: "integer" } } },
    }],
  }, {
    ...manualAmbient(),
    apiKey: () => secrets.key,
    headers: { "x-team": secrets.header },
    baseUrl: `${server.url}/v1`,
    tools: {
      call: () =>
        Promise.reject(
          new Error(
            `refused: ${secrets.key} ${secrets.header} ${secrets.instructions}`,
          ),
        ),
    },
  });
  const turn = agent.prompt(secrets.prompt);
  const events: TurnEvent[] = [];
  let failure = "";
  try {
    for await (const event of turn) events.push(event);
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    failure = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
  }
  // A receipt is there to hold the call's input; what is asked is that no
  // message repeats it.
  const receipts = agent.receipts.map(({ input: _, ...receipt }) => receipt);
  const told = events.map((event) =>
    "receipt" in event
      ? { ...event, receipt: { ...event.receipt, input: undefined } }
      : event
  );
  return JSON.stringify({ failure, receipts, told });
}

function check(words: string, expected: string): void {
  assertEquals(words.includes(expected), true, `${expected} in ${words}`);
  for (const [what, secret] of Object.entries(secrets)) {
    assertEquals(words.includes(secret), false, `${what} in ${words}`);
  }
}

for (const backend of ["openai", "anthropic"] as const) {
  test(`${backend}: a refusal that repeats secrets does not spread them`, async () => {
    const body = JSON.stringify({
      error: {
        type: "authentication_error",
        message: `bad key in ${everything.replace(secrets.input, "")}`,
      },
    });
    check(await wordsOf(backend, [{ status: 401, body }]), "bad key in");
  });

  test(`${backend}: an error in the stream that repeats secrets does not spread them`, async () => {
    const [first] = wireEvents(backend, { text: "x" });
    const error = {
      type: "error",
      error: {
        type: "server_error",
        message: `bad day for ${everything.replace(secrets.input, "")}`,
      },
    };
    check(
      await wordsOf(backend, [{
        stream: sse([...(first ? [first] : []), error]),
      }]),
      "bad day for",
    );
  });

  test(`${backend}: a tool's error that repeats secrets does not spread them`, async () => {
    const call = { id: "c1", name: "login", arguments: '{"pin":1}' };
    const words = await wordsOf(backend, [
      { stream: sse(wireEvents(backend, { calls: [call] })) },
      { stream: sse(wireEvents(backend, { text: "done" })) },
    ]);
    check(words, "refused: ");
  });

  test(`${backend}: arguments that do not fit, or are no JSON, are not repeated`, async () => {
    const calls = [
      JSON.stringify({ pin: secrets.input }),
      `{"pin":"${secrets.input}`,
    ]
      .map((text, index) => ({
        id: `c${index}`,
        name: "login",
        arguments: text,
      }));
    const words = await wordsOf(backend, [
      { stream: sse(wireEvents(backend, { calls })) },
      { stream: sse(wireEvents(backend, { text: "done" })) },
    ]);
    check(words, "invalid_input");
    check(words, "invalid_json");
  });
}
