/**
 * A module as another reader sees it: the toolkit's text, in lines. So what is
 * found here does not rest on the meter's own reading.
 *
 * @module
 */

import { disassemble } from "./modules.ts";

/** One function: its type, and its instructions, one a line. */
export type Listed = {
  readonly type: number;
  readonly code: readonly string[];
};

/** A module's text, taken apart. */
export type Listing = {
  /** The types' texts, by number. */
  readonly types: readonly string[];
  readonly imports: readonly string[];
  /** The module's own functions; imported ones come before them in numbers. */
  readonly functions: readonly Listed[];
  /** The numbers of the functions that the table holds. */
  readonly inTable: readonly number[];
  /** All other declarations. */
  readonly rest: readonly string[];
};

/** Lists a module. */
export function list(bytes: Uint8Array): Listing {
  const types: string[] = [];
  const imports: string[] = [];
  const functions: Listed[] = [];
  const inTable: number[] = [];
  const rest: string[] = [];
  for (const [head, ...lines] of declarationsIn(disassemble(bytes))) {
    const [, sort, text = ""] = /^\((\w+)(?: \(;\d+;\))? ?(.*)$/.exec(head) ??
      [];
    if (sort === "type") types.push(text.slice(0, -1));
    else if (sort === "import") imports.push(head);
    else if (sort === "func") {
      const code = lines.map(instruction).filter((line) => line !== "");
      functions.push({ type: numberAfter("(type ", head), code });
    } else if (sort === "elem") {
      inTable.push(
        ...(head.split(" func ")[1]?.match(/\d+/g) ?? []).map(Number),
      );
    } else rest.push(head);
  }
  return { types, imports, functions, inTable, rest };
}

/** The declarations of a module's text, each in lines. */
function declarationsIn(text: string): [head: string, ...lines: string[]][] {
  const found: [string, ...string[]][] = [];
  for (const line of text.trimEnd().slice(0, -1).split("\n").slice(1)) {
    if (line.startsWith("  (")) found.push([line.slice(2)]);
    else found.at(-1)?.push(line.trim());
  }
  // The bracket that closes a function stands behind its last instruction.
  for (const lines of found) {
    const last = lines.pop() ?? "";
    lines.push(lines.length > 0 ? last.slice(0, -1) : last);
  }
  return found;
}

/** An instruction without remarks; none for a list of locals. */
function instruction(line: string): string {
  if (line.startsWith("(local ")) return "";
  return line.replace(/ *;;.*$/, "").replaceAll(/ \(;.*?;\)/g, "");
}

/** The number behind a word. */
export function numberAfter(word: string, line: string): number {
  return parseInt(line.slice(line.indexOf(word) + word.length), 10);
}

/** A function's code, and what pays in it. */
export type Payments = {
  /** The instructions that do not pay. */
  readonly code: readonly string[];
  readonly isEntryPaid: boolean;
  /** The calls outside of every loop. */
  readonly calls: readonly string[];
};

/** What takes a number of units from the fuel, and traps when there are no more. */
function payment(fuel: number, units: readonly string[]): string[] {
  const [get, set] = [`global.get ${fuel}`, `global.set ${fuel}`];
  return [
    ...[get, ...units, "i32.sub", set],
    ...[get, "i32.const 0", "i32.lt_s", "if", "unreachable", "end"],
  ];
}

/**
 * Takes the payments out of a function.
 *
 * @throws {Error} If a loop or a size is not paid for.
 */
export function withoutPayments(
  { code }: Listed,
  fuel: number,
  helper: number,
): Payments {
  const left: string[] = [];
  const calls: string[] = [];
  const open: boolean[] = [];
  const paysAt = (at: number) => {
    const units = numberAfter("i32.const ", code[at + 1] ?? "");
    const expected = payment(fuel, [`i32.const ${units}`]);
    return units > 0 && expected.every((line, i) => line === code[at + i]);
  };
  const length = payment(fuel, [""]).length;
  const isEntryPaid = paysAt(0);
  for (let at = isEntryPaid ? length : 0; at < code.length; at++) {
    const line = code[at] ?? "";
    const [name = ""] = line.split(" ");
    if (line === `call ${helper}` && isSized(code[at + 1])) continue;
    if (isSized(line) && code[at - 1] !== `call ${helper}`) {
      throw new Error(`A size is not paid for, in line ${at}: ${line}`);
    }
    left.push(line);
    if (name === "end") open.pop();
    else if (name === "block" || name === "if") open.push(open.at(-1) ?? false);
    else if (name.startsWith("call") && open.at(-1) !== true) calls.push(line);
    else if (name === "loop") {
      open.push(true);
      if (!paysAt(at + 1)) throw new Error(`A loop is free, in line ${at}`);
      at += length;
    }
  }
  return { code: left, isEntryPaid, calls };
}

function isSized(line = ""): boolean {
  return /^memory\.(copy|fill|init)\b/.test(line);
}

/** The instructions of the function that takes units for a size. */
export function sizePayment(fuel: number, sizeShift: number): string[] {
  const units = ["local.get 0", `i32.const ${sizeShift}`, "i32.shr_u"];
  return [
    ...payment(fuel, [...units, "i32.const 1", "i32.add"]),
    "local.get 0",
  ];
}
