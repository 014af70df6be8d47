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

/** Where text that is not JSON stops being JSON, in words. */
export function whereMalformed(text: string): string {
  return place(text, new Scanner(text).end());
}

/** What may come next. */
type State = "value" | "key" | "first" | "firstKey" | "after";

/**
 * Reads as far as the text is JSON. With a stack of its own, which no depth can
 * overflow, and a loop over each string, which no length can.
 */
class Scanner {
  readonly #text: string;
  readonly #open: string[] = [];
  #state: State = "value";
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  end(): number {
    for (;;) {
      this.#match(space);
      const char = this.#text[this.#at];
      if (char === undefined || !this.#take(char)) return this.#at;
    }
  }

  /** Takes what starts with `char`; tells whether it may stand there. */
  #take(char: string): boolean {
    switch (this.#state) {
      case "after":
        return this.#takeAfter(char);
      case "first":
        return char === "]" ? this.#close() : this.#takeValue(char);
      case "firstKey":
        return char === "}" ? this.#close() : this.#takeKey(char);
      case "key":
        return this.#takeKey(char);
      case "value":
        return this.#takeValue(char);
    }
  }

  #takeAfter(char: string): boolean {
    const open = this.#open.at(-1);
    if (open === undefined) return false;
    if (char === (open === "{" ? "}" : "]")) return this.#close();
    return char === "," && this.#step(open === "{" ? "key" : "value");
  }

  #takeKey(char: string): boolean {
    if (char !== '"' || !this.#string()) return false;
    this.#match(space);
    return this.#text[this.#at] === ":" && this.#step("value");
  }

  #takeValue(char: string): boolean {
    if (char === "{" || char === "[") {
      this.#open.push(char);
      return this.#step(char === "{" ? "firstKey" : "first");
    }
    this.#state = "after";
    return char === '"' ? this.#string() : this.#match(scalar);
  }

  #close(): boolean {
    this.#open.pop();
    return this.#step("after");
  }

  #step(state: State): true {
    this.#state = state;
    this.#at++;
    return true;
  }

  #string(): boolean {
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === 0x22) {
        this.#at++;
        return true;
      }
      if (unit < 0x20) return false;
      if (unit !== 0x5c) continue;
      if (this.#match(escape)) this.#at--;
      else {
        this.#match(cutEscape);
        return false;
      }
    }
    return false;
  }

  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return false;
    this.#at = pattern.lastIndex;
    return true;
  }
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
