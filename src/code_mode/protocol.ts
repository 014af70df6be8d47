/**
 * The messages between a guest and its host: all of them.
 *
 * A guest sends an operation number, an integer and a text through one
 * import. The host answers by calling the entry points that the prelude
 * returned. Nothing else crosses the border.
 *
 * @module
 */

/** What a guest may ask of its host; the numbers are the prelude's. */
export const operation = {
  /** A tool call: the id is the call's, the text `{"tool","input"}`. */
  call: 1,
  /** A call that the guest turned down itself: `{"tool","code","message"}`. */
  refused: 2,
  /** Output for the model: plain text. */
  text: 3,
  /** A console line: the id is an index into {@link consoleLevels}. */
  console: 4,
  /** Keeps a value for later cells: `{"key","value"}`, or only `{"key"}` to drop it. */
  store: 5,
  /** Asks for a kept value: the text is the key, the answer JSON text. */
  load: 6,
  /** Asks for what is left of the budget: the answer is JSON text. */
  budget: 7,
  /** The program returned: the text is the value as JSON, or empty for none. */
  returned: 8,
  /** The program failed: `{"name","message","kind","line"?}`. */
  threw: 9,
} as const;

/** The levels of a console line, by their number. */
export const consoleLevels = ["log", "info", "warn", "error", "debug"] as const;

/** The level of a console line. */
export type ConsoleLevel = typeof consoleLevels[number];

/** Why a guest failed, as far as the guest can tell. */
export const guestErrorKinds = ["thrown", "encoding"] as const;

/** An error as the guest describes it. */
export type GuestError = {
  readonly name: string;
  readonly message: string;
  readonly kind: typeof guestErrorKinds[number];
  /** A line of the program, counted from 1. */
  readonly line?: number;
};

/** A message of the guest, checked. */
export type GuestMessage =
  | {
    readonly kind: "call";
    readonly id: number;
    readonly tool: string;
    readonly input: unknown;
  }
  | {
    readonly kind: "refused";
    readonly tool: string;
    readonly code: string;
    readonly message: string;
  }
  | { readonly kind: "text"; readonly text: string }
  | {
    readonly kind: "console";
    readonly level: ConsoleLevel;
    readonly text: string;
  }
  | {
    readonly kind: "store";
    readonly key: string;
    readonly json: string | undefined;
  }
  | { readonly kind: "load"; readonly key: string }
  | { readonly kind: "budget" }
  | { readonly kind: "returned"; readonly json: string | undefined }
  | { readonly kind: "threw"; readonly error: GuestError };

/** The longest of each part of a message, in UTF-16 units. */
export const longest = {
  tool: 128,
  code: 64,
  key: 256,
  errorName: 200,
  errorMessage: 4000,
  /** How deep a value may nest. */
  depth: 200,
} as const;

/** The name under which a program is compiled; it marks its lines in a stack. */
export const cellFilename = "cell";

/** The host's ways into a guest, in the order in which the prelude returns them. */
export const entryPoints = [
  /** `define(json)`: the tools, before the image is taken. */
  "define",
  /** `begin(json)`: `{ a, b, c, d, calls, lines }`, once a cell; `a` to `d` are the seed. */
  "begin",
  /** `settle(id, succeeded, json)`: the end of a call. */
  "settle",
  /** `nextTimer()`: when the earliest timer is due, or -1. */
  "nextTimer",
  /** `fireTimer()`: runs the earliest timer. */
  "fireTimer",
  /** `finish(value)`: sends the result, or returns a promise of what to finish. */
  "finish",
  /** `report(reason)`: sends the error. */
  "report",
  /** `summarize(reason)`: a line about an error, which is returned and not sent. */
  "summarize",
] as const;

/** The name of a way into a guest. */
export type EntryPoint = typeof entryPoints[number];
