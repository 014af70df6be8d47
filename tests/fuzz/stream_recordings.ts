/**
 * Streams to damage: of our own making, and as providers really sent them.
 *
 * @module
 */

import type { BackendName } from "../../src/backends/backend.ts";
import { recordedEvents, responsesOf } from "../support/recordings.ts";
import { type ScriptedStep, wireEvents } from "../support/wire.ts";
import type { SentEvent } from "./stream_mutation.ts";

/** What the model says, one stream a step. */
export type Recording = {
  readonly backend: BackendName;
  readonly name: string;
  readonly streams: readonly (readonly SentEvent[])[];
};

const call = (id: string, name = "lookup", text = '{"key":"a b"}') => ({
  id,
  name,
  arguments: text,
});

const steps: Readonly<Record<string, readonly ScriptedStep[]>> = {
  text: [{ text: "Hello, world" }],
  "a call": [{ calls: [call("c1")] }, { text: "It is A" }],
  "calls at once": [
    { text: "Both", calls: [call("c1"), call("c2", "save"), call("c3", "no")] },
    { calls: [call("c4", "lookup", "")] },
  ],
  "a cut answer": [{ calls: [call("c1")], stop: "truncated" }],
  "a refusal": [{ text: "No", calls: [call("c1")], stop: "refused" }],
};

/** Events with their data as text. */
export function sent(
  events: readonly { readonly type: string }[],
): SentEvent[] {
  return events.map((event) => ({
    type: event.type,
    line: JSON.stringify(event),
  }));
}

/** Every way in which a turn can go, in streams of our own. */
export function ownRecordings(backend: BackendName): Recording[] {
  return Object.entries(steps).map(([name, said]) => ({
    backend,
    name,
    streams: said.map((step) => sent(wireEvents(backend, step))),
  }));
}

const provided: Readonly<Record<BackendName, readonly string[]>> = {
  openai: [
    "openai-reasoning-encrypted-content.1",
    "lmstudio-tool-call.1",
    "openai-custom-tool.1",
    "github-copilot-id-rotation.1",
    "parallel-tool-call-wrapper.1",
    "openai-error.1",
  ],
  anthropic: [
    "anthropic-text",
    "anthropic-tool-no-args",
    "anthropic-json-other-tool.1",
    "anthropic-clear-thinking.1",
    "anthropic-refusal",
    "anthropic-message-delta-input-tokens",
    "duplicate-message-start",
  ],
};

/** What providers really sent; only where it is at hand. */
export function providedRecordings(backend: BackendName): Recording[] {
  return provided[backend].map((name) => ({
    backend,
    name,
    streams: responsesOf(recordedEvents(`${backend}/${name}`)),
  }));
}
