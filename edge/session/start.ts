/**
 * What starts a turn, and what becomes of the wish to start one.
 *
 * @module
 */

/** What starts a turn. */
export type TurnRequest = {
  readonly input: string;
  /** The client's key for this turn, so that it can ask twice and get one. */
  readonly key?: string | undefined;
};

/** What became of a request for a turn. */
export type Started =
  /** It runs; `finished` resolves when its end is stored. */
  | {
    readonly tag: "started";
    readonly turn: string;
    readonly finished: Promise<void>;
  }
  /** The same request was made before. */
  | { readonly tag: "repeated"; readonly turn: string }
  /** The key was used for another request. */
  | { readonly tag: "key_taken"; readonly turn: string }
  /** Another turn runs. */
  | { readonly tag: "busy"; readonly turn: string };
