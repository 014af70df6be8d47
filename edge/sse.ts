/**
 * A turn's events as Server-Sent Events: every stream says how it ended.
 *
 * @module
 */

import type { NumberedEvent } from "./session/batches.ts";
import { problemDocument, ProblemError, toProblem } from "./problem.ts";

/** A comment, which is no event. */
export const keepAlive = ": keep-alive\n\n";

/**
 * The events as text, each with its number as id, the last one that which ends
 * the stream. Never throws.
 */
export async function* eventFrames(
  events: AsyncGenerator<NumberedEvent, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  try {
    for await (const event of events) {
      yield frame(event);
      if (event.type === "end") return;
    }
    yield errorFrame(
      new ProblemError("not_found", {
        detail: "The session was deleted before the turn's end",
      }),
    );
  } catch (error) {
    yield errorFrame(toProblem(error));
  }
}

/** Without an id: the client goes on from the last event that it has. */
function errorFrame({ code, details }: ProblemError): string {
  const data = JSON.stringify(problemDocument(code, details));
  return `event: error\ndata: ${data}\n\n`;
}

/**
 * One event. Its type is one of a few known words, its id a number, and its
 * JSON has no line breaks: no text of a model or tool can begin a field.
 */
function frame({ number, type, event }: NumberedEvent): string {
  return `id: ${number}\nevent: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
}
