/**
 * A conversation as plain JSON: what `agent.snapshot()` gives, and the check of
 * what comes back. It may have been stored by an older version, or changed.
 *
 * @module
 */

import { type BackendName, backendNames } from "./backends/backend.ts";
import type { Problem } from "./failure.ts";
import { type HistoryItem, isAnswered } from "./history.ts";
import { isDeeper, isRecord, type Json, maxDepth, parseJson } from "./json.ts";
import { shorten } from "./text.ts";
import { outcomes, type Receipt, surfaces, toolErrorCodes } from "./receipt.ts";

/** The form's version; another one is refused. */
export const snapshotVersion = 1;

/** A conversation, to be stored and continued elsewhere. Plain JSON. */
export type AgentSnapshot = {
  /** The form's version. */
  readonly version: 1;
  /** The backend whose items the history holds. */
  readonly backend: BackendName;
  /** What was said. */
  readonly history: readonly HistoryItem[];
  /** The receipts of all turns. */
  readonly receipts: readonly Receipt[];
  /** What programs kept with `store(key, value)`: JSON text by key. */
  readonly stored: Readonly<Record<string, string>>;
};

/** A snapshot that was checked, or what is wrong with it. */
export type SnapshotCheck =
  | { readonly tag: "accepted"; readonly snapshot: AgentSnapshot }
  | { readonly tag: "refused"; readonly problems: readonly Problem[] };

// A snapshot wraps inputs and outputs, which nest up to `maxDepth` levels.
const maxLevels = 2 * maxDepth;

/** Checks a snapshot for an agent on `backend`. */
export function checkSnapshot(
  value: unknown,
  backend: unknown,
  path = "options.snapshot",
): SnapshotCheck {
  let data: Json;
  try {
    // Only data is taken over: no getter, prototype or reference of the host.
    data = JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return refused(path, "expected plain JSON, as agent.snapshot() gives it");
  }
  if (!isRecord(data)) {
    return refused(path, "expected what agent.snapshot() gives");
  }
  if (isDeeper(data, maxLevels)) {
    return refused(path, `expected at most ${maxLevels} levels of nesting`);
  }
  const foreign = originProblem(data, backend, path);
  if (foreign !== undefined) return { tag: "refused", problems: [foreign] };
  const problems = [
    ...listProblems(data.history, `${path}.history`, historyProblem),
    ...listProblems(data.receipts, `${path}.receipts`, receiptProblem),
    ...storedProblems(data.stored, `${path}.stored`),
  ];
  if (problems.length === 0 && isSnapshot(data)) {
    return openStepProblem(data.history, `${path}.history`) ??
      { tag: "accepted", snapshot: data };
  }
  return { tag: "refused", problems: problems.slice(0, 20) };
}

/** Another version's form, or another provider's items, cannot be continued. */
function originProblem(
  { version, backend }: Record<string, unknown>,
  wanted: unknown,
  path: string,
): Problem | undefined {
  if (version !== snapshotVersion) {
    return {
      path: `${path}.version`,
      reason:
        `expected version ${snapshotVersion}; this one was made by another version of the module`,
    };
  }
  return backend === wanted && isBackendName(backend) ? undefined : {
    path: `${path}.backend`,
    reason:
      "expected the configuration's backend; a conversation cannot change the provider whose items it holds",
  };
}

function refused(path: string, reason: string): SnapshotCheck {
  return { tag: "refused", problems: [{ path, reason }] };
}

/** Narrows what the checks above have seen item by item. */
function isSnapshot(
  data: Record<string, unknown>,
): data is Record<string, unknown> & AgentSnapshot {
  return isBackendName(data.backend) && Array.isArray(data.history) &&
    Array.isArray(data.receipts);
}

function isBackendName(value: unknown): boolean {
  return backendNames.some((name) => name === value);
}

function listProblems(
  list: unknown,
  path: string,
  check: (item: unknown) => string | undefined,
): Problem[] {
  if (!Array.isArray(list)) return [{ path, reason: "expected an array" }];
  return list.flatMap((item, index) => {
    const reason = check(item);
    return reason === undefined ? [] : [{ path: `${path}[${index}]`, reason }];
  });
}

