/**
 * Streams that providers really sent, where they are at hand.
 *
 * @module
 */

import { permitted } from "./permissions.ts";

const root = new URL("../../../shared/recordings/", import.meta.url);

/** One recorded event; `line` is its data as it was sent. */
export type RecordedEvent =
  & { readonly type: string; readonly line: string }
  & Record<string, unknown>;

/** Whether the recordings can be read; says so where they are not at hand. */
export function recordingsAreThere(): boolean {
  if (!permitted) return false;
  try {
    return Deno.statSync(root).isDirectory;
  } catch {
    console.log(
      "The recorded streams are not at hand: their tests are skipped",
    );
    return false;
  }
}

/** The events of a recording, for example `openai/openai-phase.1`. */
export function recordedEvents(path: string): RecordedEvent[] {
  const url = new URL(`${path}.jsonl`, root);
  return Deno.readTextFileSync(url).trim().split("\n").map(read);
}

/** One recording's first and last line are cut at their end, as they came. */
function read(line: string): RecordedEvent {
  try {
    return { ...JSON.parse(line), line };
  } catch {
    return { type: line.match(/"type":"([^"]+)"/)?.[1] ?? "", line };
  }
}

/** The events as the provider sent them. */
export function asSent(events: readonly RecordedEvent[]): string {
  return events.map(({ type, line }) => `event: ${type}\ndata: ${line}\n\n`)
    .join("");
}

/** The responses of a recording: a new one starts where the provider says so. */
export function responsesOf(
  events: readonly RecordedEvent[],
): RecordedEvent[][] {
  const responses: RecordedEvent[][] = [];
  for (const event of events) {
    if (event.type === "response.created" || responses.length === 0) {
      responses.push([]);
    }
    responses.at(-1)?.push(event);
  }
  return responses;
}
