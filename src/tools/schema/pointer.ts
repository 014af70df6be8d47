/**
 * The tokens of JSON pointers (RFC 6901).
 *
 * @module
 */

/** The name that a token stands for. */
export function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The same of a token in an address, where it is percent-encoded too. */
export function decodeToken(token: string): string {
  try {
    return unescapeToken(decodeURIComponent(token));
  } catch {
    return token;
  }
}