function storedProblems(stored: unknown, path: string): Problem[] {
  if (!isRecord(stored)) return [{ path, reason: "expected an object" }];
  return Object.entries(stored).flatMap(([key, text]) =>
    typeof text === "string" && parseJson(text).tag === "parsed" ? [] : [{
      path: `${path}.${shorten(key, 64)}`,
      reason: "expected JSON text, as a string",
    }]
  );
}

/** Only the last step may have calls without an output. */
function openStepProblem(
  history: readonly HistoryItem[],
  path: string,
): SnapshotCheck | undefined {
  const index = history.slice(0, -1)
    .findIndex((item) => item.type === "step" && !isAnswered(item));
  return index < 0 ? undefined : refused(
    `${path}[${index}].outputs`,
    "expected an output for every call of a step that is not the last",
  );
}

function historyProblem(item: unknown): string | undefined {
  if (!isRecord(item)) return "expected an object";
  if (item.type === "user") {
    return filled(item.text) ? undefined : "expected a text that is not empty";
  }
  if (item.type !== "step") return 'expected the type "user" or "step"';
  if (!filled(item.turnId) || !isStep(item.step)) {
    return "expected a turnId and a step number from 1";
  }
  if (!isListOf(item.items, isRecord)) return "expected items that are objects";
  if (!isListOf(item.calls, isCall)) {
    return "expected calls with callId, answers, tool and arguments";
  }
  if (!isListOf(item.outputs, isOutput)) {
    return "expected outputs with callId, text and isError";
  }
  const ids = item.calls.map((call) => call.callId);
  if (new Set(ids).size < ids.length) {
    return "expected calls with different ids";
  }
  return item.outputs.every((output) => ids.includes(output.callId))
    ? undefined
    : "expected outputs of the step's own calls";
}

function isListOf<T>(
  value: unknown,
  is: (item: unknown) => item is T,
): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isCall(value: unknown): value is Record<string, unknown> {
  return isRecord(value) &&
    [value.callId, value.answers, value.tool, value.arguments]
      .every((field) => typeof field === "string");
}

function isOutput(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && typeof value.callId === "string" &&
    filled(value.text) && typeof value.isError === "boolean";
}

function receiptProblem(value: unknown): string | undefined {
  if (!isRecord(value)) return "expected an object";
  const texts = [value.id, value.turnId, value.callId, value.tool];
  if (!texts.every((field) => typeof field === "string")) {
    return "expected id, turnId, callId and tool as strings";
  }
  if (!surfaces.some((surface) => surface === value.surface)) {
    return 'expected the surface "direct" or "code"';
  }
  if (
    value.outcome !== undefined &&
    !outcomes.some((outcome) => outcome === value.outcome)
  ) return `expected an outcome of ${outcomes.join(", ")}`;
  const counts = [value.requestedAt, value.inputBytes, value.outputBytes];
  if (!isStep(value.step) || !counts.every(isCount)) {
    return "expected a step number from 1, and requestedAt, inputBytes and outputBytes as numbers from 0";
  }
  if (
    typeof value.executed !== "boolean" || typeof value.truncated !== "boolean"
  ) return "expected executed and truncated as booleans";
  return optionalsProblem(value) ?? errorProblem(value.error);
}

function optionalsProblem(
  { parentId, abandoned, startedAt, endedAt }: Record<string, unknown>,
): string | undefined {
  if (parentId !== undefined && typeof parentId !== "string") {
    return "expected parentId, where there is one, as a string";
  }
  if (abandoned !== undefined && typeof abandoned !== "boolean") {
    return "expected abandoned, where it is given, as a boolean";
  }
  return [startedAt, endedAt].every((at) => at === undefined || isCount(at))
    ? undefined
    : "expected startedAt and endedAt, where given, as numbers from 0";
}

function errorProblem(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const fine = isRecord(error) && typeof error.name === "string" &&
    typeof error.message === "string" && typeof error.retryable === "boolean" &&
    toolErrorCodes.some((code) => code === error.code);
  return fine
    ? undefined
    : "expected an error with name, code, message and retryable";
}

function filled(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isStep(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 1;
}

function isCount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
