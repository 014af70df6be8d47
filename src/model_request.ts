/**
 * What each step of an agent asks its model, but for the conversation.
 *
 * @module
 */

import type {
  Backend,
  ModelSettings,
  WireRequest,
  WireTool,
} from "./backends/backend.ts";
import type { HistoryItem } from "./history.ts";

/** What is the same in each request of an agent. */
export type FixedRequest = {
  readonly model: string;
  readonly instructions: string | undefined;
  readonly settings: ModelSettings;
  readonly tools: readonly WireTool[];
};

/** The unchanging part of an agent's requests. */
export class ModelRequest {
  /** What the provider refused in an earlier request; later ones go without. */
  readonly without: Set<string> = new Set();
  readonly #backend: Backend;
  readonly #fixed: FixedRequest;

  /**
   * @param backend The provider's wire.
   * @param fixed What is the same in each request.
   */
  constructor(backend: Backend, fixed: FixedRequest) {
    this.#backend = backend;
    this.#fixed = fixed;
  }

  /** The same requests, with other tools. */
  offering(tools: readonly WireTool[]): ModelRequest {
    return new ModelRequest(this.#backend, { ...this.#fixed, tools });
  }

  /** The request for a conversation. */
  build(
    history: readonly HistoryItem[],
    without: ReadonlySet<string>,
  ): WireRequest {
    return this.#backend.request({ ...this.#fixed, history, without });
  }
}
