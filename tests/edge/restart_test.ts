// Servers that are killed in the middle of their work: what a session holds
// after a new start on the same storage.

import { assert, assertEquals } from "@std/assert";
import type { BackendName } from "../../src/backends/backend.ts";
import type { Surface } from "../../src/receipt.ts";
import { test } from "../support/permissions.ts";
import { stepOfCalls, type WantedCall } from "../support/surface.ts";
import {
  allEvents,
  eventsOf,
  getJson,
  headers,
  postTurn,
  readUntil,
  type SeenEvent,
  type Send,
} from "./client.ts";
import { below, newSession, turnOf } from "./contract/subject.ts";
import {
  type ScenarioModel,
  scenarioModel,
  type ScenarioStep,
} from "./scenario_model.ts";
import { agentName } from "./servers/agent.ts";
import { startServer } from "./servers/start.ts";

const lookup: WantedCall = { name: "lookup", input: { key: "a" } };
const wait: WantedCall = { name: "wait", input: { ms: 50_000 } };

/** A turn that is half done when its server dies. */
type HalfDone = {
  readonly backend: BackendName;
  readonly surface: Surface;
  readonly steps: readonly ScenarioStep[];
  /** How often the model was asked by then. */
  readonly asked: number;
  /** The last event that the client saw. */
  readonly until: (event: SeenEvent) => boolean;
  /** What its events go on with after the new start. */
  readonly rest: readonly (readonly [type: string, how: string])[];
  /** How the calls ended. */
  readonly outcomes: readonly string[];
};

const lookedUp = ({ type, data }: SeenEvent) =>
  type === "tool_finished" && data.receipt.tool === "lookup";

const halfDone: Readonly<Record<string, HalfDone>> = {
  "the model was asked and had said nothing": {
    backend: "openai",
    surface: "direct",
    steps: [{ silent: true }],
    asked: 1,
    until: ({ type }) => type === "step_started",
    rest: [["end", "interrupted"]],
    outcomes: [],
  },
  "one of two calls had ended": {
    backend: "openai",
    surface: "direct",
    steps: [stepOfCalls("direct", [lookup, wait])],
    asked: 1,
    until: lookedUp,
    rest: [["tool_finished", "interrupted"], ["end", "interrupted"]],
    outcomes: ["succeeded", "interrupted"],
  },
  "one of two calls of a program had ended": {
    backend: "anthropic",
    surface: "code",
    steps: [stepOfCalls("code", [lookup, wait])],
    asked: 1,
    until: lookedUp,
    rest: [
      ["tool_finished", "interrupted"],
      ["tool_finished", "interrupted"],
      ["end", "interrupted"],
    ],
    outcomes: ["interrupted", "succeeded", "interrupted"],
  },
  "it was between two steps": {
    backend: "anthropic",
    surface: "direct",
    steps: [stepOfCalls("direct", [lookup]), { silent: true }],
    asked: 2,
    until: ({ type, data }) => type === "step_started" && data.step === 2,
    rest: [["end", "interrupted"]],
    outcomes: ["succeeded"],
  },
};

type Begun = {
  readonly name: string;
  readonly half: HalfDone;
  readonly agent: string;
  readonly session: string;
  readonly input: string;
  readonly key: string;
  readonly turn: string;
  /** Its events so far. */
  readonly seen: readonly SeenEvent[];
};

async function begin(
  send: Send,
  model: ScenarioModel,
  [name, half]: [string, HalfDone],
): Promise<Begun> {
  const agent = agentName("main", half.backend, half.surface);
  const session = newSession();
  const first = model.add([{ text: "first" }]);
  await allEvents(await postTurn(below(send, agent), session, first));
  const input = model.add(half.steps);
  const key = crypto.randomUUID();
  const response = await postTurn(below(send, agent), session, input, {
    "idempotency-key": key,
  });
  const seen: SeenEvent[] = [];
  await readUntil(eventsOf(response), (event) => {
    seen.push(event);
    return half.until(event);
  });
  await model.whenAsked(input, half.asked);
  const turn = turnOf(response);
  return { name, half, agent, session, input, key, turn, seen };
}

async function checkInterrupted(
  all: Send,
  model: ScenarioModel,
  { name, half, agent, session, input, key, turn, seen }: Begun,
): Promise<void> {
  const send = below(all, agent);
  const path = `/sessions/${session}/turns/${turn}`;
  const rest = await allEvents(
    await send(`${path}/events`, {
      headers: { ...headers, "last-event-id": `${seen.length}` },
    }),
  );
  assertEquals(
    rest.map(({ type, data }) => [
      type,
      data.receipt?.outcome ?? data.stopReason,
    ]),
    [...half.rest].map((one) => [...one]),
    name,
  );
  // What was seen before is still so, and nothing is told twice.
  assertEquals(
    await allEvents(await send(`${path}/events`, { headers })),
    [...seen, ...rest],
  );
  const { state, end, receipts } = await getJson(send, path);
  assertEquals([state, end.stopReason], ["ended", "interrupted"], name);
  const outcomes = receipts.map((r: { outcome: string }) => r.outcome);
  assertEquals(outcomes, [...half.outcomes], name);
  // Asked for once more it is the same turn, and is not run again.
  const repeated = await postTurn(send, session, input, {
    "idempotency-key": key,
    accept: "application/json",
  });
  const problem = await repeated.json();
  assertEquals([repeated.status, problem.code], [503, "turn_interrupted"]);
  assertEquals([problem.turn, model.asked(input)], [turn, half.asked]);
}

async function goesOn(
  all: Send,
  model: ScenarioModel,
  { name, agent, session }: Begun,
): Promise<void> {
  const send = below(all, agent);
  const next = await postTurn(send, session, model.add([{ text: "next" }]));
  assertEquals((await allEvents(next)).at(-1)?.data.text, "next", name);
  const { turns } = await getJson(send, `/sessions/${session}`);
  assertEquals(
    turns.map((t: { end: { stopReason: string } }) => t.end.stopReason),
    ["completed", "interrupted", "completed"],
  );
}

for (const platform of ["deno", "cloudflare"] as const) {
  test(`restart: ${platform}: sessions are whole, half-done turns are interrupted, never lost, never doubled`, async () => {
    await using model = await scenarioModel();
    const folder = await Deno.makeTempDir();
    try {
      const start = () => startServer(platform, model.baseUrl, folder);
      const agent = agentName("main", "openai", "code");
      const session = newSession();
      const whole = (send: Send) =>
        getJson(below(send, agent), `/sessions/${session}`);
      let before: unknown;
      let begun: Begun[];
      {
        await using server = await start();
        const step = stepOfCalls("code", [lookup, lookup]);
        const input = model.add([step, { text: "done" }]);
        const send = below(server.send, agent);
        await allEvents(await postTurn(send, session, input));
        before = await whole(server.send);
        begun = await Promise.all(
          Object.entries(halfDone).map((half) =>
            begin(server.send, model, half)
          ),
        );
        await server.kill();
      }
      {
        await using server = await start();
        assertEquals(await whole(server.send), before);
        await Promise.all(
          begun.map((one) => checkInterrupted(server.send, model, one)),
        );
        await server.kill();
      }
      await using server = await start();
      assertEquals(await whole(server.send), before);
      await Promise.all(begun.map((one) => goesOn(server.send, model, one)));
      assert(begun.length === Object.keys(halfDone).length);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
