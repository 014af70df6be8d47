// @ts-check
/**
 * Tells the parts of a JavaScript program apart, for colours. It knows words, not
 * grammar: what it takes for something else is only coloured wrong. The tokens
 * together are always the whole program.
 *
 * @module
 */

/**
 * A part of a program.
 *
 * @typedef {"comment" | "string" | "number" | "keyword" | "tool" | "call" | "plain"} Kind
 * @typedef {{ readonly kind: Kind, readonly text: string }} Token
 */

// Beyond this a program is shown without colours.
const mostCharacters = 100_000;

const keywords = new Set(
  ("async await break case catch class const continue debugger default delete " +
    "do else export extends false finally for function if import in instanceof " +
    "let new null of return static super switch this throw true try typeof " +
    "undefined var void while with yield").split(" "),
);

// Each alternative takes a text in one way only, so the time is linear in it.
// What no other takes is plain.
const pattern = new RegExp(
  [
    /(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))/u,
    /(?<string>"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?)/u,
    /(?<tool>\btools\.[\w$]+)/u,
    /(?<number>\b\d[\w.]*)/u,
    /(?<call>[\p{ID_Start}$_][\p{ID_Continue}$]*(?=\())/u,
    /(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)/u,
    /(?<space>\s+)/u,
    /(?<other>[^])/u,
  ].map(({ source }) => source).join("|"),
  "gu",
);

/**
 * A program's tokens.
 *
 * @param {string} code
 * @returns {Token[]}
 */
export function tokens(code) {
  if (code.length > mostCharacters) return [{ kind: "plain", text: code }];
  /** @type {{ kind: Kind, text: string }[]} */
  const found = [];
  for (const { 0: text, groups = {} } of code.matchAll(pattern)) {
    const kind = kindOf(groups);
    const last = found.at(-1);
    if (kind === "plain" && last?.kind === "plain") last.text += text;
    else found.push({ kind, text });
  }
  return found;
}

/**
 * @param {Record<string, string | undefined>} groups
 * @returns {Kind}
 */
function kindOf({ comment, string, tool, number, call, word }) {
  if (comment !== undefined) return "comment";
  if (string !== undefined) return "string";
  if (tool !== undefined) return "tool";
  if (number !== undefined) return "number";
  if (keywords.has(call ?? word ?? "")) return "keyword";
  return call === undefined ? "plain" : "call";
}

/**
 * A program's tokens line by line, without the line breaks.
 *
 * @param {string} code
 * @returns {Token[][]}
 */
export function lines(code) {
  /** @type {Token[][]} */
  const found = [[]];
  for (const { kind, text } of tokens(code.replaceAll(/\r\n?/g, "\n"))) {
    text.split("\n").forEach((part, index) => {
      if (index > 0) found.push([]);
      if (part !== "") found.at(-1)?.push({ kind, text: part });
    });
  }
  return found;
}
