/**
 * Finds the place where text stops being JSON. Engines word their errors
 * differently and quote the text, which may hold secrets; this does neither.
 *
 * @module
 */

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/y;

/**
 * Where text that is not JSON stops being JSON, in words: a scan with an explicit
 * stack, which no depth can overflow, and a loop over each string, which no
 * length can.
 */
export function whereMalformed(text: string): string {
  const stack: string[] = [];
  let state: "value" | "key" | "first" | "firstKey" | "after" = "value";
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const take = (char: string): boolean => {
    match(space);
    if (text[at] !== char) return false;
    at++;
    return true;
  };
  const string = (): boolean => {
    for (at++; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) return take('"');
      if (unit < 0x20) return false;
      if (unit !== 0x5c) continue;
      if (match(escape)) at--;
      else {
        match(cutEscape);
        return false;
      }
    }
    return false;
  };
  for (;;) {
    match(space);
    const char = text[at];
    if (char === undefined) break;
    if (state === "after") {
      const open = stack.at(-1);
      if (char === "," && open !== undefined) {
        state = open === "{" ? "key" : "value";
      } else if (open !== undefined && char === (open === "{" ? "}" : "]")) {
        stack.pop();
      } else break;
      at++;
    } else if (state === "first" && char === "]") {
      stack.pop();
      state = "after";
      at++;
    } else if (state === "firstKey" && char === "}") {
      stack.pop();
      state = "after";
      at++;
    } else if (state === "key" || state === "firstKey") {
      if (char !== '"' || !string() || !take(":")) break;
      state = "value";
    } else if (char === "{" || char === "[") {
      stack.push(char);
      state = char === "{" ? "firstKey" : "first";
      at++;
    } else if (char === '"' ? string() : match(scalar)) state = "after";
    else break;
  }
  return place(text, at);
}

function place(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - before.lastIndexOf("\n");
  const what = at >= text.length
    ? "the text ends too early"
    : "unexpected text";
  return `${what} at line ${line}, column ${column} (of ${text.length} characters)`;
}
