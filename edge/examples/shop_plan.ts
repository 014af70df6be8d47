/**
 * What the embedded model does next: a pure function of what the user said and
 * of what the tools gave since.
 *
 * @module
 */

import * as z from "zod";
import { answer, stockAnswer, supplierAnswer } from "./shop_answer.ts";
import { type Finding, row } from "./shop_finding.ts";
import { products } from "./shop_data.ts";
import {
  programForProducts,
  programForStock,
  withMistake,
} from "./shop_programs.ts";
import { otherQuestion, questionOf } from "./shop_question.ts";

/** A call that the model made in this turn, and what it gave. */
export type PastCall = {
  readonly name: string;
  /** The tool's result, or `{ error }`. */
  readonly output: unknown;
};

/** What the model says and calls; without calls it is the answer. */
export type PlannedStep = {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
};

const counted = z.object({ product: z.string(), pieces: z.number() });

const failed = z.object({ error: z.object({ message: z.string() }) });

const mistakeWanted = /\b(mistake|wrong|error|fail)/i;

/**
 * Plans the next step.
 *
 * @param prompt What the user said.
 * @param past The calls since, in their order.
 */
export function nextStep(
  prompt: string,
  past: readonly PastCall[],
): PlannedStep {
  const named = products.filter((product) => orderedBy(prompt, product));
  const outputs = (name: string) =>
    past.filter((call) => call.name === name).map(({ output }) => output);
  const stock = new Map(
    outputs("stock").flatMap((output) => {
      const { data } = counted.safeParse(output);
      return data === undefined ? [] : [[data.product, data.pieces] as const];
    }),
  );
  const question = questionOf(prompt);
  if (question === undefined && named.length === 0) return say(otherQuestion);
  const wantsMistake = mistakeWanted.test(prompt);
  if (question === "stock" && !wantsMistake) {
    return past.length > 0 ? say(stockAnswer(stock)) : count(named);
  }
  const program = named.length > 0
    ? programForProducts(named)
    : programForStock(stock);
  const cells = outputs("exec");
  const first = cells.length === 0 && wantsMistake
    ? withMistake(program)
    : program;
  if (past.length === 0) return begin(named, first);
  if (cells.length === 0) {
    return exec("The orders are many rows, so a program sums them up.", first);
  }
  const { data: failure } = failed.safeParse(cells.at(-1));
  if (failure !== undefined) {
    return cells.length > 1
      ? say(`My program failed: ${failure.error.message}`)
      : exec(
        "That was my mistake: demand gives an object that holds the orders. Once more.",
        program,
      );
  }
  const found = findings(stock, cells.at(-1));
  const orders = outputs("order");
  if (orders.length === 0 && question === "order") {
    const calls = ordersFor(prompt, found);
    if (calls.length > 0) return { text: "I order what is needed.", calls };
  }
  return say(
    question === "suppliers"
      ? supplierAnswer(found)
      : answer(found, named.length > 0, orders),
  );
}

/** Counts the products that are named, or all. */
function count(named: readonly string[]): PlannedStep {
  const asked = named.length > 0 ? named : products;
  const calls = asked.map((product) => ({
    name: "stock",
    input: { product },
  }));
  const what = named.length > 0 ? "" : " of every product";
  return { text: `I count what is there${what}.`, calls };
}

function begin(named: readonly string[], program: string): PlannedStep {
  const { text, calls } = count(named);
  if (named.length === 0) return { text, calls };
  const { calls: cell } = exec("", program);
  return {
    text: "I count what is there, and a program sums up what was sold.",
    calls: [...calls, ...cell],
  };
}

function exec(text: string, code: string): PlannedStep {
  return { text, calls: [{ name: "exec", input: { code } }] };
}

function say(text: string): PlannedStep {
  return { text, calls: [] };
}

function findings(
  stock: ReadonlyMap<string, number>,
  output: unknown,
): Finding[] {
  const { data } = z.object({ result: z.array(row) }).safeParse(output);
  return (data?.result ?? []).flatMap(({ product, sold, offer }) => {
    const pieces = stock.get(product);
    return pieces === undefined
      ? []
      : [{ product, stock: pieces, sold, offer }];
  });
}

/** How many pieces the user names with a product; whether it is named at all. */
function orderedBy(
  prompt: string,
  product: string,
): { readonly pieces: number | undefined } | undefined {
  const match = new RegExp(
    `(?:\\b(\\d{1,3}) (?:more )?)?\\b${product}s?\\b`,
    "i",
  )
    .exec(prompt);
  if (match === null) return undefined;
  return { pieces: match[1] === undefined ? undefined : Number(match[1]) };
}

function ordersFor(
  prompt: string,
  found: readonly Finding[],
): PlannedStep["calls"] {
  return found.flatMap(({ product, stock, sold, offer }) => {
    const pieces = orderedBy(prompt, product)?.pieces ?? sold - stock;
    if (offer === undefined || pieces <= 0) return [];
    const { supplier, minimum } = offer;
    const input = { product, supplier, pieces: Math.max(pieces, minimum) };
    return [{ name: "order", input }];
  });
}
