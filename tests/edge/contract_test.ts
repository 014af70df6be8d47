// One contract on every platform: in memory, on `deno serve` with Deno KV, on
// workerd with a Durable Object; on both backends and both surfaces.

import { assertEquals } from "@std/assert";
import { test } from "../support/permissions.ts";
import { stepOfCalls } from "../support/surface.ts";
import {
  allEvents,
  eventsOf,
  getJson,
  headers,
  postTurn,
  readUntil,
  type Send,
  token,
} from "./client.ts";
import { receiptCases, receiptsOfEveryEnd } from "./contract/receipts.ts";
import { sessionCases } from "./contract/sessions.ts";
import {
  below,
  type Case,
  hostCallBegan,
  newSession,
  type Subject,
  subjectOf,
} from "./contract/subject.ts";
import { type ScenarioModel, scenarioModel } from "./scenario_model.ts";
import { backends, surfaces } from "./servers/agent.ts";
import { memoryServer } from "./servers/memory.ts";
import { type Platform, startServer } from "./servers/start.ts";

/** Runs `run` with a server, which ends with it. */
async function withServer(
  platform: Platform | "memory",
  run: (send: Send, model: ScenarioModel) => Promise<void>,
): Promise<void> {
  await using model = await scenarioModel();
  if (platform === "memory") {
    const app = memoryServer({
      NANOCODE_TOKEN: token,
      NANOCODE_PROVIDER_URL: model.baseUrl,
    });
    return await run(
      async (path, init) => await app.request(path, init),
      model,
    );
  }
  const folder = await Deno.makeTempDir();
  try {
    await using server = await startServer(platform, model.baseUrl, folder);
    await run(server.send, model);
    // R54
    assertEquals(
      server.output().match(/uncaught|unhandled|\w+Error\b/gi),
      null,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The receipts that the first of all combinations gave. */
let expected: string | undefined;

for (const platform of ["memory", "deno", "cloudflare"] as const) {
  test(`contract: ${platform}`, async (test) => {
    await withServer(platform, async (send, model) => {
      await test.step("the first requests of a cold server do not hold one another up", () =>
        firstRequests(below(send, "main-openai-code"), model));
      const subjects = backends.flatMap((backend) =>
        surfaces.map((surface) => subjectOf(send, model, backend, surface))
      );
      const step = (name: string, run: Case) =>
        test.step(name, () => ofAll(subjects, run));
      await step("receipts are the same everywhere", async (subject) => {
        const receipts = await receiptsOfEveryEnd(subject);
        assertEquals(receipts, expected ??= receipts);
      });
      const cases = { ...receiptCases, ...sessionCases };
      for (const [name, run] of Object.entries(cases)) await step(name, run);
      if (platform !== "cloudflare") return;
      await test.step("a session that rested long enough is deleted, also one that was deleted before", () =>
        rested(below(send, "brief"), model));
    });
  });
}

/** Runs a case with all subjects at once. */
async function ofAll(subjects: readonly Subject[], run: Case): Promise<void> {
  const ends = await Promise.allSettled(subjects.map(run));
  for (const [index, end] of ends.entries()) {
    if (end.status === "fulfilled") continue;
    const { backend, surface } = subjects[index] ?? {};
    throw new Error(`${backend}, ${surface}`, { cause: end.reason });
  }
}

// R50
async function firstRequests(send: Send, model: ScenarioModel): Promise<void> {
  const turn = (key: string) => {
    const step = stepOfCalls("code", [{ name: "lookup", input: { key } }]);
    return postTurn(send, newSession(), model.add([step, { text: key }]));
  };
  const leave = new AbortController();
  const left = async () => {
    const long = [{ name: "wait", input: { ms: 50_000 } }];
    const response = await postTurn(
      send,
      newSession(),
      model.add([stepOfCalls("code", long)]),
      { signal: leave.signal },
    );
    await readUntil(eventsOf(response), hostCallBegan);
    leave.abort();
  };
  const text = async (key: string) =>
    (await allEvents(await turn(key))).at(-1)?.data.text;
  const [one, two] = await Promise.all([text("one"), text("two"), left()]);
  assertEquals([one, two, await text("three")], ["one", "two", "three"]);
}

async function rested(send: Send, model: ScenarioModel): Promise<void> {
  const session = newSession();
  const turn = async () => {
    const response = await postTurn(
      send,
      session,
      model.add([{ text: "bye" }]),
    );
    assertEquals((await allEvents(response)).at(-1)?.data.text, "bye");
  };
  await turn();
  const path = `/sessions/${session}`;
  const { status } = await send(path, { method: "DELETE", headers });
  assertEquals(status, 204);
  await turn();
  assertEquals((await getJson(send, `/sessions/${session}`)).turns.length, 1);
  for (let tries = 0; tries < 100; tries++) {
    const { status, body } = await send(`/sessions/${session}`, { headers });
    await body?.cancel();
    if (status === 404) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The session is still there");
}
