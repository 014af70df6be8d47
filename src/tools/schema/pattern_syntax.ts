/**
 * Reads a regular expression that JavaScript's `u` flag has accepted, as far as
 * the judgement of its cost needs it. What is not modelled exactly is taken for
 * more than it is: a property escape, or a class with one, for any character; an
 * assertion other than `^` for nothing.
 *
 * @module
 */

import {
  anything,
  type CharacterSet,
  code,
  digits,
  single,
  space,
  without,
  word,
} from "./character_set.ts";

/** A regular expression. */
export type Expression =
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "sequence"; readonly parts: readonly Expression[] }
  | { readonly type: "choice"; readonly parts: readonly Expression[] }
  | {
    readonly type: "repeat";
    readonly body: Expression;
    readonly min: number;
    readonly max: number;
  }
  /** `^`: only where the text starts. */
  | { readonly type: "start" }
  /** Looks ahead or behind: matched for itself at each place. */
  | {
    readonly type: "look";
    readonly ahead: boolean;
    readonly body: Expression;
  };

/** Thrown for what the judgement does not know; the message names it. */
export class UnknownSyntax extends Error {}

const maxNesting = 100;

/**
 * Parses the pattern. Throws {@link UnknownSyntax} for back-references, flags of
 * a group, and groups that nest too deep.
 */
export function parsePattern(pattern: string): Expression {
  return new Parser([...pattern]).choice();
}

const empty: Expression = { type: "sequence", parts: [] };

class Parser {
  #at = 0;
  #nesting = 0;

  constructor(readonly characters: readonly string[]) {}

  choice(): Expression {
    const parts = [this.#sequence()];
    while (this.#take("|")) parts.push(this.#sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined
      ? only
      : { type: "choice", parts };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    for (;;) {
      const next = this.#peek();
      if (next === undefined || next === "|" || next === ")") break;
      parts.push(this.#quantified(this.#atom()));
    }
    return { type: "sequence", parts };
  }

  #atom(): Expression {
    const character = this.#next();
    switch (character) {
      case "^":
        return { type: "start" };
      case "$":
        return empty;
      case ".":
        return { type: "set", set: anything };
      case "[":
        return { type: "set", set: this.#class() };
      case "(":
        return this.#group();
      case "\\":
        return this.#escape();
      default:
        return { type: "set", set: single(character) };
    }
  }

  #group(): Expression {
    const kind = this.#groupKind();
    if (++this.#nesting > maxNesting) {
      throw new UnknownSyntax("groups that nest too deep");
    }
    const body = this.choice();
    this.#nesting--;
    this.#take(")");
    return kind === "plain"
      ? body
      : { type: "look", ahead: kind === "ahead", body };
  }

  #groupKind(): "plain" | "ahead" | "behind" {
    if (!this.#take("?") || this.#take(":")) return "plain";
    if (this.#take("=") || this.#take("!")) return "ahead";
    if (!this.#take("<")) throw new UnknownSyntax("flags of a group");
    if (this.#take("=") || this.#take("!")) return "behind";
    while (this.#next() !== ">");
    return "plain";
  }

  #escape(): Expression {
    const next = this.#peek();
    if (next === "b" || next === "B") {
      this.#next();
      return empty;
    }
    if (next === "k" || (next !== undefined && /[1-9]/.test(next))) {
      throw new UnknownSyntax("a back-reference");
    }
    return { type: "set", set: this.#escapedSet() };
  }

  /** What an escape stands for, after its backslash. */
  #escapedSet(): CharacterSet {
    const letter = this.#next();
    switch (letter) {
      case "d":
        return digits;
      case "D":
        return without(digits);
      case "w":
        return word;
      case "W":
        return without(word);
      case "s":
        return space;
      case "S":
        return without(space);
      case "p":
      case "P":
        while (this.#next() !== "}");
        return anything;
      case "u":
        return this.#unicode();
      case "x":
        return code(parseInt(this.#next() + this.#next(), 16));
      case "c":
        return code((this.#next().codePointAt(0) ?? 0) % 32);
      case "t":
        return single("\t");
      case "n":
        return single("\n");
      case "r":
        return single("\r");
      case "v":
        return single("\v");
      case "f":
        return single("\f");
      case "0":
        return single("\0");
      default:
        return single(letter);
    }
  }

  #unicode(): CharacterSet {
    if (this.#take("{")) {
      let digits = "";
      for (let next = this.#next(); next !== "}"; next = this.#next()) {
        digits += next;
      }
      return code(parseInt(digits, 16));
    }
    const unit = this.#codeUnit();
    const lower = this.#lowerSurrogate();
    if (unit >> 10 !== 0x36 || lower === undefined) return code(unit);
    this.#at += "\\u0000".length;
    return code(0x10000 + ((unit & 0x3ff) << 10) + (lower & 0x3ff));
  }

  #codeUnit(): number {
    return parseInt([1, 2, 3, 4].map(() => this.#next()).join(""), 16);
  }

  /** The second half of a character that is written as two code units. */
  #lowerSurrogate(): number | undefined {
    const text = this.characters.slice(this.#at, this.#at + 6).join("");
    return /^\\u[dD][c-fC-F][0-9a-fA-F]{2}$/.test(text)
      ? parseInt(text.slice(2), 16)
      : undefined;
  }

  #class(): CharacterSet {
    const negated = this.#take("^");
    const set: (readonly [number, number])[] = [];
    let exact = true;
    while (!this.#take("]")) {
      exact &&= !this.#isProperty();
      const from = this.#classAtom();
      const [start] = from;
      if (
        this.#peek() !== "-" || this.characters[this.#at + 1] === "]" ||
        start === undefined
      ) {
        set.push(...from);
        continue;
      }
      this.#next();
      const [end] = this.#classAtom();
      if (end !== undefined) set.push([start[0], end[1]]);
    }
    // The opposite of more than there is would be less than there is.
    if (!exact) return anything;
    return negated ? without(set) : set;
  }

  #isProperty(): boolean {
    return this.#peek() === "\\" &&
      /[pP]/.test(this.characters[this.#at + 1] ?? "");
  }

  #classAtom(): CharacterSet {
    const character = this.#next();
    if (character !== "\\") return single(character);
    if (this.#take("b")) return single("\b");
    return this.#escapedSet();
  }

  #quantified(body: Expression): Expression {
    const [min, max] = this.#quantifier() ?? [1, 1];
    if (min === 1 && max === 1) return body;
    this.#take("?");
    return { type: "repeat", body, min, max };
  }

  #quantifier(): [number, number] | undefined {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    if (!this.#take("{")) return undefined;
    let text = "";
    for (let next = this.#next(); next !== "}"; next = this.#next()) {
      text += next;
    }
    const [min, max] = text.split(",");
    const least = Number(min);
    if (max === undefined) return [least, least];
    return [least, max === "" ? Infinity : Number(max)];
  }

  #peek(): string | undefined {
    return this.characters[this.#at];
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    const character = this.characters[this.#at++];
    if (character === undefined) throw new UnknownSyntax("an end too early");
    return character;
  }
}
