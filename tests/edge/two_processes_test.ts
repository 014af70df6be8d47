// Two `deno serve` processes on one Deno KV database, as Deno Deploy runs an
// app: what one of them runs, the other one follows, cancels and respects.

import { assertEquals } from "@std/assert";
import { test } from "../support/permissions.ts";
import { stepOfCalls, type WantedCall } from "../support/surface.ts";
import {
  allEvents,
  eventsOf,
  getJson,
  headers,
  postTurn,
  readUntil,
} from "./client.ts";
import {
  below,
  hostCallBegan,
  newSession,
  turnOf,
} from "./contract/subject.ts";
import { scenarioModel } from "./scenario_model.ts";
import { agentName } from "./servers/agent.ts";
import { startServer } from "./servers/start.ts";

const long: WantedCall = { name: "wait", input: { ms: 50_000 } };
const short: WantedCall = { name: "wait", input: { ms: 1500 } };

test("two processes: a turn of one is followed, respected, cancelled and deleted by the other", async (test) => {
  await using model = await scenarioModel();
  const folder = await Deno.makeTempDir();
  try {
    const start = () => startServer("deno", model.baseUrl, folder);
    await using first = await start();
    await using second = await start();
    const agent = agentName("main", "openai", "direct");
    const [one, other] = [below(first.send, agent), below(second.send, agent)];

    await test.step("its events from the third on, and the live rest", async () => {
      const session = newSession();
      const step = stepOfCalls("direct", [short]);
      const response = await postTurn(
        one,
        session,
        model.add([step, { text: "fine" }]),
      );
      const events = eventsOf(response);
      await readUntil(events, hostCallBegan);
      const path = `/sessions/${session}/turns/${turnOf(response)}/events`;
      const followed = await allEvents(
        await other(path, { headers: { ...headers, "last-event-id": "2" } }),
      );
      await readUntil(events, ({ type }) => type === "end");
      const all = await allEvents(await one(path, { headers }));
      assertEquals(followed, all.slice(2));
      assertEquals(all.at(-1)?.data.stopReason, "completed");
    });

    await test.step("the same key gives the same turn, another turn conflicts", async () => {
      const session = newSession();
      const key = { "idempotency-key": "k" };
      const input = model.add([stepOfCalls("direct", [short]), {
        text: "once",
      }]);
      const response = await postTurn(one, session, input, key);
      const again = await postTurn(other, session, input, key);
      assertEquals(turnOf(again), turnOf(response));
      const busy = await postTurn(other, session, model.add([]));
      assertEquals([busy.status, (await busy.json()).code], [
        409,
        "turn_running",
      ]);
      assertEquals(await allEvents(again), await allEvents(response));
      assertEquals(model.asked(input), 2);
    });

    await test.step("of turns that both are asked for at once one is started", async () => {
      const session = newSession();
      const inputs = Array.from(
        { length: 6 },
        () => model.add([stepOfCalls("direct", [short]), { text: "fine" }]),
      );
      const responses = await Promise.all(
        inputs.map((input, index) =>
          postTurn(index % 2 === 0 ? one : other, session, input, {
            prefer: "respond-async",
          })
        ),
      );
      await Promise.all(responses.map(({ body }) => body?.cancel()));
      const statuses = responses.map(({ status }) => status).sort();
      assertEquals(statuses, [202, ...Array(5).fill(409)]);
      const [{ id }] = (await getJson(other, `/sessions/${session}`)).turns;
      const path = `/sessions/${session}/turns/${id}/events`;
      await allEvents(await other(path, { headers }));
      const asked = inputs.filter((input) => model.asked(input) > 0);
      assertEquals(asked.length, 1);
    });

    await test.step("it is cancelled", async () => {
      const session = newSession();
      const input = model.add([stepOfCalls("direct", [long])]);
      const response = await postTurn(one, session, input);
      const events = eventsOf(response);
      await readUntil(events, hostCallBegan);
      const path = `/sessions/${session}/turns/${turnOf(response)}`;
      const cancelled = await other(path, { method: "DELETE", headers });
      assertEquals(cancelled.status, 202);
      await cancelled.body?.cancel();
      const end = await readUntil(events, ({ type }) => type === "end");
      assertEquals(end.data.stopReason, "cancelled");
      const { receipts } = await getJson(other, path);
      assertEquals(receipts[0].outcome, "cancelled");
    });

    await test.step("its session is deleted, and stays so", async () => {
      const session = newSession();
      const input = model.add([stepOfCalls("direct", [long])]);
      const response = await postTurn(one, session, input);
      const events = eventsOf(response);
      await readUntil(events, hostCallBegan);
      const path = `/sessions/${session}`;
      const removed = await other(path, { method: "DELETE", headers });
      assertEquals(removed.status, 204);
      // The process that ran the turn has written its last word.
      await Array.fromAsync(events);
      for (const send of [one, other]) {
        const gone = await send(path, { headers });
        assertEquals([gone.status, (await gone.json()).code], [
          404,
          "not_found",
        ]);
      }
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
