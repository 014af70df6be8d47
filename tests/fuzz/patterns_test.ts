// What the judgement of a pattern's cost promises, against an engine that counts.

import { assert, assertEquals } from "@std/assert";
import { buildAutomaton } from "../../src/tools/schema/pattern_automaton.ts";
import { costOf, stepsFor } from "../../src/tools/schema/pattern_cost.ts";
import { parsePattern } from "../../src/tools/schema/pattern_syntax.ts";
import { seededRandom } from "../support/ambient.ts";
import {
  letters,
  randomTree,
  search,
  TooManyTries,
  type Tree,
  write,
} from "./backtracking.ts";

const maxTries = 100_000;

/** A text that gives an engine much to try, now and then. */
function randomText(random: () => number): string {
  const length = Math.floor(random() * 24);
  const alphabet = random() < 0.5 ? "a" : letters;
  return Array.from(
    { length },
    () => alphabet[Math.floor(random() * alphabet.length)],
  ).join("");
}

/** How much the engine tries; `undefined` where it gave up. */
function triesOf(tree: Tree, pattern: string, text: string) {
  try {
    const { found, tries } = search(tree, text, maxTries);
    // The engine that counts is the one that the language has.
    assertEquals(found, new RegExp(pattern, "u").test(text), pattern);
    return tries;
  } catch (error) {
    if (error instanceof TooManyTries) return undefined;
    throw error;
  }
}

/** What the text never holds at its end makes an engine try everything. */
const absent: Tree = { type: "set", source: "!", holds: "!" };

function randomPattern(random: () => number): Tree {
  const parts = [randomTree(random, 4)];
  if (random() < 0.6) parts.unshift({ type: "start" });
  if (random() < 0.8) parts.push(absent);
  return { type: "sequence", parts };
}

Deno.test("costOf: no engine tries more than the bound that was proven", () => {
  const random = seededRandom(11);
  const counts = { bounded: 0, refused: 0, compared: 0 };
  let closest = 0;
  for (let round = 0; round < 800; round++) {
    const tree = randomPattern(random);
    const pattern = write(tree);
    for (const writtenOut of [1, 6]) {
      const parsed = parsePattern(pattern);
      const cost = costOf(buildAutomaton(parsed, { writtenOut }));
      if (cost === undefined) counts.refused++;
      else counts.bounded++;
      for (let count = 0; cost !== undefined && count < 4; count++) {
        const text = randomText(random);
        const bound = stepsFor(cost, text.length);
        const tries = triesOf(tree, pattern, text) ?? maxTries;
        assert(tries <= bound, `${pattern} on ${text}: ${tries} > ${bound}`);
        counts.compared++;
        closest = Math.max(closest, tries / bound);
      }
    }
  }
  console.log(`patterns: ${JSON.stringify({ ...counts, closest })}`);
  // The bound is near enough to what happens to tell patterns apart.
  assert(closest > 0.5 && counts.refused > 100 && counts.compared > 3_000);
});
