/**
 * Reads a regular expression that JavaScript's `u` flag has accepted, as far as
 * the judgement of its cost needs it. What is not modelled exactly is taken for
 * more than it is: a property escape for any character, an assertion for nothing.
 *
 * @module
 */

/** A set of code points: sorted ranges, both ends included. */
export type CharacterSet = readonly (readonly [number, number])[];

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
  /** Looks ahead or behind: matched for itself at each place. */
  | { readonly type: "look"; readonly body: Expression };

/** Thrown for what the judgement does not know. */
export class UnknownSyntax extends Error {}

const last = 0x10ffff;
const anything: CharacterSet = [[0, last]];
const digits: CharacterSet = [[48, 57]];
const word: CharacterSet = [[48, 57], [65, 90], [95, 95], [97, 122]];
const space: CharacterSet = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** Whether two sets share a character. */
export function overlap(one: CharacterSet, other: CharacterSet): boolean {
  return one.some(([low, high]) =>
    other.some(([from, to]) => low <= to && from <= high)
  );
}

function without(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of [...set].sort(([a], [b]) => a - b)) {
    if (low > from) rest.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= last) rest.push([from, last]);
  return rest;
}

/** Parses the pattern. Throws {@link UnknownSyntax} for back-references. */
export function parsePattern(pattern: string): Expression {
  return new Parser([...pattern]).choice();
}

const empty: Expression = { type: "sequence", parts: [] };

class Parser {
  #at = 0;

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
    let look = false;
    if (this.#take("?")) {
      if (this.#take("<")) {
        look = this.#take("=") || this.#take("!");
        if (!look) { while (this.#next() !== ">"); }
      } else if (this.#take("=") || this.#take("!")) look = true;
      else while (this.#next() !== ":"); // `(?:` and flags such as `(?i:`
    }
    const body = this.choice();
    this.#take(")");
    return look ? { type: "look", body } : body;
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
    const digits = [1, 2, 3, 4].map(() => this.#next()).join("");
    return code(parseInt(digits, 16));
  }

  #class(): CharacterSet {
    const negated = this.#take("^");
    const set: (readonly [number, number])[] = [];
    while (!this.#take("]")) {
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
    return negated ? without(set) : set;
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

function single(character: string): CharacterSet {
  return code(character.codePointAt(0) ?? 0);
}

function code(point: number): CharacterSet {
  return [[point, point]];
}
