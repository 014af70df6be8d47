/**
 * A tool's name in model-written code.
 *
 * @module
 */

// Words that JavaScript keeps for itself, and names that every object, or a
// promise, gives a meaning of its own.
const taken: ReadonlySet<string> = new Set([
  ..."arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield async of"
    .split(" "),
  ..."__proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ constructor hasOwnProperty isPrototypeOf propertyIsEnumerable prototype then toJSON toLocaleString toString valueOf"
    .split(" "),
]);

/**
 * The identifier that stands for a tool in code: `search-items` becomes
 * `search_items`, `2fa` becomes `_2fa`, `delete` becomes `delete_`. Two names may
 * become one identifier; the tool set refuses those.
 *
 * @param name A tool's name: letters, digits, `_` and `-`.
 */
export function toIdentifier(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_$]/g, "_");
  const started = /^[0-9]/.test(plain) || plain === "" ? `_${plain}` : plain;
  return taken.has(started) ? `${started}_` : started;
}
