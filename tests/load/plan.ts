/**
 * What the turns of a load run go through: tools that wait, fail, hang and
 * flood, providers that are busy, break or babble, clients that leave.
 *
 * @module
 */

import type { BackendName } from "../../src/backends/backend.ts";
import type { Surface } from "../../src/receipt.ts";
import {
  type AgentKind,
  agentName,
  backends,
  surfaces,
} from "../edge/servers/agent.ts";
import { stepOfCalls, type WantedCall } from "../support/surface.ts";
import type { ChaosStep } from "./chaos_model.ts";

/** What a client does. */
export type ClientManner =
  /** Reads the stream to its end. */
  | "reads"
  /** Asks for one document. */
  | "waits"
  /** Goes at once, and reads the events later. */
  | "returns"
  /** Leaves when the first call began. */
  | "leaves";

/** How a turn can go. */
export type Course = {
  readonly name: string;
  readonly kind: AgentKind;
  readonly client: ClientManner;
  /** What the model does, for the surface. */
  readonly steps: (surface: Surface) => readonly ChaosStep[];
  /** How the turn may end. */
  readonly ends: readonly string[];
};

/** One turn of the run. */
export type PlannedTurn = {
  readonly course: Course;
  readonly agent: string;
  readonly backend: BackendName;
  readonly surface: Surface;
};

function calls(
  ...wanted: readonly (readonly [name: string, input: unknown])[]
): (surface: Surface) => readonly ChaosStep[] {
  const list = wanted.map(([name, input]): WantedCall => ({ name, input }));
  return (surface) => [stepOfCalls(surface, list), { text: "fine" }];
}

const lookups = calls(
  ["lookup", { key: "a" }],
  ["lookup", { key: "b" }],
  ["wait", { ms: 30 }],
);

function course(
  name: string,
  client: ClientManner,
  steps: Course["steps"],
  ends: readonly string[] = ["completed"],
  kind: AgentKind = "main",
): Course {
  return { name, client, steps, ends, kind };
}

const before = (step: ChaosStep): Course["steps"] => (surface) => [
  step,
  ...lookups(surface),
];

const after = (step: ChaosStep): Course["steps"] => (surface) => [
  ...lookups(surface).slice(0, 1),
  step,
];

/** Every course. A turn whose time is over under load ends for its budget. */
export const courses: readonly Course[] = [
  course("lookups, read", "reads", lookups),
  course("lookups, as a document", "waits", lookups),
  course("lookups, on their own", "returns", lookups),
  course(
    "tools that wait",
    "reads",
    calls(...Array.from({ length: 8 }, () => ["wait", { ms: 200 }] as const)),
  ),
  course(
    "tools that fail",
    "reads",
    calls(
      ["fail", { message: "no route" }],
      ["fling", { what: "nothing" }],
      ["give", { what: "cycle" }],
      ["unknown", {}],
      ["lookup", { key: 1 }],
    ),
  ),
  course(
    "tools that hang",
    "reads",
    calls(["hang", {}], ["lookup", { key: "a" }]),
    ["completed", "budget"],
    "tight",
  ),
  course(
    "tools that flood",
    "waits",
    calls(["flood", { bytes: 200_000 }], ["flood", { bytes: 200_000 }]),
  ),
  course("a busy provider", "reads", before({ status: 429, retryAfter: 1 })),
  course("a failing provider", "reads", before({ status: 500 })),
  course("a provider that babbles", "waits", after({ chaos: "malformed" }), [
    "failed",
  ]),
  course("a provider that hangs up", "reads", after({ chaos: "disconnect" }), [
    "failed",
  ]),
  course("a stream that is cut", "reads", after({ chaos: "cut" }), ["failed"]),
  course(
    "a client that leaves",
    "leaves",
    calls(["wait", { ms: 20_000 }], ["lookup", { key: "a" }]),
    ["cancelled"],
  ),
  course(
    "a client that leaves a tool that hangs",
    "leaves",
    calls(["hang", {}]),
    ["cancelled", "completed", "budget"],
    "tight",
  ),
];

/** `count` turns: all courses in turn, on all backends and surfaces. */
export function plan(count: number): PlannedTurn[] {
  return Array.from({ length: count }, (_, index) => {
    const course = at(courses, index);
    const round = Math.floor(index / courses.length);
    const backend = at(backends, round);
    const surface = at(surfaces, Math.floor(round / backends.length) + index);
    const agent = agentName(course.kind, backend, surface);
    return { course, agent, backend, surface };
  });
}

function at<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new RangeError("The list is empty");
  return item;
}
