/**
 * How the embedded model puts what it found.
 *
 * @module
 */

import * as z from "zod";
import type { Finding, Offer } from "./shop_finding.ts";
import { days } from "./shop_programs.ts";

const placed = z.object({
  number: z.string(),
  product: z.string(),
  supplier: z.string(),
  pieces: z.number(),
  cost: z.number(),
  arrives: z.string(),
});

const failed = z.object({ error: z.object({ message: z.string() }) });

/**
 * The answer.
 *
 * @param found What was found.
 * @param all Whether to tell also of products that do not run short.
 * @param orders What the orders gave.
 */
export function answer(
  found: readonly Finding[],
  all: boolean,
  orders: readonly unknown[],
): string {
  const short = found.filter(isShort);
  const names = list(short.map(({ product }) => product));
  const of = found.length === 1 ? "1 product" : `${found.length} products`;
  return [
    short.length === 0
      ? `Nothing runs short within two weeks (${of} checked).`
      : `Short within two weeks: ${names} (${of} checked).`,
    (all ? found : short).map(line).join("\n"),
    orders.map(orderLine).join("\n"),
  ].filter((part) => part !== "").join("\n\n");
}

/** The answer to how much is there. */
export function stockAnswer(stock: ReadonlyMap<string, number>): string {
  if (stock.size === 0) return "I could not count it.";
  return [...stock].map(([product, pieces]) => `${product}: ${pieces} there.`)
    .join("\n");
}

/** The answer to who delivers: the cheapest offer for each product. */
export function supplierAnswer(found: readonly Finding[]): string {
  const lines = found.flatMap(({ product, offer }) =>
    offer === undefined ? [] : [`${product}:${offerText(offer)}`]
  );
  return lines.length === 0
    ? "Nothing runs short, so I asked nobody. Name a product, and I do."
    : `The cheapest offers:\n\n${lines.join("\n")}`;
}

function offerText({ supplier, days, price }: Offer): string {
  return ` ${supplier} delivers in ${days} days, at ${euros(price)} each.`;
}

function isShort({ stock, sold }: Finding): boolean {
  return sold > stock;
}

function line(finding: Finding): string {
  const { product, stock, sold, offer } = finding;
  const missing = isShort(finding) ? `, so ${sold - stock} are missing` : "";
  const from = offer === undefined ? "" : offerText(offer);
  return `${product}: ${stock} there, ${sold} sold in ${days} days${missing}.${from}`;
}

function orderLine(output: unknown): string {
  const { data } = placed.safeParse(output);
  if (data !== undefined) {
    const { number, pieces, product, supplier, arrives, cost } = data;
    return `Ordered ${pieces} × ${product} from ${supplier} (${number}): ${
      euros(cost)
    }, arrives ${arrives}.`;
  }
  const { data: failure } = failed.safeParse(output);
  return `An order failed: ${failure?.error.message ?? "nobody knows why"}`;
}

function euros(amount: number): string {
  return `€${amount.toFixed(2)}`;
}

function list(names: readonly string[]): string {
  return [names.slice(0, -1).join(", "), ...names.slice(-1)]
    .filter((part) => part !== "").join(" and ");
}
