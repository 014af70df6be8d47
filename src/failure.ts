/**
 * The one error class of this module. Whatever leaves it on purpose is a
 * {@link HostFailure}; its `kind` says which sort.
 *
 * @module
 */

/**
 * Which sort of failure it is.
 *
 * - `configuration`: `open` refused its arguments; see {@link HostFailure.problems}.
 * - `backend`: the model's provider answered with an error, broke off, or was
 *   not reached.
 * - `conflict`: the agent already runs a turn.
 * - `closed`: the agent was closed before.
 */
export type HostFailureKind =
  | "configuration"
  | "backend"
  | "conflict"
  | "closed";

/** Every {@link HostFailureKind}, for exhaustive handling and for checks. */
export const hostFailureKinds: readonly HostFailureKind[] = [
  "configuration",
  "backend",
  "conflict",
  "closed",
];

/** One thing that is wrong with a configuration, and where. */
export type Problem = {
  /** Where it is, for example `tools[2].parameters.properties.key.pattern`. */
  readonly path: string;
  /** What is wrong there, what was expected, and what to do. */
  readonly reason: string;
};

/** What a {@link HostFailure} of kind `backend` knows of the provider's answer. */
export type BackendDetails = {
  /** The provider's own error code or type, for example `overloaded_error`. */
  readonly code?: string;
  /** The HTTP status, where there was one. */
  readonly status?: number;
  /** The provider's id of the request, for its support. */
  readonly requestId?: string;
  /** Whether the same prompt may succeed later. */
  readonly retryable?: boolean;
  /** How long the provider advised to wait, in milliseconds. */
  readonly retryAfterMs?: number;
};

/** What a {@link HostFailure} carries beside its kind and message. */
export type HostFailureDetails = BackendDetails & {
  /** Every problem found, for kind `configuration`. */
  readonly problems?: readonly Problem[];
};

/**
 * The error that this module throws on purpose.
 *
 * @example Tell the kinds apart
 * ```ts
 * import { HostFailure, open } from "@nanocode/wasm";
 * import { assertEquals } from "@std/assert";
 *
 * try {
 *   await open({ backend: "openai", model: "" }, { apiKey: "key" });
 * } catch (error) {
 *   if (!(error instanceof HostFailure)) throw error;
 *   assertEquals(error.kind, "configuration");
 *   assertEquals(error.problems[0]?.path, "model");
 * }
 * ```
 */
export class HostFailure extends Error {
  /** Always `HostFailure`. */
  override readonly name = "HostFailure";
  /** Which sort of failure it is. */
  readonly kind: HostFailureKind;
  /** Every problem found; empty unless the kind is `configuration`. */
  readonly problems: readonly Problem[];
  /** The provider's own error code or type, for kind `backend`. */
  readonly code: string | undefined;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** The provider's id of the request. */
  readonly requestId: string | undefined;
  /** Whether the same prompt may succeed later. */
  readonly retryable: boolean;
  /** How long the provider advised to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  /**
   * Makes a failure.
   *
   * @param kind Which sort of failure it is.
   * @param message What happened, and what to do.
   * @param details What is known beside that.
   */
  constructor(
    kind: HostFailureKind,
    message: string,
    details: HostFailureDetails = {},
  ) {
    super(message);
    this.kind = kind;
    this.problems = details.problems ?? [];
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryable = details.retryable ?? false;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** One failure for all the problems of a configuration. */
export function configurationFailure(
  problems: readonly Problem[],
): HostFailure {
  const lines = problems.map(({ path, reason }) => `- ${path}: ${reason}`);
  const count = problems.length === 1
    ? "1 problem"
    : `${lines.length} problems`;
  return new HostFailure(
    "configuration",
    `The configuration has ${count}:\n${lines.join("\n")}`,
    { problems },
  );
}
