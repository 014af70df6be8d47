/**
 * What the contract is about: agents on one server, and what the cases of it
 * have in common.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import type { BackendName } from "../../../src/backends/backend.ts";
import type { Receipt, Surface } from "../../../src/receipt.ts";
import { stepOfCalls, type WantedCall } from "../../support/surface.ts";
import {
  allEvents,
  getJson,
  postTurn,
  type SeenEvent,
  type Send,
} from "../client.ts";
import type { ScenarioModel, ScenarioStep } from "../scenario_model.ts";
import { type AgentKind, agentName } from "../servers/agent.ts";

/** The agents of one backend and surface, on one server. */
export type Subject = {
  /** Sends to the agent of the usual kind. */
  readonly send: Send;
  /** Sends to the agent of that kind. */
  readonly to: (kind: AgentKind) => Send;
  readonly backend: BackendName;
  readonly surface: Surface;
  readonly model: ScenarioModel;
};

/** One thing that every server does. */
export type Case = (subject: Subject) => Promise<void>;

/** Cases by what they show. */
export type Cases = Readonly<Record<string, Case>>;

/** The agents of a backend and surface on the server that `send` reaches. */
export function subjectOf(
  send: Send,
  model: ScenarioModel,
  backend: BackendName,
  surface: Surface,
): Subject {
  const to = (kind: AgentKind) =>
    below(send, agentName(kind, backend, surface));
  return { send: to("main"), to, backend, surface, model };
}

/** Sends to an agent of the server. */
export function below(send: Send, agent: string): Send {
  return (path, init) => send(`/${agent}${path}`, init);
}

/** A session's name that no other test has. */
export function newSession(): string {
  return `s-${crypto.randomUUID()}`;
}

/** The turn that a response is about. */
export function turnOf(response: Response): string {
  return response.headers.get("location")?.split("/").at(-1) ?? "";
}

/** What became of a turn. */
export type Outcome = {
  readonly session: string;
  readonly events: readonly SeenEvent[];
  /** The data of its last event. */
  readonly end: Readonly<Record<string, unknown>>;
  /** Of all calls. */
  readonly all: readonly Receipt[];
  /** Of the host's tools. */
  readonly receipts: readonly Receipt[];
};

/** Lets a turn with these steps run to its end. */
export async function runSteps(
  { model }: Subject,
  send: Send,
  steps: readonly ScenarioStep[],
): Promise<Outcome> {
  const session = newSession();
  const response = await postTurn(send, session, model.add(steps));
  const events = await allEvents(response);
  const { receipts: all } = await getJson(send, `/sessions/${session}`);
  assertEquals(finished(events), all);
  const end = events.at(-1)?.data;
  assertEquals(end?.type, "end");
  const receipts = all.filter(({ tool }: Receipt) => tool !== "exec");
  return { session, events, end, all, receipts };
}

/** Lets a turn whose first step makes these calls run to its end. */
export async function runCalls(
  subject: Subject,
  send: Send,
  calls: readonly WantedCall[],
): Promise<Outcome> {
  return await runSteps(subject, send, [
    stepOfCalls(subject.surface, calls),
    { text: "fine" },
  ]);
}

/** The receipts as the stream's events told them, in the calls' order. */
function finished(events: readonly SeenEvent[]): unknown[] {
  const started = events.filter(({ type }) => type === "tool_started");
  const ended = events.filter(({ type }) => type === "tool_finished");
  assertEquals(started.length, ended.length);
  return started.map(({ data }) =>
    ended.find((event) => event.data.receipt.id === data.receipt.id)?.data
      .receipt
  );
}

/** Whether an event says that a call of a host's tool began. */
export function hostCallBegan({ type, data }: SeenEvent): boolean {
  return type === "tool_started" && data.receipt.tool !== "exec";
}
