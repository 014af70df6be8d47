/**
 * What a client may send, checked: the body by its schema, with the validator
 * that checks the tools' inputs; ids and headers by their form.
 *
 * @module
 */

import { isRecord, parseJson } from "../src/json.ts";
import { compileSchema } from "../src/tools/schema.ts";
import { readBody } from "./body.ts";
import { ProblemError } from "./problem.ts";
import type { TurnRequest } from "./session/start.ts";

/** The schema of the body that starts a turn. */
export const turnRequestSchema = {
  type: "object",
  properties: {
    input: {
      type: "string",
      description: "What the user says. Not only blanks.",
      pattern: "\\S",
    },
  },
  required: ["input"],
  additionalProperties: false,
};

/** What ids of sessions and turns look like. */
export const idPattern = "^[A-Za-z0-9_-]{1,64}$";
const idForm = new RegExp(idPattern);

/** What idempotency keys look like. */
export const keyPattern = "^[\\x21-\\x7e]{1,255}$";
const keyForm = new RegExp(keyPattern);

/** What the number of an event looks like. */
export const eventIdPattern = "^[0-9]{1,9}$";
const eventIdForm = new RegExp(eventIdPattern);

/** The body that starts a turn. */
export async function readTurnRequest(request: Request): Promise<TurnRequest> {
  const key = request.headers.get("idempotency-key") ?? undefined;
  if (key !== undefined && !keyForm.test(key)) {
    throw parameterProblem("Idempotency-Key", keyPattern);
  }
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    throw new ProblemError("body_not_json", {
      detail: "Send JSON with Content-Type: application/json",
    });
  }
  const parsed = parseJson(await readBody(request));
  if (parsed.tag === "malformed") {
    throw new ProblemError("body_invalid", {
      detail: `The body is not JSON: ${parsed.reason}`,
    });
  }
  const problems = bodyProblems(parsed.value);
  const body: unknown = parsed.value;
  if (
    problems.length > 0 || !isRecord(body) || typeof body.input !== "string"
  ) {
    throw new ProblemError("body_invalid", {
      detail: "The body does not fit its schema; see errors",
      errors: problems,
    });
  }
  return { input: body.input, key };
}

function bodyProblems(body: unknown) {
  const compiled = compileSchema(turnRequestSchema, "body");
  if (compiled.tag === "refused") {
    throw new Error("The body's schema is refused");
  }
  return compiled.schema.validate(body).slice(0, 10)
    .map(({ path, expected, actual }) => ({ path, expected, actual }));
}

/** An id from a path. */
export function readId(name: string, value: string | undefined): string {
  if (value !== undefined && idForm.test(value)) return value;
  throw parameterProblem(name, idPattern);
}

/** The number of the last event that the client has; 0 where it has none. */
export function readLastEventId(value: string | undefined): number {
  if (value === undefined || value === "") return 0;
  if (eventIdForm.test(value)) return Number(value);
  throw parameterProblem("Last-Event-ID", eventIdPattern);
}

/** Whether the client asks for the turn to go on without it (RFC 7240). */
export function prefersAsync(prefer: string | undefined): boolean {
  return (prefer ?? "").split(",").some((preference) =>
    preference.split(";")[0]?.trim().toLowerCase() === "respond-async"
  );
}

/**
 * Whether the client would rather have the turn as one document than as a
 * stream, which it gets where it says nothing of either (RFC 9110, 12.5.1).
 */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? "").toLowerCase().split(",");
  return quality(ranges, "application", "json") >
    quality(ranges, "text", "event-stream");
}

/** How much a media type is wanted: by its own range, else by that of its kind. */
function quality(
  ranges: readonly string[],
  kind: string,
  subtype: string,
): number {
  for (const wanted of [`${kind}/${subtype}`, `${kind}/*`]) {
    for (const range of ranges) {
      const [type, ...parameters] = range.split(";").map((part) => part.trim());
      if (type !== wanted) continue;
      const q = parameters.find((parameter) => parameter.startsWith("q="));
      return q === undefined ? 1 : Number(q.slice(2)) || 0;
    }
  }
  return 0;
}

function parameterProblem(name: string, pattern: string): ProblemError {
  return new ProblemError("parameter_invalid", {
    detail: `${name} must match ${pattern}`,
    parameter: name,
  });
}
