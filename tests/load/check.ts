/**
 * What must hold of every turn after a load run: it ended, once, as its course
 * allows, and each of its calls has exactly one terminal receipt.
 *
 * @module
 */

import { allEvents, getJson, headers, type Send } from "../edge/client.ts";
import type { Course } from "./plan.ts";

/** What is wrong with a turn; nothing where it is as it must be. */
export async function problemsOf(
  send: Send,
  session: string,
  path: string,
  { ends }: Course,
): Promise<string[]> {
  // Reads on to the end of a turn that still runs.
  const events = await allEvents(await send(`${path}/events`, { headers }));
  const state = await getJson(send, `/sessions/${session}`);
  const [turn] = state.turns;
  const started = idsOf(events, "tool_started");
  const finished = idsOf(events, "tool_finished");
  const receipts: { id: string; outcome?: string }[] = state.receipts;
  const kept = receipts.filter(({ outcome }) => outcome !== undefined)
    .map(({ id }) => id);
  const terminal = events.filter(({ type }) =>
    type === "end" || type === "error"
  );
  const reason = String(turn?.end?.stopReason);
  const checks: [boolean, string][] = [
    [state.running === undefined, "it still runs"],
    [state.turns.length === 1, `the session has ${state.turns.length} turns`],
    [ends.includes(reason), `it ended with ${reason}`],
    [terminal.length === 1, `it has ${terminal.length} terminal events`],
    [events.at(-1)?.type === "end", "its last event is another than its end"],
    [
      events.every(({ id }, index) => id === `${index + 1}`),
      "its events are not numbered one by one",
    ],
    [new Set(started).size === started.length, "a call started twice"],
    [same(started, finished), "started and finished calls differ"],
    [same(started, kept), "started calls and terminal receipts differ"],
    [receipts.length === kept.length, "a receipt is open"],
  ];
  return checks.flatMap(([fine, problem]) => fine ? [] : [problem]);
}

function idsOf(
  events: Awaited<ReturnType<typeof allEvents>>,
  type: string,
): string[] {
  return events.filter((event) => event.type === type)
    .map(({ data }) => String(data.receipt.id));
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}
