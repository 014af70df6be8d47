// Turns over damaged streams: recordings of our own, and of providers.

import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStrictEquals,
} from "@std/assert";
import {
  type BackendName,
  type CallContext,
  HostFailure,
  open,
  type Turn,
} from "nanocode-wasm";
import { backendNames } from "../../src/backends/backend.ts";
import { checkSnapshot } from "../../src/snapshot.ts";
import { manualAmbient, seededRandom } from "../support/ambient.ts";
import { recordingsAreThere } from "../support/recordings.ts";
import { cut } from "../support/stream_server.ts";
import { wireEvents } from "../support/wire.ts";
import { assertSound } from "./sound_history.ts";
import { type Damage, mutant, type SentEvent } from "./stream_mutation.ts";
import {
  ownRecordings,
  providedRecordings,
  type Recording,
  sent,
} from "./stream_recordings.ts";

const tools = [
  "lookup",
  "save",
  "weather",
  "calculator",
  "updateIssueList",
  "cityAttractions",
];

/** A call that the handler ran. */
type Ran = {
  readonly receipt: string;
  /** The turn, the step, and the provider's id of the call. */
  readonly key: string;
  readonly callId: string;
  readonly request: string;
};

/** A run of one turn, and what it did. */
type Run = {
  readonly what: string;
  /** What the undamaged streams say. */
  readonly told: string;
  readonly backend: BackendName;
  readonly damage: Damage;
  /** What the provider still answers; "done" after that. */
  readonly answers: Uint8Array[];
  /** What the provider was sent. */
  readonly bodies: unknown[];
  readonly ran: Ran[];
};

function provider(
  { answers, backend, bodies }: Run,
  random: () => number,
): typeof fetch {
  const done = plain(sent(wireEvents(backend, { text: "done" })));
  return (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    const answer = answers.shift();
    const breaks = answer !== undefined && random() < 0.05;
    const chunks = cut(answer ?? done, random);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (breaks) controller.error(new Error("broken"));
        else controller.close();
      },
    });
    const headers = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response(body, { headers }));
  };
}

function plain(events: readonly SentEvent[]): Uint8Array {
  const text = events.map(({ line }) => `data: ${line}\n\n`).join("");
  return new TextEncoder().encode(text);
}

/** How the turn ended; waits for another try pass at once. */
async function endOf(
  turn: Turn,
  clock: { advance(ms: number): void },
): Promise<string> {
  const open = new Set<string>();
  const ended = new Set<string>();
  try {
    for await (const event of turn) {
      if (event.type === "retry") clock.advance(event.delayMs);
      if (event.type === "tool_started") open.add(event.receipt.id);
      if (event.type === "tool_finished") {
        assert(open.has(event.receipt.id) && !ended.has(event.receipt.id));
        assert(event.receipt.outcome !== undefined);
        ended.add(event.receipt.id);
      }
    }
    return (await turn.result()).stopReason;
  } catch (error) {
    assertInstanceOf(error, HostFailure, String(error));
    assertStrictEquals(error.kind, "backend");
    return "failed";
  } finally {
    assertEquals(ended, open);
  }
}

/** One damaged turn, one sound turn after it, and the same from a snapshot. */
async function attack(
  recording: Recording,
  random: () => number,
): Promise<string> {
  const { backend, name, streams } = recording;
  const at = Math.floor(random() * streams.length);
  const { bytes, damage } = mutant(streams[at] ?? [], random);
  const run: Run = {
    what: `${name}: ${new TextDecoder().decode(bytes)}`,
    told: streams.flat().map(({ line }) => line).join("\n"),
    backend,
    damage,
    answers: streams.map((events, index) =>
      index === at ? bytes : plain(events)
    ),
    bodies: [],
    ran: [],
  };
  const { what } = run;
  const ambient = manualAmbient();
  const parts = {
    ...ambient,
    apiKey: "test-key",
    fetch: provider(run, random),
    tools: {
      call: (
        name: string,
        input: unknown,
        _signal: AbortSignal,
        { callId, idempotencyKey, receiptId }: CallContext,
      ) => {
        run.ran.push({
          receipt: receiptId,
          key: idempotencyKey,
          callId,
          request: JSON.stringify([name, input]),
        });
        return Promise.resolve("A");
      },
    },
  };
  const config = {
    backend,
    model: "m",
    surfaces: ["direct" as const],
    budget: { steps: 6, retries: 1 },
    tools: tools.map((name) => ({
      name,
      description: "",
      parameters: { type: "object" },
    })),
  };
  await using agent = await open(config, parts);
  const end = await endOf(agent.prompt("Go"), ambient.clock);
  assert(run.bodies.length <= 12, what);
  checkReceipts(run, agent.receipts);
  const snapshot = agent.snapshot();
  const checked = checkSnapshot(JSON.parse(JSON.stringify(snapshot)), backend);
  assertEquals(checked.tag, "accepted", `${JSON.stringify(checked)} ${what}`);
  // The rest of the damaged streams is not what the next turn is about.
  run.answers.length = 0;
  const before = run.ran.length;
  assertEquals(
    await endOf(agent.prompt("And now?"), ambient.clock),
    "completed",
    what,
  );
  assertEquals(run.ran.length, before, what);
  assertSound(backend, run.bodies.at(-1), what);
  return end;
}

function checkReceipts(
  { what, told, damage, ran }: Run,
  receipts: readonly { id: string; executed: boolean; outcome?: unknown }[],
): void {
  assert(receipts.every(({ outcome }) => outcome !== undefined), what);
  assertEquals(
    ran.map(({ receipt }) => receipt).sort(),
    receipts.filter(({ executed }) => executed).map(({ id }) => id).sort(),
    what,
  );
  const keys = ran.map(({ key }) => key);
  assertEquals(new Set(keys).size, keys.length, what);
  // A call that is told again, under whatever id, is not run again.
  const calls = ran.map(({ key, request }) =>
    `${key.replace(/(?:_\d+)?(\.\d+)?$/, "$1")} ${request}`
  );
  assertEquals(new Set(calls).size, calls.length, `${calls} ${what}`);
  // A provider that only repeats or reorders itself asks for no other call.
  if (damage === "contents") return;
  for (const { callId } of ran) {
    const id = callId.replace(/\.\d+$/, "");
    assert(told.includes(`"${id}"`), `${id} ${what}`);
  }
}

async function attackAll(
  recordings: readonly Recording[],
  rounds: number,
  seed: number,
): Promise<void> {
  const random = seededRandom(seed);
  const ends: Record<string, number> = {};
  for (let round = 0; round < rounds; round++) {
    const recording = recordings[round % recordings.length];
    if (recording === undefined) continue;
    const end = await attack(recording, random);
    ends[end] = (ends[end] ?? 0) + 1;
  }
  console.log(`streams: ${JSON.stringify(ends)}`);
  assert((ends.completed ?? 0) > rounds / 20);
  assert((ends.failed ?? 0) > rounds / 20);
}

const there = recordingsAreThere();

for (const backend of backendNames) {
  Deno.test(`${backend}: a turn over any damage of a stream ends, runs no call twice, and leaves a sound conversation`, async () => {
    await attackAll(ownRecordings(backend), 1_500, 1);
  });

  Deno.test({
    name: `${backend}: the same over what providers really sent`,
    ignore: !there,
    async fn() {
      await attackAll(providedRecordings(backend), 1_000, 2);
    },
  });
}
