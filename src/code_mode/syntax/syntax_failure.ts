/**
 * What the parser throws.
 *
 * @module
 */

/** Why the text is no program, and where. */
export class SyntaxFailure extends SyntaxError {
  /** The position in the text. */
  readonly pos: number;

  constructor(message: string, pos: number) {
    super(message);
    this.pos = pos;
  }
}

/** The reason where the text nests deeper than is read. */
export const TOO_DEEP = "The code is nested too deeply to be read";
