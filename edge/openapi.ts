/**
 * The API's OpenAPI document, as the app serves it. A test holds it against the
 * routes that the app has.
 *
 * @module
 */

import { problems } from "./problem.ts";
import { ref, schemas } from "./openapi_schemas.ts";
import { eventIdPattern, idPattern, keyPattern } from "./turn_request.ts";

function json(description: string, schema: string) {
  return {
    description,
    content: { "application/json": { schema: ref(schema) } },
  };
}

const stream = {
  "text/event-stream": {
    schema: {
      type: "string",
      description:
        "Events with id, event (their type) and data (one line of JSON). The last is of type end, or error with a problem where the stream broke off. Comments keep a quiet stream open.",
    },
  },
};

const problem = {
  description: `A problem (RFC 9457). Codes: ${
    Object.entries(problems).map(([code, { status }]) => `${code} (${status})`)
      .join(", ")
  }.`,
  content: { "application/problem+json": { schema: ref("Problem") } },
};

function inPath(name: string) {
  const schema = { type: "string", pattern: idPattern };
  return { name, in: "path", required: true, schema };
}

function header(name: string, description: string, pattern?: string) {
  const form = pattern === undefined ? {} : { pattern };
  return {
    name,
    in: "header",
    description,
    schema: { type: "string", ...form },
  };
}

const session = inPath("session");
const turn = inPath("turn");

const cancelled = {
  200: json("The turn had ended before.", "Turn"),
  202: json("The turn is being cancelled.", "Turn"),
  default: problem,
};

/** The OpenAPI 3.1 document. */
export const openApiDocument = {
  openapi: "3.1.0",
  info: {
    title: "nanocode-wasm",
    version: "0.1.0",
    description: "Turns of a tool-using model, in sessions.",
  },
  security: [{ bearer: [] }],
  paths: {
    "/health": {
      get: {
        summary: "Whether the server answers",
        security: [],
        responses: { 200: json("It does.", "Health") },
      },
    },
    "/openapi.json": {
      get: {
        summary: "This document",
        security: [],
        responses: { 200: { description: "An OpenAPI document." } },
      },
    },
    "/tools": {
      get: {
        summary: "The tool set, with its schemas",
        responses: { 200: json("The tool set.", "ToolSet"), default: problem },
      },
    },
    "/sessions/{session}": {
      get: {
        summary: "A session with its turns, history and receipts",
        parameters: [session],
        responses: { 200: json("The session.", "Session"), default: problem },
      },
      delete: {
        summary: "Delete a session; its running turn is cancelled",
        parameters: [session],
        responses: {
          204: { description: "There is no such session any more." },
          default: problem,
        },
      },
    },
    "/sessions/{session}/turns": {
      post: {
        summary: "Start a turn; the session is made where there is none",
        parameters: [
          session,
          header("Accept", "application/json for one document at the end"),
          header(
            "Prefer",
            "respond-async: the turn goes on without the client",
          ),
          header(
            "Idempotency-Key",
            "The same key and body give the same turn",
            keyPattern,
          ),
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: ref("TurnRequest") } },
        },
        responses: {
          200: {
            description:
              "The turn's events, or the turn at its end. A client that waits long for the latter gets blanks before it, and reads in it how the turn ended; a turn that cannot be read then is a problem, with this status all the same.",
            content: {
              ...stream,
              "application/json": {
                schema: { oneOf: [ref("Turn"), ref("Problem")] },
              },
            },
          },
          202: json(
            "The turn goes on; see Location. With respond-async, a repeated request whose turn has ended gets 200 and the turn.",
            "Turn",
          ),
          default: problem,
        },
      },
    },
    "/sessions/{session}/turns/{turn}": {
      get: {
        summary: "A turn with its receipts",
        parameters: [session, turn],
        responses: { 200: json("The turn.", "Turn"), default: problem },
      },
      delete: {
        summary: "Cancel a turn",
        parameters: [session, turn],
        responses: cancelled,
      },
    },
    "/sessions/{session}/turns/{turn}/cancel": {
      post: {
        summary: "Cancel a turn",
        parameters: [session, turn],
        responses: cancelled,
      },
    },
    "/sessions/{session}/turns/{turn}/events": {
      get: {
        summary: "A turn's events: those missed, then the rest as they come",
        parameters: [
          session,
          turn,
          header(
            "Last-Event-ID",
            "The id of the last event that the client has",
            eventIdPattern,
          ),
        ],
        responses: {
          200: { description: "The turn's events.", content: stream },
          204: { description: "The client has them all." },
          default: problem,
        },
      },
    },
  },
  components: {
    schemas,
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
  },
};
