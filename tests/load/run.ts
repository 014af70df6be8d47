/**
 * One load run: many turns at once against a server of its own, then the check
 * of every one of them.
 *
 * @module
 */

import { pause, systemAmbient } from "../../src/ambient.ts";
import { below } from "../edge/contract/subject.ts";
import type { Send } from "../edge/client.ts";
import type { ServerProcess } from "../edge/server_process.ts";
import { type Platform, startServer } from "../edge/servers/start.ts";
import { chaosModel } from "./chaos_model.ts";
import { problemsOf } from "./check.ts";
import { runClient, type Seen } from "./client.ts";
import { plan, type PlannedTurn } from "./plan.ts";

/** How large a run is. */
export type LoadSize = {
  /** How many turns run at once. */
  readonly turns: number;
  /** How often that is done, one time after another. */
  readonly rounds: number;
  /** How many requests the route that does nothing gets. */
  readonly nothings: number;
  /** When a round counts as stuck, in milliseconds. */
  readonly limitMs: number;
};

/** What a run showed. */
export type LoadResult = {
  readonly platform: Platform;
  /** What was wrong, turn by turn. */
  readonly problems: readonly string[];
  /** From the first request to the last turn's end, all rounds, in milliseconds. */
  readonly tookMs: number;
  /** The turns of clients that stayed. */
  readonly seen: readonly (Seen & { readonly course: string })[];
  /** Latencies of the route that does nothing, alone and one after another. */
  readonly nothing: {
    readonly tookMs: number;
    readonly each: readonly number[];
  };
  /** The server's largest memory up to the end of each round, in bytes. */
  readonly peaks: readonly (number | undefined)[];
};

// How many requests the route that does nothing gets at once.
const nothingsAtOnce = 50;

/** Runs turns against a server that it starts, and ends it. */
export async function runLoad(
  platform: Platform,
  { turns, rounds, nothings, limitMs }: LoadSize,
): Promise<LoadResult> {
  const planned = plan(turns * rounds).map((turn, index) => ({
    ...turn,
    session: `load-${index}`,
    input: `Turn ${index}`,
  }));
  await using model = await chaosModel(
    new Map(planned.map(({ input, course, surface }) => [
      input,
      course.steps(surface),
    ])),
  );
  const folder = await Deno.makeTempDir();
  try {
    await using server = await startServer(platform, model.baseUrl, folder);
    const nothing = await runNothing(server.send, nothings);
    const start = performance.now();
    const ends: End[] = [];
    const peaks: (number | undefined)[] = [];
    for (let first = 0; first < planned.length; first += turns) {
      const round = planned.slice(first, first + turns)
        .map((turn) => runTurn(server.send, turn));
      ends.push(...await within(limitMs, Promise.all(round)));
      peaks.push(await server.peakBytes());
    }
    const tookMs = performance.now() - start;
    const problems = ends.flatMap(({ problems }) => problems);
    return {
      platform,
      problems: [...problems, ...await aliveProblems(server)],
      tookMs,
      seen: ends.flatMap(({ seen, course }) =>
        seen === undefined ? [] : [{ ...seen, course }]
      ),
      nothing,
      peaks,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

type End = {
  readonly course: string;
  readonly seen: Seen | undefined;
  readonly problems: readonly string[];
};

async function runTurn(
  send: Send,
  { agent, course, surface, session, input }: PlannedTurn & {
    readonly session: string;
    readonly input: string;
  },
): Promise<End> {
  const { name } = course;
  const title = `${session}, ${agent}, ${surface}, ${name}`;
  try {
    const to = below(send, agent);
    const seen = await runClient(to, session, input, course.client);
    const problems = await problemsOf(to, session, seen.path, course);
    return {
      course: name,
      seen,
      problems: problems.map((problem) => `${title}: ${problem}`),
    };
  } catch (error) {
    const problems = [`${title}: ${error}`];
    return { course: name, seen: undefined, problems };
  }
}

async function runNothing(
  send: Send,
  count: number,
): Promise<LoadResult["nothing"]> {
  const each: number[] = [];
  let left = count;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: nothingsAtOnce }, async () => {
      while (left-- > 0) {
        const began = performance.now();
        await (await send("/nothing")).text();
        each.push(performance.now() - began);
      }
    }),
  );
  return { tookMs: performance.now() - start, each };
}

async function aliveProblems({ send }: ServerProcess): Promise<string[]> {
  const response = await send("/nothing").catch(() => undefined);
  await response?.body?.cancel();
  return response?.ok ? [] : ["The server does not answer any more"];
}

/** What `run` gives, if it does so in time. */
async function within<T>(ms: number, run: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = pause(systemAmbient.clock, ms, over.signal).then(() => {
    if (!over.signal.aborted) {
      throw new Error(`The run was not over after ${ms} ms`);
    }
  });
  try {
    const [result] = await Promise.all([
      run.finally(() => over.abort()),
      late,
    ]);
    return result;
  } finally {
    over.abort();
  }
}
