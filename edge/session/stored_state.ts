/**
 * What is thrown where the store gives back what no session wrote.
 *
 * @module
 */

/** The store's content is not what this version writes. */
export class StoredStateInvalid extends Error {
  /** Always `StoredStateInvalid`. */
  override readonly name = "StoredStateInvalid";

  /** @param what Which part of the session it is. */
  constructor(what: string) {
    super(`The stored session cannot be read: its ${what} is not valid`);
  }
}
