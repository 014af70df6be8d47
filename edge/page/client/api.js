// @ts-check
/**
 * The HTTP API, as the page uses it.
 *
 * @module
 */

import { isAgent, isEvent, isRecord, isTurn } from "./guard.js";
import { readMessages } from "./sse.js";

/** @import { AgentDocument } from "./guard.js" */
/** @import { SessionEvent, TurnRecord } from "../../session/turn_record.ts" */

/** @typedef {{ readonly number: number, readonly event: SessionEvent }} NumberedEvent */

/** The API refused a request, or could not be reached. */
export class Problem extends Error {
  /**
   * @param {number} status The response's status; 0 where none came.
   * @param {string} message What to tell the user.
   * @param {string} [turn] The turn that it is about.
   */
  constructor(status, message, turn) {
    super(message);
    this.status = status;
    this.turn = turn;
  }
}

// A quiet stream carries a comment now and then. One that carries nothing for
// so long is taken for dead, and asked for again.
const silenceMs = 60_000;

// In a row, with growing pauses: about a minute.
const mostFailures = 9;

/** The API of one app. */
export class Api {
  /** What is sent as bearer token; nothing while it is empty. */
  token = "";
  #base;

  /** @param {URL} base The app's address, with a slash at its end. */
  constructor(base) {
    this.#base = base;
  }

  /** @returns {Promise<AgentDocument>} */
  async agent() {
    return checked(await this.#json("page/agent.json"), isAgent);
  }

  /** @returns {Promise<{ name: string, description: string }[]>} The agent's tools. */
  async tools() {
    const document = await this.#json("tools");
    return listOf(document, "tools").flatMap((tool) =>
      isRecord(tool)
        ? [{ name: String(tool.name), description: String(tool.description) }]
        : []
    );
  }

  /**
   * A session's turns, in order; none where there is no such session.
   *
   * @param {string} session
   * @returns {Promise<{ turns: TurnRecord[], running: string | undefined }>}
   */
  async session(session) {
    try {
      const document = await this.#json(`sessions/${session}`);
      const { running } = document;
      return {
        turns: listOf(document, "turns").filter(isTurn),
        running: typeof running === "string" ? running : undefined,
      };
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      return { turns: [], running: undefined };
    }
  }

  /**
   * Starts a turn that goes on when the page is closed.
   *
   * @param {string} session
   * @param {string} input
   * @returns {Promise<TurnRecord>}
   */
  async start(session, input) {
    const request = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        prefer: "respond-async",
        "idempotency-key": randomId(),
      },
      body: JSON.stringify({ input }),
    };
    const path = `sessions/${session}/turns`;
    const document = await this.#json(path, request).catch((error) => {
      // It may have arrived; the key makes sure that it counts once.
      if (error instanceof Problem && error.status === 0) {
        return this.#json(path, request);
      }
      throw error;
    });
    return checked(document, isTurn);
  }

  /**
   * @param {string} session
   * @param {string} turn
   * @returns {Promise<void>}
   */
  async cancel(session, turn) {
    const path = `sessions/${session}/turns/${turn}/cancel`;
    await this.#json(path, { method: "POST" });
  }

  /**
   * A turn's events after number `after`, to its end. Goes on by itself where
   * the connection breaks.
   *
   * @param {string} session
   * @param {string} turn
   * @param {number} after The number of the last event that is known, or 0.
   * @param {AbortSignal} signal Ends it before.
   * @returns {AsyncGenerator<NumberedEvent, void, undefined>}
   */
  async *events(session, turn, after, signal) {
    const path = `sessions/${session}/turns/${turn}/events`;
    let last = after;
    for (let failures = 0;;) {
      try {
        for await (const numbered of this.#stream(path, last, signal)) {
          if (numbered.number <= last) continue;
          last = numbered.number;
          failures = 0;
          if (isEvent(numbered.event)) {
            yield { number: last, event: numbered.event };
          }
          if (isEnd(numbered.event)) return;
        }
      } catch (error) {
        const refused = error instanceof Problem && error.status >= 400 &&
          error.status < 500;
        if (refused || signal.aborted) throw error;
      }
      if (failures === mostFailures) {
        throw new Problem(0, "The connection to the turn was lost. Reload.");
      }
      await pause(Math.min(250 * 2 ** failures++, 10_000), signal);
    }
  }

  /**
   * @param {string} path
   * @param {number} after
   * @param {AbortSignal} signal
   * @returns {AsyncGenerator<{ number: number, event: unknown }, void, undefined>}
   */
  async *#stream(path, after, signal) {
    const silence = new AbortController();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    };
    heard();
    try {
      const response = await this.#send(path, {
        headers: after === 0 ? {} : { "last-event-id": String(after) },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      if (response.status === 204) {
        return yield { number: Infinity, event: { type: "end" } };
      }
      if (response.body === null) return;
      for await (const { id, data } of readMessages(response.body, heard)) {
        // The server's word that the stream failed has no number.
        if (id !== "") yield { number: Number(id), event: JSON.parse(data) };
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} [request]
   * @returns {Promise<Record<string, unknown>>}
   */
  async #json(path, request) {
    const response = await this.#send(path, request);
    return checked(await response.json(), isRecord);
  }

  /**
   * @param {string} path
   * @param {RequestInit} [request]
   * @returns {Promise<Response>} One whose status is fine.
   */
  async #send(path, request = {}) {
    const headers = new Headers(request.headers);
    if (this.token !== "") headers.set("authorization", `Bearer ${this.token}`);
    const response = await fetch(new URL(path, this.#base), {
      ...request,
      headers,
      cache: "no-store",
      redirect: "error",
    }).catch((error) => {
      if (request.signal?.aborted) throw error;
      throw new Problem(0, "The server cannot be reached.");
    });
    if (response.ok) return response;
    throw await problemOf(response);
  }
}

/** @param {unknown} event */
function isEnd(event) {
  return isRecord(event) && event.type === "end";
}

/**
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
async function problemOf(response) {
  const document = await response.json().catch(() => undefined);
  const { title, detail, turn } = isRecord(document) ? document : {};
  const parts = [title ?? `The server answered ${response.status}`, detail];
  const said = parts.filter((part) => typeof part === "string").join(". ");
  const about = typeof turn === "string" ? turn : undefined;
  return new Problem(response.status, `${said}.`, about);
}

/**
 * @template T
 * @param {unknown} value
 * @param {(value: unknown) => value is T} fits
 * @returns {T}
 */
function checked(value, fits) {
  if (fits(value)) return value;
  throw new Problem(200, "The server's answer is of another version: reload.");
}

/**
 * @param {Record<string, unknown>} document
 * @param {string} name
 * @returns {unknown[]}
 */
function listOf(document, name) {
  const list = document[name];
  return Array.isArray(list) ? list : [];
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

/**
 * An id that nobody guesses. Not `crypto.randomUUID`, which plain HTTP lacks.
 *
 * @returns {string}
 */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
